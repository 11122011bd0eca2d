package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"mercer/internal/claims"
	"mercer/results"
)

func newCheck() *cobra.Command {
	var strict bool
	c := aboutRun(&cobra.Command{
		Use:   "check RUN",
		Short: "Judge a run's claims again; the verdicts set the exit code",
		Long: `Judge the claims of a run from its rows. RUN is a run directory or the name of an
experiment, which means its latest run. The exit codes are those of mercer run.

No data are read: what theorems ask of the populations is stored with the run.`,
		Example: `  mercer check nystrom-kpca-rates
  mercer check nystrom-kpca-rates --json | jq '.[] | .outcome'`,
	}, func(c *cobra.Command, run results.Run) error {
		judged, answers, err := judge(c, run)
		if err != nil {
			return err
		}
		recordLook(c, run)
		if forProgram(c) {
			err = printJSON(c.OutOrStdout(), append([]claims.Verdict{}, judged...))
		} else {
			err = checked(c, reported{run: run, verdicts: judged, answers: answers})
		}
		if err != nil {
			return err
		}
		return outcome(run, judged, strict)
	})
	addJSON(c, "print the verdicts as JSON")
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
