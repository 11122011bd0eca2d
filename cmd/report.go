package cmd

import (
	"github.com/spf13/cobra"

	"mercer/results"
)

func newReport() *cobra.Command {
	c := aboutRun(&cobra.Command{
		Use:   "report RUN",
		Short: "Write a run's report again",
		Long: `Write the report of a run from its rows into its directory report/: index.html,
report.md, tables and figures, and print the answer that mercer run prints at its end. RUN is a
run directory or the name of an experiment, which means its latest run.`,
		Example: `  mercer report nystrom-kpca-rates`,
	}, func(c *cobra.Command, run results.Run) error {
		written, err := writeReport(c, run)
		if err != nil {
			return err
		}
		return written.show(c)
	})
	one := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return gone("report RUN RUN")
		}
		return one(c, args)
	}
	addJSON(c, jsonResult)
	return c
}
