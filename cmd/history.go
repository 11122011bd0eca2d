package cmd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"github.com/spf13/cobra"

	"mercer/internal/compare"
	"mercer/report"
)

// leastLevel bounds the cost of a history: it grows as 1 / level.
const leastLevel = 1e-4

// What a history takes for a change where nothing else is asked for.
const (
	historyLevel = 0.01
	historyDrift = 1e-9
)

func historyOptions(level, drift float64) compare.HistoryOptions {
	return compare.HistoryOptions{Level: level, Drift: drift, Elsewhere: math.Max(drift, 1e-6), Metrics: compare.MetricOf}
}

func newHistory() *cobra.Command {
	var out string
	var level, drift float64
	c := &cobra.Command{
		Use:   "history DIR",
		Short: "Show metrics over all runs below a directory, and where they changed",
		Long: `Show metrics over all runs below a directory, in order of their start, and where they
changed. Metrics are pooled over the records that are ok in all runs of an experiment:
one series for each data set, kernel, method and metric, and for times one for each
machine.

If all runs have the same seed, numbers must be the same: a step beyond --drift is a
change of code, data or versions. Between machines or BLAS libraries a millionth is
allowed. For times and for different seeds, changes of level are found by E-divisive
with a permutation test. If nothing changed and neighbouring runs are independent, the
probability of finding any change is at most --level.

The page, its figures and the table of all values go to DIR/history. Incomplete and
filtered runs are left out.`,
		Example: `  mercer history nightly
  mercer history nightly --out /tmp/trend --level 0.001`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if !(level >= leastLevel && level < 1) {
				return usage(fmt.Errorf("--level %g: must be at least %g and below 1; the test uses 10 / level orders of the runs for each series and change", level, leastLevel))
			}
			if !(drift >= 0) {
				return usage(fmt.Errorf("--drift %g: must not be negative", drift))
			}
			runs, err := sides(c, "", "").CompleteRuns(args[0])
			if err != nil {
				return err
			}
			series := compare.History(runs, historyOptions(level, drift), rand.New(rand.NewPCG(1, 2)))
			if forProgram(c) {
				return printJSON(c.OutOrStdout(), series)
			}
			if out == "" {
				out = filepath.Join(args[0], "history")
			}
			files, err := report.WriteHistory(out, runs, series, level)
			if err != nil {
				return err
			}
			for _, s := range series {
				for _, step := range s.Steps {
					r := runs[s.Runs[step.At]].Manifest
					fmt.Fprintf(c.OutOrStdout(), "%s: %s of %s on %s: %+.3g %% since the run of %s, commit %s\n",
						s.Experiment, s.Metric, s.Method, s.Dataset, 100*step.Change(), r.Started, r.Commit)
				}
			}
			if len(series) == 0 {
				fmt.Fprintln(c.OutOrStdout(), report.NothingCompared)
			}
			fmt.Fprintf(c.OutOrStdout(), "history: %s\n", filepath.ToSlash(files.Page))
			return nil
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "directory of the page (default: DIR/history)")
	c.Flags().Float64Var(&level, "level", historyLevel, fmt.Sprintf("largest probability of any false alarm, at least %g", leastLevel))
	c.Flags().Float64Var(&drift, "drift", historyDrift, "relative difference beyond which a number with the same seed has changed")
	addJSON(c, "print the series as JSON and write nothing")
	return c
}
