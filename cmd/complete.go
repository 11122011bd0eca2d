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
	complete(c, "profile", configs.ProfileNames())
}

// complete completes the values of a flag.
func complete(c *cobra.Command, flag string, values []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}
