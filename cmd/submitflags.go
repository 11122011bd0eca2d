package cmd

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/runner"
	"mercer/runner/batch"
	"mercer/runner/plan"
)

type submitFlags struct {
	runFlags
	shards   int
	settings batch.Settings
	dryRun   bool
	wait     bool

	source  source             // the spec, where one is submitted
	limited configs.RunProfile // what the profile and the flags say
}

func (f *submitFlags) add(c *cobra.Command) {
	f.runFlags.add(c)
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
	flags.IntVar(&f.threads, "threads", 0, "processors of a timed fit, if time or memory is measured; 0 means the profile's")
	addCellLimits(c, &f.cells)
	flags.StringVarP(&f.out, "out", "o", "", "run directory (default: <results>/<experiment>/<profile>)")
	flags.StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	flags.BoolVar(&f.strict, "strict", false, "with --wait, exit with 5 if a claim is inconclusive")
	flags.BoolVar(&f.optional, "skip-missing-data", false, "skip data sets that are not available, as if the spec called them optional")
	if err := c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions(slices.Sorted(maps.Keys(engines)), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// check refuses what cannot be meant, before anything is done.
func (f *submitFlags) check() error {
	for name, v := range map[string]int{"shards": f.shards, "threads": f.threads} {
		if v < 0 {
			return fmt.Errorf("--%s %d: must not be negative", name, v)
		}
	}
	return nil
}

// read reads the profile and the spec.
func (f *submitFlags) read(name string) (err error) {
	if f.limited, err = configs.LoadProfile(f.profile); err == nil {
		err = limitCells(&f.limited.CellLimits, f.cells)
	}
	if err == nil {
		_, err = linalg.Use()
	}
	if err != nil {
		return usage(err)
	}
	if f.threads > 0 {
		f.limited.Threads = f.threads
	}
	f.strict = f.strict || f.limited.Strict
	if f.source, err = readSpec(name); err != nil {
		return err
	}
	if f.out == "" {
		f.out = runner.DefaultDir(f.root, f.source.spec.Name, f.profile)
	}
	if f.source.dir, err = filepath.Abs(f.source.dir); err != nil {
		return err
	}
	f.out, err = filepath.Abs(f.out) // so that the command in the manifest works anywhere
	return err
}

func (f *submitFlags) request(c *cobra.Command, name string) batch.Request {
	return batch.Request{
		Dir: f.out, Input: f.input(f.source, plan.Timing{Threads: f.limited.Threads, Warmup: f.limited.Warmup}), Spec: f.source.spec, Limits: f.limited.CellLimits,
		Version: version(), Command: f.command(c, name), Shards: f.shards, Settings: f.settings, Given: c.Flags().Changed,
		Wait: f.wait, DryRun: f.dryRun, Out: c.OutOrStdout(), Notes: c.ErrOrStderr(),
	}
}
