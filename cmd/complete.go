package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/experiments"
)

// completeSpecs completes the names of experiments and YAML files.
func completeSpecs(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range experiments.Names() {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// profileFlag adds --profile with its completion.
func profileFlag(c *cobra.Command, profile *string) {
	c.Flags().StringVarP(profile, "profile", "p", configs.DefaultProfile, "run profile: "+strings.Join(configs.ProfileNames(), ", "))
	if err := c.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(configs.ProfileNames(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}
