package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/runner"
	"mercer/runner/batch"
)

type submitFlags struct {
	runFlags
	engine   string
	shards   int
	settings batch.Settings
	dryRun   bool
	wait     bool
}

func newSubmit() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "submit SPEC|RUN",
		Short: "Run an experiment on a cluster: shards as a Slurm job array, then the report",
		Long: `Run an experiment on a Slurm cluster. The plan is frozen and cut into shards, parts
of about equal time. A job array computes them, each into a folder of its own, and a
job after it merges them, judges the claims and writes the report. The command
returns as soon as all jobs are queued. Nothing depends on it, or on the terminal,
after that.

RUN/slurm/ holds the frozen plan, a copy of this mercer (a later build changes no
queued job), the scripts, the logs and the shards. The results are those of
mercer run, bit for bit, on machines of one kind.

Give the command again at any time, with the spec or with the run folder: records
that are there are not computed again, and shards that are queued are not submitted
again. Shards with failed records are tried again. While shards are queued, --mem,
--time, --partition, --max-parallel and --sbatch-arg apply to the shards that are
submitted now. RUN must lie on a file system that all nodes share, and so must the
data (MERCER_DATA, MERCER_CACHE).

Without flags a shard takes about 10 minutes of one processor. Its memory is that of
the plan's largest group, half more, and 1 GiB. Its time limit is four times the
longest shard and half an hour. Where time is measured a shard has its node to itself
(--exclusive). See docs/slurm.md.

Exit codes: 0 submitted, or nothing to submit; 1 Slurm refused; 2 the command line
or the spec is wrong; with --wait those of mercer run.`,
		Example: `  mercer submit my.yaml --dry-run
  mercer submit my.yaml --shards 200 --max-parallel 50 --partition short --time 4:00:00
  mercer submit my.yaml --setup 'module load openblas' --sbatch-arg=--account=math --sbatch-arg=--constraint=icelake
  mercer submit results/my/paper --time 12:00:00 --mem 16G     what is missing of a submitted run
  mercer submit my.yaml --wait && mercer export my > errors.csv`,
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return misuse(f.submit(c, args[0])) },
	}
	f.add(c)
	flags := c.Flags()
	flags.StringVar(&f.engine, "engine", "slurm", "what runs the shards: slurm")
	flags.IntVar(&f.shards, "shards", 0, "parts to cut the plan into, at most (default: one for 10 minutes)")
	flags.IntVar(&f.settings.MaxParallel, "max-parallel", 0, "shards that run at once, at most (default: as many as the cluster lets)")
	flags.IntVar(&f.settings.CPUs, "cpus", 0, "processors of a shard (default: 1, or what a timed fit may use)")
	flags.StringVar(&f.settings.Mem, "mem", "", "memory of a shard, as sbatch reads it, such as 8G")
	flags.StringVar(&f.settings.Time, "time", "", "time limit of a shard, as sbatch reads it, such as 4:00:00 or 2-0")
	flags.StringVar(&f.settings.Partition, "partition", "", "partition of the cluster (default: its own)")
	flags.StringVar(&f.settings.Setup, "setup", "", "shell lines that each job begins with, such as 'module load openblas'")
	flags.StringArrayVar(&f.settings.Args, "sbatch-arg", nil, "further argument of sbatch, such as --account=math; may be given again")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the scripts and commands; write and submit nothing")
	flags.BoolVar(&f.wait, "wait", false, "wait to the end, then judge and report; stopping the wait stops no job")
	flags.IntVar(&f.threads, "threads", 0, "processors that a timed fit may use, where time or memory is measured; 0 takes the profile's")
	f.cells.add(c)
	flags.StringVarP(&f.out, "out", "o", "", "run folder (default: <results>/<experiment>/<profile>)")
	flags.StringVar(&f.root, "results", resultsRoot, "folder that holds all runs")
	flags.BoolVar(&f.strict, "strict", false, "with --wait, exit with 5 if a claim is inconclusive")
	flags.BoolVar(&f.optional, "skip-missing-data", false, "skip data sets that are not available, as if the spec called them optional")
	if err := c.RegisterFlagCompletionFunc("engine", cobra.FixedCompletions([]string{"slurm"}, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
	return c
}

// misuse gives errors of the caller that a batch has found the exit code of those.
func misuse(err error) error {
	if errors.As(err, new(batch.Misuse)) {
		return usage(err)
	}
	return err
}

// check refuses what cannot be meant, before anything is done.
func (f *submitFlags) check() error {
	if f.engine != "slurm" {
		return fmt.Errorf("--engine %q: only slurm is known; on one machine: mercer run", f.engine)
	}
	for name, v := range map[string]int{"shards": f.shards, "threads": f.threads} {
		if v < 0 {
			return fmt.Errorf("--%s %d: must not be negative", name, v)
		}
	}
	return batch.Slurm{}.Check(f.settings)
}

func (f *submitFlags) submit(c *cobra.Command, name string) error {
	if err := f.check(); err != nil {
		return usage(err)
	}
	if !f.dryRun {
		if err := (batch.Slurm{}).Available(); err != nil {
			return err
		}
	}
	run, err := f.queue(c, name)
	if err != nil {
		return err
	}
	if !f.dryRun && f.wait {
		return waitAndMerge(c, run, f.strict)
	}
	dir := quoteWord(run.Dir)
	_, err = fmt.Fprintf(c.OutOrStdout(), `next:
  mercer status %s    what is there, and what Slurm says of the rest
  mercer submit %s    should anything stop: submit what is missing
  mercer merge %s     gather what is there, judge and report, at any time
`, dir, dir, dir)
	return err
}

// queue submits a spec, or what is missing of a run.
func (f *submitFlags) queue(c *cobra.Command, name string) (*batch.Run, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if err := f.onlyFor(c, name); err != nil {
			return nil, usage(err)
		}
		run, err := batch.Open(name, batch.Slurm{})
		if err != nil {
			return nil, err
		}
		return run, run.Again(c.Context(), f.settings, f.dryRun, c.OutOrStdout())
	}
	request, err := f.request(c, name)
	if err != nil {
		return nil, err
	}
	s, err := batch.New(request, batch.Slurm{})
	if err != nil {
		return nil, err
	}
	return s.Run, s.Submit(c.Context(), f.dryRun, c.OutOrStdout(), c.ErrOrStderr())
}

