package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/results"
	"mercer/runner"
	"mercer/runner/adaptive"
	"mercer/runner/batch"
	"mercer/runner/plan"
	"mercer/runner/verdicts"
)

// resultsRoot is where runs land unless --results says otherwise.
const resultsRoot = "results"

type runFlags struct {
	planFlags
	workers int
	threads int
	cells   configs.CellLimits
	out     string
	root    string
	fresh   bool
	strict  bool
	quiet   bool
}

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
  130  stopped by Ctrl-C or SIGTERM

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

// register adds the flags of mercer run.
func (f *runFlags) register(c *cobra.Command) {
	f.add(c)
	f.addMemory(c)
	c.Flags().IntVarP(&f.workers, "workers", "w", 0, "groups of cells to compute side by side, one on each processor (default: the profile's, else all processors)")
	c.Flags().IntVar(&f.threads, "threads", 0, "processors of a timed fit, if time or memory is measured; 0 means the profile's")
	addCellLimits(c, &f.cells)
	c.Flags().StringVarP(&f.out, "out", "o", "", "run directory (default: <results>/<experiment>/<profile>)")
	c.Flags().StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "delete the records of an earlier run in the directory")
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 5 if a claim is inconclusive")
	c.Flags().BoolVar(&f.optional, "skip-missing-data", false, "skip data sets that are not available, as if the spec called them optional")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "no progress; notes and warnings are shown")
}

// addCellLimits adds the flags that hold each cell to something.
func addCellLimits(c *cobra.Command, l *configs.CellLimits) {
	c.Flags().StringVar(&l.Isolate, "isolate", "", "cells that run in worker processes: auto, process (all) or none (default: the profile's, else auto)")
	if err := c.RegisterFlagCompletionFunc("isolate", cobra.FixedCompletions(configs.Isolations, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
	c.Flags().DurationVar(&l.CellTimeout, "cell-timeout", 0, "time limit of a cell, such as 10m (default: the profile's)")
	c.Flags().StringVar(&l.CellMemory, "cell-memory", "", "memory limit of a worker process, such as 4GiB or 20% (default: the profile's, else --memory)")
}

// limitCells puts flags in the place of what a profile says.
func limitCells(p *configs.CellLimits, flags configs.CellLimits) error {
	if flags.CellTimeout < 0 {
		return fmt.Errorf("--cell-timeout %v: must not be negative", flags.CellTimeout)
	}
	p.Isolate = cmp.Or(flags.Isolate, p.Isolate, runner.IsolateAuto)
	p.CellTimeout, p.CellMemory = cmp.Or(flags.CellTimeout, p.CellTimeout), cmp.Or(flags.CellMemory, p.CellMemory)
	if _, err := configs.ParseMemory(p.CellMemory, 1<<30); err != nil {
		return fmt.Errorf("--cell-memory: %w", err)
	}
	if !slices.Contains(configs.Isolations, p.Isolate) {
		return errors.New("--isolate: " + configs.Unknown("isolation", p.Isolate, "", configs.Isolations))
	}
	return nil
}

func (f *runFlags) run(c *cobra.Command, name string) error {
	profile, err := configs.LoadProfile(f.profile)
	if err != nil {
		return usage(err)
	}
	if f.workers < 0 {
		return usage(fmt.Errorf("--workers %d: must not be negative", f.workers))
	}
	if f.threads < 0 {
		return usage(fmt.Errorf("--threads %d: must not be negative", f.threads))
	}
	if f.threads > 0 {
		profile.Threads = f.threads
	}
	if err := limitCells(&profile.CellLimits, f.cells); err != nil {
		return usage(err)
	}
	if _, err := linalg.Use(); err != nil {
		return usage(err)
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
	dir := f.out
	if dir == "" {
		dir = runner.DefaultDir(f.root, p.Spec.Name, f.profile)
	}
	if before, err := results.ReadManifest(dir); err == nil && !f.fresh {
		p.Spec.Repeats = p.Spec.Repeats.Continue(before.Looks, before.Planned())
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
	return conclude(c, dir, p.Spec, f.strict || profile.Strict)
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

// command is how to go on with this run: mercer run with all of its flags that
// were given, but those that only say what is printed, and --fresh, which would
// forget what is there.
func (f *runFlags) command(c *cobra.Command, spec string) string {
	words := []string{"mercer run", batch.Quote(spec), "--profile", batch.Quote(f.profile)}
	if f.out != "" {
		words = append(words, "--out", batch.Quote(f.out))
	} else if f.root != resultsRoot {
		words = append(words, "--results", batch.Quote(f.root))
	}
	known := new(cobra.Command)
	new(runFlags).register(known)
	c.Flags().Visit(func(flag *pflag.Flag) { // those that were given
		switch {
		case known.Flags().Lookup(flag.Name) == nil || slices.Contains([]string{"profile", "out", "results", "fresh", "quiet", "json"}, flag.Name):
		case flag.Value.Type() != "bool":
			words = append(words, "--"+flag.Name, batch.Quote(flag.Value.String()))
		case flag.Value.String() == "true":
			words = append(words, "--"+flag.Name)
		default:
			words = append(words, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	return strings.Join(words, " ")
}
