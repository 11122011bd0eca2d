package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/compare"
	"mercer/results"
)

type compareFlags struct {
	root       string
	format     string
	thresholds compare.Thresholds
	where      whereFlag
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
  0  no regression; always with --format benchfmt, which judges nothing
  1  a file is broken
  2  the command line is wrong
  4  a regression: numbers drifted; a method became worse or slower; cells, metrics or
     claims are missing; rows fail; a claim that held is violated
  5  no regression, but undecided: too few repeats, or nothing could be compared`,
		Example: `  mercer compare results/reference nystrom-kpca-rates        against its reference
  mercer compare results/reference results/regress           all at once
  mercer compare old/run new/run --slower 1.05               two runs of one machine
  mercer compare old/run new/run --where 'method: nystrom, n: [500, 1000]'
  mercer compare results/reference results --json > findings.json
  mercer compare old/run new/run --format benchfmt | benchstat -col side -`,
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: completeSpecs,
		RunE:              f.run,
	}
	f.where.add(c, "rows, without verdicts and answers")
	c.Flags().StringVar(&f.root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().StringVar(&f.format, "format", "table", "form of the findings: "+strings.Join(compareFormats, ", "))
	addJSON(c, "print JSON, as --format json does")
	c.MarkFlagsMutuallyExclusive("format", "json")
	c.Flags().Float64Var(&t.Worse, "worse", t.Worse, "smallest relative worsening that is a regression")
	c.Flags().Float64Var(&t.Slower, "slower", t.Slower, "largest ratio of times allowed")
	complete(c, "format", compareFormats)
	return c
}

var compareFormats = append(slices.Clone(compare.Formats), "benchfmt")

func (f *compareFlags) run(c *cobra.Command, args []string) error {
	if forProgram(c) {
		f.format = "json"
	}
	if err := f.check(); err != nil {
		return usage(err)
	}
	pairs, findings, err := sides(c, f.root).Pairs(args[0], args[1])
	if err != nil {
		return err
	}
	err = f.where.pick(func(w configs.Conditions) (err error) {
		pairs, err = compare.Only(pairs, w)
		return err
	})
	if err != nil {
		return err
	}
	if f.format == "benchfmt" {
		return compare.WriteBenchfmt(c.OutOrStdout(), pairs)
	}
	comparison := compare.Compare(pairs, f.thresholds)
	comparison.Findings = append(comparison.Findings, findings...)
	return f.show(c, comparison)
}

// check finds mistakes of the flags alone.
func (f *compareFlags) check() error {
	if !slices.Contains(compareFormats, f.format) {
		return fmt.Errorf("--format: %s", configs.Unknown("format", f.format, "", compareFormats))
	}
	if t := f.thresholds; !(t.Worse >= 0) || !(t.Slower >= 1) {
		return fmt.Errorf("--worse %g must be at least 0, and --slower %g at least 1", t.Worse, t.Slower)
	}
	return nil
}

// show prints a comparison and chooses the exit code.
func (f *compareFlags) show(c *cobra.Command, comparison compare.Comparison) error {
	text, err := comparison.Text(f.format, colored(c.OutOrStdout()))
	if err == nil {
		err = say(c, text)
	}
	if err != nil {
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

// sides finds the runs that a command is about.
func sides(c *cobra.Command, root string) compare.Source {
	return compare.Source{Root: root,
		Judge: func(run results.Run) ([]claims.Verdict, []claims.Answer, error) { return judge(c, run) },
		Warn:  func(format string, args ...any) { fmt.Fprintf(c.ErrOrStderr(), "warning: "+format+"\n", args...) }}
}
