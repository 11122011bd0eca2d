package cmd

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/linalg"
	"mercer/runner"
)

// resultsRoot is where runs land unless --results says otherwise.
const resultsRoot = "results"

type runFlags struct {
	planFlags
	workers int
	threads int
	memory  string
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
		Long: `Run an experiment: SPEC is a YAML file, or the name of an experiment that comes
with mercer (mercer list). Records go to results/<experiment>/<profile>/ as they
are made; a run that was stopped anywhere, by Ctrl-C, a kill or a full disk, goes
on where it stood when the same command is given again. Results do not depend on
the number of workers. Times do on --threads: fits that are timed run one after
another, each on one processor unless told otherwise.

Verdicts go to standard output, progress to standard error.

Exit codes: 0 every claim holds or is inconclusive; 1 a cell failed; 2 the
command line or the spec is wrong; 3 a claim is violated; 5 with --strict, a
claim is inconclusive; 130 stopped by Ctrl-C.`,
		Example: `  mercer run nystrom-kpca-rates --profile smoke
  mercer run my.yaml --workers 4 --out /tmp/my-run
  mercer run my.yaml --filter 'method == "nystrom"'`,
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE:              func(c *cobra.Command, args []string) error { return flags.run(c, args[0]) },
	}
	flags.add(c)
	c.Flags().IntVarP(&flags.workers, "workers", "w", 0, "processors to use: groups of cells are computed side by side, one on each (default: the profile's, else all)")
	c.Flags().IntVar(&flags.threads, "threads", 0, "processors that a timed fit may use, where time or memory is measured; 0 takes the profile's")
	c.Flags().StringVar(&flags.memory, "memory", "", "memory for all of them, such as 80% or 4GiB (default: the profile's)")
	c.Flags().StringVarP(&flags.out, "out", "o", "", "run directory (default: <results>/<experiment>/<profile>)")
	c.Flags().StringVar(&flags.root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().BoolVar(&flags.fresh, "fresh", false, "forget the records of an earlier run in the directory")
	c.Flags().BoolVar(&flags.strict, "strict", false, "exit with 5 if a claim is inconclusive")
	c.Flags().BoolVar(&flags.optional, "skip-missing-data", false, "skip data sets that cannot be had, as if the spec called them optional")
	c.Flags().BoolVarP(&flags.quiet, "quiet", "q", false, "no progress")
	return c
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
	if f.memory != "" {
		profile.Memory = f.memory
	}
	if _, err := linalg.Use(); err != nil {
		return usage(err)
	}
	machine := runner.ThisMachine()
	memory, err := profile.MemoryBytes(machine.Memory)
	if err != nil {
		return usage(fmt.Errorf("--memory: %w", err))
	}
	s, plan, err := f.prepare(c, name, runner.Timing{Threads: profile.Threads, Warmup: profile.Warmup})
	if err != nil {
		return err
	}
	dir := f.out
	if dir == "" {
		dir = runner.DefaultDir(f.root, plan.Spec.Name, f.profile)
	}
	progress := newProgress(c.ErrOrStderr(), f.quiet)
	for _, note := range plan.Notes {
		progress.note(note)
	}
	manifest := plan.Manifest(f.profile, string(s.text), f.command(s.name), version(), machine)
	manifest.Dir = s.dir
	summary, err := runner.Run(c.Context(), plan, manifest, runner.Options{
		Dir: dir, Workers: firstPositive(f.workers, profile.Workers, runtime.NumCPU()), Memory: int64(memory),
		CellTimeout: profile.CellTimeout, Fresh: f.fresh, Progress: progress.update,
	})
	progress.close()
	for _, warning := range summary.Warnings {
		progress.note(warning)
	}
	if err != nil {
		return err
	}
	if summary.Interrupted {
		return exit{exitInterrupted, fmt.Errorf("stopped with %d of %d records; to go on: %s", summary.Resumed+summary.Written, summary.Total, f.command(s.name))}
	}
	return f.conclude(c, dir, f.strict || profile.Strict)
}

// conclude judges, reports and chooses the exit code.
func (f *runFlags) conclude(c *cobra.Command, dir string, strict bool) error {
	run, err := loadRun(dir)
	if err != nil {
		return err
	}
	verdicts, err := judge(c, run)
	if err != nil {
		return err
	}
	report, err := writeReport(run, verdicts)
	if err != nil {
		return err
	}
	if err := printVerdicts(c.OutOrStdout(), verdicts); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "report: %s\n", filepath.ToSlash(report))
	return outcome(run, verdicts, strict)
}

// command is how to give this run again.
func (f *runFlags) command(spec string) string {
	words := []string{"mercer run", quoteWord(spec), "--profile", f.profile}
	if f.filter != "" {
		words = append(words, "--filter", quoteWord(f.filter))
	}
	if f.threads > 0 {
		words = append(words, "--threads", strconv.Itoa(f.threads))
	}
	if f.out != "" {
		words = append(words, "--out", quoteWord(f.out))
	} else if f.root != resultsRoot {
		words = append(words, "--results", quoteWord(f.root))
	}
	return strings.Join(words, " ")
}

// quoteWord quotes a word for a shell where it needs to be.
func quoteWord(word string) string {
	if strings.ContainsAny(word, " \t\"'$&|;<>()*?[]{}!#~`\\") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

func firstPositive(values ...int) int {
	for _, v := range values {
		if v > 0 {
			return v
		}
	}
	return 1
}
