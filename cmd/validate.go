package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mercer/configs"
)

func newValidate() *cobra.Command {
	return &cobra.Command{
		Use:   "validate SPEC...",
		Short: "Check specs without running or fetching anything",
		Long: `Check specs: names, parameters, expressions, claims, and each of their profiles.
All mistakes of a file are shown at once, as file:line:column: what is wrong. No
data is read; what depends on it shows in mercer plan.`,
		Example:           "  mercer validate my.yaml other.yaml",
		Args:              arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			var all error
			for _, name := range args {
				if err := validate(name); err != nil {
					all = errors.Join(all, err)
					continue
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: valid\n", name)
			}
			return usage(all)
		},
	}
}

func validate(name string) error {
	s, err := readSpec(name)
	if err != nil {
		return err
	}
	var problems configs.Problems
	for _, profile := range configs.ProfileNames() {
		_, err := s.resolve(profile)
		problems.Add(err)
	}
	return problems.Err()
}
