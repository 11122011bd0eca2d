package cmd

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/experiments"
)

func newShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show an experiment's spec, or describe a method, measure, theorem, data set, kernel or profile",
		Example: `  mercer show nystrom-kpca-rates > my.yaml   start a spec of your own
  mercer show nystrom                        parameters of a method`,
		Args: arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return showable(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if text, ok := experiments.Text(args[0]); ok {
				return say(c, string(text))
			}
			found := named(args[0])
			if len(found) == 0 {
				return usage(errors.New(configs.Unknown("name", args[0], "", showable())))
			}
			return say(c, itemsText(found))
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

// named are the items of all listings that have a name, with their kind before it.
func named(name string) []item {
	all := listings()
	var found []item
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		for _, i := range all[kind]() {
			if i.Name == name {
				i.Name = cmp.Or(map[string]string{"data": "data set"}[kind], strings.TrimSuffix(kind, "s")) + " " + name
				found = append(found, i)
			}
		}
	}
	return found
}
