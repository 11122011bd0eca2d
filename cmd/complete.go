package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/experiments"
	"mercer/internal/lists"
)

// completeSpecs completes the names of experiments and YAML files.
func completeSpecs(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	return lists.Where(experiments.Names(), func(name string) bool { return strings.HasPrefix(name, prefix) }), cobra.ShellCompDirectiveDefault
}

// profileFlag adds --profile with its completion.
func profileFlag(c *cobra.Command, profile *string) {
	c.Flags().StringVarP(profile, "profile", "p", configs.DefaultProfile, "run profile: "+strings.Join(configs.ProfileNames(), ", "))
	if err := c.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(configs.ProfileNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}
