package cmd

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/runner/batch"
	"mercer/runner/plan"
)

type submitFlags struct {
	runFlags
	shards   int
	settings batch.Settings
	dryRun   bool
	wait     bool

	source   specFile           // the spec, where one is submitted
	profiled configs.RunProfile // what the profile and the flags say
}

func (f *submitFlags) add(c *cobra.Command) {
	f.addShared(c)
	flags := c.Flags()
	flags.StringVar(&f.settings.Engine, "engine", "slurm", "slurm, or script: a job script for any scheduler")
	flags.IntVar(&f.shards, "shards", 0, "largest number of shards (default: one for each 10 minutes)")
	flags.IntVar(&f.settings.MaxParallel, "max-parallel", 0, "largest number of shards that run at once (default: the cluster's limit)")
	flags.IntVar(&f.settings.CPUs, "cpus", 0, "processors of a shard (default: 1, or those of a timed fit)")
	flags.StringVar(&f.settings.Mem, "mem", "", "memory of a shard in sbatch's syntax, such as 8G")
	flags.StringVar(&f.settings.Time, "time", "", "time limit of a shard in sbatch's syntax, such as 4:00:00 or 2-0")
	flags.StringVar(&f.settings.Partition, "partition", "", "partition of the cluster (default: the cluster's)")
	flags.StringVar(&f.settings.Setup, "setup", "", "shell lines at the start of each job, such as 'module load openblas'")
	flags.StringArrayVar(&f.settings.Args, "sbatch-arg", nil, "further argument of sbatch, such as --account=math; repeatable")
	flags.StringVar(&f.settings.Image, "kubernetes", "", "with --engine script: also write an Indexed Job of Kubernetes whose pods have this image")
	flags.StringArrayVar(&f.settings.Volumes, "volume", nil, "with --kubernetes: CLAIM:PATH, a PersistentVolumeClaim and where its volume is mounted; repeatable")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the scripts and commands; write and submit nothing")
	flags.BoolVar(&f.wait, "wait", false, "wait for the end, then judge and report; stopping the wait stops no job")
	flags.BoolVar(&f.strict, "strict", false, "with --wait, exit with 5 if a claim is inconclusive")
	complete(c, "engine", slices.Sorted(maps.Keys(engines)))
}

// read reads the profile and the spec.
func (f *submitFlags) read(c *cobra.Command, name string) (err error) {
	if f.profiled, err = f.limited(c.ErrOrStderr()); err != nil {
		return err
	}
	f.strict = f.profiled.Strict
	if f.source, err = readSpec(name); err != nil {
		return err
	}
	if f.source.dir, err = filepath.Abs(f.source.dir); err != nil {
		return err
	}
	f.out, err = filepath.Abs(f.dir(f.source.spec.Name)) // so that the command in the manifest works anywhere
	return err
}

func (f *submitFlags) request(c *cobra.Command, name string) batch.Request {
	return batch.Request{
		Dir: f.out, Input: f.input(f.source, plan.Timing{Threads: f.profiled.Threads, Warmup: f.profiled.Warmup}), Spec: f.source.spec, Limits: f.profiled.CellLimits,
		Version: version(), Command: f.command(c, name), Shards: f.shards, Settings: f.settings, Given: c.Flags().Changed,
		Wait: f.wait, DryRun: f.dryRun, Out: c.OutOrStdout(), Notes: c.ErrOrStderr(),
	}
}
