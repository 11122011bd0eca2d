package cmd

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/data/fetch"
	"mercer/internal/lists"
)

func newData() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "List, fetch and find published data sets",
		Long: `Published data sets are fetched when a run first needs them, verified by SHA-256 and
kept in the user's cache directory, or in $MERCER_CACHE. Your own copies in
$MERCER_DATA/<name>/ come first.`,
		Example: `  mercer data list
  mercer data get mnist
  mercer data path mnist`,
		Args: func(c *cobra.Command, args []string) error {
			if err := gone("data " + append(args, "")[0]); err != nil {
				return err
			}
			return cobra.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDataList(),
		newDataFiles("get NAME...", "Fetch data sets and verify them", "  mercer data get mnist avila", cobra.MinimumNArgs(1), func(c *cobra.Command, name string) (map[string]string, error) {
			return fetch.Get(c.Context(), name, c.ErrOrStderr())
		}),
		newDataFiles("path NAME", "Print where a data set's files are, without fetching", "  mercer data path mnist", cobra.ExactArgs(1), func(_ *cobra.Command, name string) (map[string]string, error) {
			return fetch.Path(name)
		}))
	return c
}

func newDataList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the published data sets and their places",
		Example: `  mercer data list
  mercer data list --json | jq '.[].name'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list := fetch.List()
			return answer(c, list, func() (text string) {
				for _, i := range list {
					state := "not fetched; sources"
					if i.Cached {
						state = "in"
					}
					text += fmt.Sprintf("%-14s %s: %d points in R^%d, %d classes\n%-14s %s %s\n", i.Name, i.Describe, i.N, i.D, i.Classes, "", state, i.Source)
				}
				return text
			})
		},
	}
	addJSON(c, "print JSON")
	return c
}

// newDataFiles is a command that prints the paths of the files of data sets, in the order of
// their names.
func newDataFiles(use, short, example string, count cobra.PositionalArgs, files func(c *cobra.Command, name string) (map[string]string, error)) *cobra.Command {
	known := lists.Map(fetch.List(), func(i fetch.Info) string { return i.Name })
	return &cobra.Command{
		Use:               use,
		Short:             short,
		Example:           example,
		Args:              count,
		ValidArgsFunction: cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args { // before any is fetched
				if !slices.Contains(known, name) {
					return usage(errors.New(configs.Unknown("data set", name, "", known)))
				}
			}
			for _, name := range args {
				paths, err := files(c, name)
				if err != nil {
					return err
				}
				for _, file := range slices.Sorted(maps.Keys(paths)) {
					fmt.Fprintln(c.OutOrStdout(), paths[file])
				}
			}
			return nil
		},
	}
}
