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
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			_, names, _ := named("")
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if text, ok := experiments.Text(args[0]); ok {
				return say(c, string(text))
			}
			found, names, err := named(args[0])
			if err == nil && len(found) == 0 {
				err = usage(errors.New(configs.Unknown("name", args[0], "", names)))
			}
			if err != nil {
				return err
			}
			return say(c, itemsText(found))
		},
	}
}

// named are the items of a name in all listings, with their kind before it, and all names.
func named(name string) (found []item, names []string, err error) {
	for _, kind := range slices.Sorted(maps.Keys(listings)) {
		list, err := listings[kind]()
		if err != nil {
			return nil, nil, err
		}
		for _, i := range list {
			names = append(names, i.Name)
			if i.Name == name {
				i.Name = cmp.Or(map[string]string{"data": "data set"}[kind], strings.TrimSuffix(kind, "s")) + " " + name
				found = append(found, i)
			}
		}
	}
	return found, names, nil
}
