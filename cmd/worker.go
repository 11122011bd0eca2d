package cmd

import (
	"fmt"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"mercer/runner"
)

// answersFile is the number of the file that a worker process answers on; its
// standard output is left to whatever prints there.
const answersFile = 3

// newWorker is what mercer run starts for cells that it isolates.
func newWorker() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Compute cells for another mercer, which starts this command",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			syscall.CloseOnExec(answersFile) // programs that methods start are not to hold it open
			answers := os.NewFile(answersFile, "answers")
			if _, err := answers.Stat(); err != nil {
				return usage(fmt.Errorf("worker: only mercer run starts this command: %w", err))
			}
			return runner.Serve(c.InOrStdin(), answers, c.ErrOrStderr())
		},
	}
}
