package cmd

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
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
		Long: `Run an experiment, judge its claims and write its report. SPEC is a YAML file or the
name of a built-in experiment (mercer list). Verdicts go to standard output, progress
to standard error.

Records go to results/<experiment>/<profile>/ as they are made. To continue a run that
was stopped by Ctrl-C, a kill or a full disk, give the same command again. Results do
not depend on the number of workers. Times depend on --threads: timed fits run one
after another, each on one processor by default.

With --until-decided, or repeats: {from: 8, to: 320, until: decided} in the spec, a run
begins with few repeats. The cells of verdicts that more repeats may decide get twice as
many, and so on. The error rates of verdicts hold over all these looks.

Cells run side by side in this process. Cells that are timed, or large with a limit,
run in worker processes; --isolate changes this. A worker is killed if a cell exceeds
its limits (status timeout or oom), and the record has the cell's processor time and
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
  mercer run my.yaml --until-decided --max-repeats 160
  mercer run my.yaml --filter 'method == "nystrom"'`,
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return flags.run(c, args[0]) },
	}
	flags.register(c)
	addJSON(c, jsonResult)
	return c
}

func (f *runFlags) run(c *cobra.Command, name string) error {
	if f.workers < 0 {
		return usage(fmt.Errorf("--workers %d: must not be negative", f.workers))
	}
	profile, err := f.limited(c.ErrOrStderr())
	if err != nil {
		return err
	}
	machine := runner.ThisMachine()
	memory, err := f.allowed(profile)
	if err != nil {
		return err
	}
	worker, err := workerCommand()
	if err != nil {
		return err
	}
	s, p, err := f.prepare(c, name, plan.Timing{Threads: profile.Threads, Warmup: profile.Warmup}, memory)
	if err != nil {
		return err
	}
	dir := f.dir(p.Spec.Name)
	if !f.fresh {
		before, there, err := results.Earlier(dir)
		if err != nil {
			return err
		}
		if there {
			p.Spec.Repeats = p.Spec.Repeats.Continue(before.Looks, before.Planned())
		}
	}
	progress := newProgress(c.ErrOrStderr(), f.quiet)
	for _, note := range p.Notes {
		progress.note(note)
	}
	if refusals := p.View(memory, 1).Refusals(); refusals != "" {
		progress.note(strings.TrimSuffix(refusals, "\n"))
	}
	command := f.command(c, s.name)
	manifest := runner.NewManifest(p, f.profile, string(s.text), command, version(), machine)
	manifest.File, manifest.Dir = s.file, s.dir
	options := runner.Options{
		Dir: dir, Workers: cmp.Or(f.workers, profile.Workers, runtime.NumCPU()), Memory: memory,
		CellLimits: profile.CellLimits, Worker: worker, Fresh: f.fresh, Progress: progress.update,
	}
	due := p
	if p.Spec.Repeats.Adaptive() {
		extension, err := adaptive.New(p, dir)
		if err != nil {
			return err
		}
		due = extension.Due()
		options.Extend = func() (*plan.Plan, error) { return extension.Next(c.Context(), c.ErrOrStderr(), progress.look) }
	}
	summary, err := runner.Run(c.Context(), due, manifest, options)
	progress.close()
	for _, warning := range summary.Warnings {
		progress.note(warning)
	}
	if err != nil {
		return err
	}
	if summary.Interrupted {
		return exit{exitInterrupted, fmt.Errorf("stopped with %d of %d records; to continue: %s", summary.Resumed+summary.Written, summary.Total, command)}
	}
	return conclude(c, dir, p.Spec, profile.Strict)
}

// conclude stores what claims ask of the populations, as far as no other folder knows
// it, judges, reports and chooses the exit code. The spec is that of the run, nil where
// nobody has parsed it.
func conclude(c *cobra.Command, dir string, spec *configs.Spec, strict bool, others ...string) error {
	run, err := results.Load(dir)
	if err == nil && spec == nil {
		spec, err = verdicts.SpecOf(run)
	}
	if err != nil {
		return err
	}
	if err := record(c, run, spec, others...); err != nil {
		return err
	}
	written, err := writeReport(c, run, spec)
	if err != nil {
		return err
	}
	if err := written.show(c); err != nil {
		return err
	}
	return outcome(run, written.verdicts, strict)
}