// onlyFor refuses flags that the scripts of a submitted run have settled.
func (f *submitFlags) onlyFor(c *cobra.Command, dir string) error {
	for _, flag := range []string{"profile", "filter", "shards", "cpus", "setup", "threads", "out", "results", "stream", "isolate", "cell-timeout", "cell-memory", "skip-missing-data"} {
		if c.Flags().Changed(flag) {
			return fmt.Errorf("--%s: the submit of %s has settled this; give the spec in place of the folder", flag, dir)
		}
	}
	return nil
}

// request plans the run of a spec.
func (f *submitFlags) request(c *cobra.Command, name string) (batch.Request, error) {
	q := batch.Request{Shards: f.shards, Settings: f.settings, Given: c.Flags().Changed}
	profile, err := configs.LoadProfile(f.profile)
	if err != nil {
		return q, usage(err)
	}
	if err := f.cells.over(&profile); err != nil {
		return q, usage(err)
	}
	if f.threads > 0 {
		profile.Threads = f.threads
	}
	f.strict = f.strict || profile.Strict
	if _, err := linalg.Use(); err != nil {
		return q, usage(err)
	}
	s, err := readSpec(name)
	if err != nil {
		return q, err
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return q, err
	}
	q.Profile, q.Recipe = profile, f.recipe(s, runner.Timing{Threads: profile.Threads, Warmup: profile.Warmup})
	if q.Plan, err = q.Recipe.Prepare(c.Context(), c.ErrOrStderr()); err != nil {
		return q, err
	}
	for _, note := range q.Plan.Notes {
		fmt.Fprintln(c.ErrOrStderr(), "note:", note)
	}
	if f.out == "" {
		f.out = runner.DefaultDir(f.root, q.Plan.Spec.Name, f.profile)
	}
	if f.out, err = filepath.Abs(f.out); err != nil { // so that the command in the manifest works anywhere
		return q, err
	}
	q.Dir, q.Command = f.out, f.command(c, name)
	q.Manifest = q.Plan.Manifest(f.profile, string(s.text), q.Command, version(), runner.ThisMachine())
	q.Manifest.Dir = s.dir
	return q, nil
}
