package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/adaptive"
	"mercer/runner/plan"
	"mercer/runner/verdicts"
)

// resultsRoot is where runs land unless --results says otherwise.
const resultsRoot = "results"

func newRun() *cobra.Command {
	var flags runFlags
	c := &cobra.Command{
		Use:   "run SPEC",
		Short: "Run an experiment, judge its claims and write its report",
		Long: `Run an experiment, judge its claims and write its report. SPEC is a YAML file, - for standard
input, or the name of a built-in experiment (mercer list). Verdicts go to standard output, progress
to standard error.

Rows go to results/<experiment>/<profile>/ as they are made. To continue a run that
was stopped by Ctrl-C, a kill or a full disk, give the same command again. Results do
not depend on the number of workers. Times depend on --threads: timed fits run one
after another, each on one processor by default.

With --until-decided, or repeats: {from: 8, to: 320, until: decided} in the spec, a run
begins with few repeats. The cells of verdicts that more repeats may decide get twice as
many, and so on. The error rates of verdicts hold over all these looks.

With --shard i/N the run computes the i-th of N parts, into a folder of its own, and judges
nothing: mercer merge puts the parts together (docs/schedulers.md).

Cells run side by side in this process. Cells that are timed, or large with a limit,
run in worker processes; --isolate changes this. A worker is killed if a cell exceeds
its limits (status timeout or oom), and the row has the cell's processor time and
peak memory.

Exit codes:
  0    no claim is violated at 1 % over the whole spec, and no control holds
  1    a cell failed
  2    the command line or the spec is wrong
  3    a claim is violated at 1 % over the whole spec, or a control holds
  5    with --strict: a claim is inconclusive
  130  stopped by Ctrl-C, SIGTERM or SIGHUP

docs/faults.md lists what else can happen to a run, and what to do.`,
		Example: `  mercer run nystrom-kpca-rates --profile smoke
  mercer run my.yaml --workers 4 --out /tmp/my-run
  mercer run my.yaml --set 'repeats={from: 8, to: 160, until: decided}'
  mercer run my.yaml --shard 3/8 --out parts/3
  mercer run my.yaml --filter 'method == "nystrom"'`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return flags.run(c, args[0]) },
	}
	flags.register(c)
	addJSON(c, jsonResult)
	return c
}

func (f *runFlags) run(c *cobra.Command, name string) error {
	s, err := readSpec(name, c.InOrStdin())
	if err != nil {
		return err
	}
	command := f.command(c, s.name)
	run, stopped, err := f.carryOut(c.Context(), c, s, command)
	switch {
	case err != nil:
		return err
	case stopped:
		return exit{exitInterrupted, fmt.Errorf("stopped with %d of %d rows; to continue: %s", len(run.Rows), len(run.Manifest.IDs), command)}
	case f.shard != "":
		shard, _ := plan.ParseShard(f.shard)
		text := fmt.Sprintf("%s: %s of shard %s\nnext, when all shards are done: mercer merge DIR... of all %d\n", run.Dir, plain.Count(len(run.Rows), "row"), shard, shard.N)
		if err := say(c, text); err != nil {
			return err
		}
		return outcome(run, nil, false)
	}
	return conclude(c, run, f.strict)
}

// carryOut computes what is missing of a run until ctx ends, and says whether that stopped it.
func (f *runFlags) carryOut(ctx context.Context, c *cobra.Command, s specFile, command string) (run results.Run, stopped bool, err error) {
	if f.workers < 0 {
		return run, false, usage(fmt.Errorf("--workers %d: must not be negative", f.workers))
	}
	shard, err := plan.ParseShard(f.shard)
	if err != nil {
		return run, false, usage(err)
	}
	if shard.N > 0 && f.out == "" {
		return run, false, usage(errors.New("--shard: name a folder of the shard's own by --out"))
	}
	profile, err := f.limited(c.ErrOrStderr())
	if err != nil {
		return run, false, err
	}
	memory, err := f.allowed(profile)
	if err != nil {
		return run, false, err
	}
	worker, err := workerCommand()
	if err != nil {
		return run, false, err
	}
	p, err := f.prepare(c, s, plan.Input{Timing: plan.Timing{Threads: f.threads, Warmup: profile.Warmup}, Memory: memory, Shard: shard})
	if err == nil && shard.N > 0 {
		err = shardable(p.Spec)
	}
	if err != nil {
		return run, false, err
	}
	dir := f.dir(p.Spec.Name)
	if !f.fresh {
		before, err := results.ReadManifest(dir) // the looks of a run are not known without its manifest
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return run, false, err
		case before.Shard == "" && shard.N > 0:
			return run, false, usage(fmt.Errorf("%s holds a whole run, which --shard %s would make a shard: name another folder by --out, or delete its rows by --fresh", dir, shard))
		default:
			p.Spec.Repeats = p.Spec.Repeats.Continue(before.Looks, before.Planned())
		}
	}
	progress := &progress{w: c.ErrOrStderr(), quiet: f.quiet}
	for _, note := range p.Notes {
		if c.Name() != "advise" { // whose grid is not the user's
			progress.note(note)
		}
	}
	if refusals := p.Forecast().Refusals(); refusals != "" {
		progress.note(refusals)
	}
	options := runner.Options{
		Dir: dir, Workers: cmp.Or(f.workers, profile.Workers, runtime.NumCPU()),
		CellTimeout: profile.CellTimeout, CellMemory: f.cellMemory, Isolate: f.isolate, Worker: worker, Fresh: f.fresh, Progress: progress.update,
	}
	if f.replayed != nil {
		options.Progress = func(now runner.Progress) {
			if now.Done == now.Resumed {
				f.replayed()
			}
			progress.update(now)
		}
	}
	if p.Spec.Repeats.Adaptive() {
		extension, err := adaptive.New(p, dir)
		if err != nil {
			return run, false, err
		}
		options.Extend = func() (bool, error) { return extension.Next(ctx, c.ErrOrStderr(), progress.look) }
	}
	summary, err := runner.Run(ctx, p, runner.NewManifest(p, command, version(), runner.ThisMachine()), options)
	for _, warning := range summary.Warnings {
		progress.note(warning)
	}
	if err == nil {
		run, err = results.Load(dir)
	}
	if err == nil && !summary.Interrupted {
		err = verdicts.Record(ctx, run, p, c.ErrOrStderr())
	}
	return run, summary.Interrupted, err
}

// shardable refuses a spec that only one process can run: which of its rows are needed
// depends on other rows.
func shardable(spec *configs.Spec) error {
	switch {
	case len(spec.Targets) > 0:
		return usage(errors.New("shards: the spec has targets, whose search needs the rows of all shards; run it without shards"))
	case spec.Repeats.Adaptive():
		return usage(errors.New("shards: repeats are added until the verdicts are decided, which needs the rows of all shards; give a fixed number (repeats: 40, or --set repeats=40), or run without shards"))
	}
	return nil
}

// conclude judges a run, reports and chooses the exit code.
func conclude(c *cobra.Command, run results.Run, strict bool) error {
	written, err := writeReport(c, run)
	if err != nil {
		return err
	}
	if err := written.show(c); err != nil {
		return err
	}
	return outcome(run, written.verdicts, strict)
}
