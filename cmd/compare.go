package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/internal/claims"
	"mercer/internal/compare"
	"mercer/results"
)

type compareFlags struct {
	root       string
	thresholds compare.Thresholds
}

func newCompare() *cobra.Command {
	f := compareFlags{thresholds: compare.Standard}
	t := &f.thresholds
	c := &cobra.Command{
		Use:   "compare BASE NEW",
		Short: "Compare runs with earlier ones and show what became worse",
		Long: `Compare runs with earlier ones and show what became worse. Each of BASE and NEW is

  a run directory, or the name of an experiment, which means its latest run
  a directory of runs, such as results, which means all of them
  the folder of a reference, or a directory of them, such as results/reference

If BASE has many, the one of NEW's experiment and profile counts.

Cells are matched by data set, kernel, method and grid variables. Numbers with the same
seeds must agree within a tolerance. If seeds, data or method versions differ,
distributions are compared by exact rank tests with Holm's correction. Times are
compared by their ratio, on the same machine only, and verdicts by claim.
docs/compare.md has the details.

Distributions need repeats. What the tests cannot decide with the repeats of the runs
is undecided, with the number needed.

Exit codes:
  0  no regression
  1  a file is broken
  2  the command line is wrong
  4  a regression: numbers drifted; a method became worse or slower; rows, metrics or
     claims are missing; rows fail; a claim that held is violated
  5  no regression, but undecided: too few repeats, or nothing could be compared`,
		Example: `  mercer compare results/reference nystrom-kpca-rates        against its reference
  mercer compare results/reference results/regress           all at once
  mercer compare old/run new/run --slower 1.05               two runs of one machine
  mercer compare results/reference results --json > all.json`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: completeSpecs,
		RunE:              f.run,
	}
	c.Flags().StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	addJSON(c, "print JSON")
	c.Flags().Float64Var(&t.Worse, "worse", t.Worse, "smallest relative worsening that is a regression")
	c.Flags().Float64Var(&t.Slower, "slower", t.Slower, "largest ratio of times allowed")
	return c
}

func (f *compareFlags) run(c *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return usage(err)
	}
	pairs, findings, err := sides(c, f.root).Pairs(args[0], args[1])
	if err != nil {
		return err
	}
	comparison := compare.Compare(pairs, f.thresholds)
	comparison.Findings = append(comparison.Findings, findings...)
	if err := answer(c, comparison, func() string { return comparison.Table(colored(c.OutOrStdout())) }); err != nil {
		return err
	}
	switch {
	case comparison.Count(compare.Regression) > 0:
		return exit{exitRegression, nil}
	case comparison.Count(compare.Undecided) > 0:
		return exit{exitInconclusive, nil}
	}
	return nil
}

// check finds mistakes of the flags alone.
func (f *compareFlags) check() error {
	if t := f.thresholds; !(t.Worse >= 0) || !(t.Slower >= 1) {
		return fmt.Errorf("--worse %g must be at least 0, and --slower %g at least 1", t.Worse, t.Slower)
	}
	return nil
}

// sides finds the runs that a command is about.
func sides(c *cobra.Command, root string) compare.Source {
	return compare.Source{Root: root,
		Judge: func(run results.Run) ([]claims.Verdict, []claims.Answer, error) { return judge(c, run) },
		Warn:  func(format string, args ...any) { fmt.Fprintf(c.ErrOrStderr(), "warning: "+format+"\n", args...) }}
}
