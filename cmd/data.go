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
		Short: "List and fetch published data sets",
		Long: `Published data sets are fetched when a run first needs them, verified by SHA-256 and
kept in the user's cache directory, or in $MERCER_CACHE. Your own copies in
$MERCER_DATA/<name>/ come first.`,
		Example: `  mercer data list
  mercer data get mnist`,
		Args: func(c *cobra.Command, args []string) error {
			if err := gone("data " + append(args, "")[0]); err != nil {
				return err
			}
			return cobra.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDataList(), newDataGet())
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

func newDataGet() *cobra.Command {
	known := lists.Map(fetch.List(), func(i fetch.Info) string { return i.Name })
	return &cobra.Command{
		Use:               "get NAME...",
		Short:             "Fetch data sets and verify them, and print where their files are",
		Example:           "  mercer data get mnist avila",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range args { // before any is fetched
				if !slices.Contains(known, name) {
					return usage(errors.New(configs.Unknown("data set", name, "", known)))
				}
			}
			for _, name := range args {
				paths, err := fetch.Get(c.Context(), name, c.ErrOrStderr())
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
