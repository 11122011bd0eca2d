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
	"mercer/runner/plan"
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
		Short: "Run an experiment on a Slurm cluster: a job array, then the report",
		Long: `Run an experiment on a Slurm cluster. The plan is frozen and cut into shards, parts of
about equal time. A job array computes the shards, each into its own folder. Then a job
merges them, judges the claims and writes the report. The command returns as soon as
all jobs are queued; after that nothing depends on it or on the terminal.

RUN/slurm/ holds the frozen plan, a copy of this mercer (so that a later build changes
no queued job), the scripts, the logs and the shards. The results are those of mercer
run, bit for bit, on machines of one kind.

Give the command again at any time, with the spec or the run folder. Stored records are
not computed again, and queued shards are not submitted again. Shards with failed
records are tried again. While shards are queued, --mem, --time, --partition,
--max-parallel and --sbatch-arg apply only to the shards submitted now. RUN and the
data (MERCER_DATA, MERCER_CACHE) must lie on a file system that all nodes share.

By default a shard takes about 10 minutes of one processor. Its memory is 1 GiB, and for
each group that it computes side by side 1.5 times the arrays of the plan's largest
group and what all groups share. Its time limit is four times the longest shard plus
half an hour. If time is measured, a shard has its node to itself (--exclusive). See
docs/slurm.md.

Exit codes: 0 submitted, or nothing to submit; 1 Slurm refused; 2 the command line or
the spec is wrong; with --wait those of mercer run.`,
		Example: `  mercer submit my.yaml --dry-run
  mercer submit my.yaml --shards 200 --max-parallel 50 --partition short --time 4:00:00
  mercer submit my.yaml --setup 'module load openblas' --sbatch-arg=--account=math --sbatch-arg=--constraint=icelake
  mercer submit results/my/paper --time 12:00:00 --mem 16G     the missing shards of a submitted run
  mercer submit my.yaml --wait && mercer export my > errors.csv`,
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return misuse(f.submit(c, args[0])) },
	}
	f.add(c)
	flags := c.Flags()
	flags.StringVar(&f.engine, "engine", "slurm", "batch system: slurm")
	flags.IntVar(&f.shards, "shards", 0, "largest number of shards (default: one for each 10 minutes)")
	flags.IntVar(&f.settings.MaxParallel, "max-parallel", 0, "largest number of shards that run at once (default: the cluster's limit)")
	flags.IntVar(&f.settings.CPUs, "cpus", 0, "processors of a shard (default: 1, or those of a timed fit)")
	flags.StringVar(&f.settings.Mem, "mem", "", "memory of a shard in sbatch's syntax, such as 8G")
	flags.StringVar(&f.settings.Time, "time", "", "time limit of a shard in sbatch's syntax, such as 4:00:00 or 2-0")
	flags.StringVar(&f.settings.Partition, "partition", "", "partition of the cluster (default: the cluster's)")
	flags.StringVar(&f.settings.Setup, "setup", "", "shell lines at the start of each job, such as 'module load openblas'")
	flags.StringArrayVar(&f.settings.Args, "sbatch-arg", nil, "further argument of sbatch, such as --account=math; repeatable")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the scripts and commands; write and submit nothing")
	flags.BoolVar(&f.wait, "wait", false, "wait for the end, then judge and report; stopping the wait stops no job")
	flags.IntVar(&f.threads, "threads", 0, "processors of a timed fit, if time or memory is measured; 0 means the profile's")
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
  mercer status %s    stored records, and Slurm's state of the rest
  mercer submit %s    if a job stops: submit the missing shards
  mercer merge %s     merge stored records, judge and report, at any time
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
			return fmt.Errorf("--%s: %s was submitted with a fixed value; give the spec instead of the folder", flag, dir)
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
	q.Profile, q.Input = profile, f.input(s, plan.Timing{Threads: profile.Threads, Warmup: profile.Warmup})
	if q.Plan, err = q.Input.Prepare(c.Context(), c.ErrOrStderr()); err != nil {
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
	q.Manifest = runner.NewManifest(q.Plan, f.profile, string(s.text), q.Command, version(), runner.ThisMachine())
	q.Manifest.File, q.Manifest.Dir = s.file, s.dir
	return q, nil
}
