package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mercer/runner/plan"
)

func newValidate() *cobra.Command {
	var set []string
	c := &cobra.Command{
		Use:   "validate SPEC...",
		Short: "Check specs without running or fetching anything",
		Long: `Check specs: names, parameters, expressions, claims, and all profiles. All mistakes are
shown at once, with file, line and column, and then those at points of the grid. No data file is read: notes name
missing files, and mercer plan shows mistakes that depend on the data. Notes also name
measures that do not apply to a method.`,
		Example:           "  mercer validate my.yaml other.yaml",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			var all error
			for _, name := range args {
				s, err := readSpec(name, c.InOrStdin())
				var notes []string
				if err == nil {
					notes, err = plan.CheckProfiles(c.Context(), s.spec, s.dir, set)
				}
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				if err != nil {
					all = errors.Join(all, err)
					continue
				}
				for _, note := range notes {
					if !strings.HasPrefix(note, s.file) { // a note on a place has it
						note = name + ": note: " + note
					} else {
						note = "note: " + note
					}
					fmt.Fprintln(c.ErrOrStderr(), note)
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: valid\n", name)
			}
			return usage(all)
		},
	}
	setFlag(c, &set)
	return c
}
