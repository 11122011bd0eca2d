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
			checked := []validated{}
			for _, name := range args {
				s, err := readSpec(name)
				var notes []string
				if err == nil {
					notes, err = plan.CheckProfiles(c.Context(), s.spec, s.dir, set)
				}
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				checked = append(checked, validated{name, err == nil, append([]string{}, notes...), problemLines(err)})
				if err != nil {
					all = errors.Join(all, err)
				}
				if err != nil || forProgram(c) {
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
			if forProgram(c) {
				if err := printJSON(c.OutOrStdout(), checked); err != nil {
					return err
				}
			}
			return usage(all)
		},
	}
	setFlag(c, &set)
	addJSON(c, "print JSON: of each spec whether it is valid, with notes and problems")
	return c
}

// validated is what was found of one spec.
type validated struct {
	Spec     string   `json:"spec"`
	Valid    bool     `json:"valid"`
	Notes    []string `json:"notes"`
	Problems []string `json:"problems"`
}

// problemLines are those of an error that lists one problem a line.
func problemLines(err error) []string {
	if err == nil {
		return []string{}
	}
	return strings.Split(err.Error(), "\n")
}
