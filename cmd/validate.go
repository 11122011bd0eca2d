package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/runner/plan"
)

func newValidate() *cobra.Command {
	return &cobra.Command{
		Use:   "validate SPEC...",
		Short: "Check specs without running or fetching anything",
		Long: `Check specs: names, parameters, expressions, claims, and all profiles. All mistakes of
a file are shown at once, with file, line and column. No data file is read: notes name
missing files, and mercer plan shows mistakes that depend on the data. Notes also name
measures that do not apply to a method.`,
		Example:           "  mercer validate my.yaml other.yaml",
		Args:              arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			var all error
			for _, name := range args {
				notes, err := validate(c.Context(), name)
				if c.Context().Err() != nil {
					return c.Context().Err()
				}
				if err != nil {
					all = errors.Join(all, err)
					continue
				}
				for _, note := range notes {
					fmt.Fprintf(c.ErrOrStderr(), "%s: note: %s\n", name, note)
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: valid\n", name)
			}
			return usage(all)
		},
	}
}

// validate checks a spec under each profile. The notes are those of the default
// profile.
func validate(ctx context.Context, name string) (notes []string, err error) {
	s, err := readSpec(name)
	if err != nil {
		return nil, err
	}
	var problems configs.Problems
	for _, profile := range configs.ProfileNames() {
		own := slices.ContainsFunc(s.spec.Profiles, func(o configs.Overlay) bool { return o.Profile == profile })
		if !own && profile != configs.DefaultProfile {
			continue // it has fewer repeats, and else is the default
		}
		spec, err := s.spec.WithProfile(profile)
		if err != nil {
			return nil, usage(err)
		}
		said, err := plan.Check(ctx, spec, s.dir)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		problems.Add(err)
		if profile == configs.DefaultProfile {
			notes = said
		}
	}
	return notes, problems.Err()
}
