package cmd

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"mercer/report"
	"mercer/results"
	"mercer/runner/verdicts"
)

func newReport() *cobra.Command {
	var root, out string
	c := &cobra.Command{
		Use:   "report RUN...",
		Short: "Write a run's report again, or one of several runs over each other",
		Long: `Write the report of a run from its records into its directory report/: index.html,
report.md, tables and figures, and print the answer that mercer run prints at its end. RUN is a
run directory or the name of an experiment, which means its latest run.

Of several runs, write one report into --out: their plots over each other, with a line for
each run, their verdicts side by side and their means by run. The runs are named by their
folders, or by their commits where the folders have the same name.`,
		Example: `  mercer report nystrom-kpca-rates
  mercer report before/smoke after/smoke --out before-and-after`,
		Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && c.Flags().Changed("out") {
				return usage(errors.New("--out is for several runs: the report of one goes into its own directory"))
			}
			judged, err := loadAll(root, args)
			if err != nil {
				return err
			}
			if len(judged) == 1 {
				written, err := writeReport(c, judged[0].Run, judged[0].Spec)
				if err != nil {
					return err
				}
				return written.show(c)
			}
			for i := range judged {
				j := &judged[i]
				if j.Verdicts, err = judgeSpec(c, j.Run, j.Spec); err != nil {
					return fmt.Errorf("%s: %w", j.Run.Dir, err)
				}
				recordLook(c, j.Run)
			}
			files, err := report.WriteOverlay(out, judged)
			if err != nil {
				return err
			}
			if forProgram(c) {
				return printJSON(c.OutOrStdout(), map[string]string{"report": filepath.ToSlash(files.Page)})
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), "report:", filepath.ToSlash(files.Page))
			return err
		},
	}
	c.Flags().StringVar(&root, "results", resultsRoot, "directory that holds all runs")
	c.Flags().StringVarP(&out, "out", "o", "overlay", "directory of the report of several runs")
	addJSON(c, jsonResult)
	return c
}

// loadAll reads runs, by directory or by experiment name, each once, with their specs.
func loadAll(root string, args []string) ([]report.Judged, error) {
	var judged []report.Judged
	seen := map[string]bool{}
	for _, arg := range args {
		dir, err := results.Latest(root, arg)
		if err != nil {
			return nil, usage(err)
		}
		if dir = filepath.Clean(dir); seen[dir] {
			return nil, usage(fmt.Errorf("%s is given twice", filepath.ToSlash(dir)))
		}
		seen[dir] = true
		run, err := results.Load(dir)
		if err != nil {
			return nil, err
		}
		spec, err := verdicts.SpecOf(run)
		if err != nil {
			return nil, err
		}
		judged = append(judged, report.Judged{Run: run, Spec: spec})
	}
	return judged, nil
}
