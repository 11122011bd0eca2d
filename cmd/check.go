package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/internal/claims"
	"mercer/report"
	"mercer/report/views"
	"mercer/results"
)

func newCheck() *cobra.Command {
	var rates, strict bool
	c := aboutRun(&cobra.Command{
		Use:   "check RUN",
		Short: "Judge a run's claims again; the verdicts set the exit code",
		Long: `Judge the claims of a run from its rows. RUN is a run directory or the name of an
experiment, which means its latest run. The exit codes are those of mercer run.

No data are read: what theorems ask of the populations is stored with the run.`,
		Example: `  mercer check nystrom-kpca-rates
  mercer check nystrom-kpca-rates --rates
  mercer check nystrom-kpca-rates --json | jq '.[] | .outcome'`,
	}, func(c *cobra.Command, run results.Run) error {
		judged, answers, err := judge(c, run)
		if err != nil {
			return err
		}
		recordLook(c, run)
		switch {
		case forProgram(c):
			err = printJSON(c.OutOrStdout(), append([]claims.Verdict{}, judged...))
		case rates:
			err = say(c, report.Rates(views.New(run, judged, nil), tableOptions(c.OutOrStdout())))
		default:
			err = checked(c, reported{run: run, verdicts: judged, answers: answers})
		}
		if err != nil {
			return err
		}
		return outcome(run, judged, strict)
	})
	addJSON(c, "print the verdicts as JSON")
	c.Flags().BoolVar(&rates, "rates", false, "print a table of the slopes alone: interval, claim and sizes")
	c.MarkFlagsMutuallyExclusive("json", "rates")
	c.Flags().BoolVar(&strict, "strict", false, "exit with 5 if a claim is inconclusive")
	return c
}

// checked prints verdicts, and the answers to the targets of the run.
func checked(c *cobra.Command, r reported) error {
	for _, warning := range r.run.Warnings {
		fmt.Fprintln(c.ErrOrStderr(), "warning:", warning)
	}
	return say(c, r.text(tableOptions(c.OutOrStdout())))
}
