package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/experiments"
)

func newShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show an experiment's spec, or describe a method, measure, data set or kernel",
		Example: `  mercer show nystrom-kpca-rates > my.yaml   start a spec of your own
  mercer show nystrom                        parameters of a method`,
		Args: arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return showable(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if text, ok := experiments.Text(args[0]); ok {
				_, err := c.OutOrStdout().Write(text)
				return err
			}
			pages := describe(args[0])
			if len(pages) == 0 {
				return usage(errors.New(configs.Unknown("name", args[0], "", showable())))
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), strings.Join(pages, "\n\n"))
			return err
		},
	}
}

func showable() []string {
	names := experiments.Names()
	for _, list := range listings() {
		for _, i := range list() {
			names = append(names, i.Name)
		}
	}
	return names
}
