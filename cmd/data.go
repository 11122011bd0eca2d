package cmd

import (
	"errors"
	"fmt"
	"io"
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
  mercer data path mnist
  mercer data images infinite-mnist --out digits.png`,
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDataList(), newDataGet(), newDataPath(), newDataImages())
	return c
}

func newDataList() *cobra.Command {
	c := &cobra.Command{
		Use:   "list",
		Short: "List the published data sets and their places",
		Example: `  mercer data list
  mercer data list --json | jq '.[].name'`,
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			list := fetch.List(fetch.Options{})
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
	return &cobra.Command{
		Use:               "get NAME...",
		Short:             "Fetch data sets and verify them",
		Example:           "  mercer data get mnist avila",
		Args:              arguments(cobra.MinimumNArgs(1)),
		ValidArgsFunction: completeData,
		RunE: func(c *cobra.Command, args []string) error {
			if err := knownData(args); err != nil {
				return err
			}
			for _, name := range args {
				paths, err := fetch.Get(c.Context(), name, fetch.Options{Log: c.ErrOrStderr()})
				if err != nil {
					return err
				}
				printPaths(c.OutOrStdout(), paths)
			}
			return nil
		},
	}
}

func newDataPath() *cobra.Command {
	return &cobra.Command{
		Use:               "path NAME",
		Short:             "Print where a data set's files are, without fetching",
		Example:           "  mercer data path mnist",
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeData,
		RunE: func(c *cobra.Command, args []string) error {
			if err := knownData(args); err != nil {
				return err
			}
			paths, err := fetch.Path(args[0], fetch.Options{})
			if err != nil {
				return err
			}
			printPaths(c.OutOrStdout(), paths)
			return nil
		},
	}
}

// printPaths prints the paths of files in the order of their names.
func printPaths(w io.Writer, paths map[string]string) {
	for _, file := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintln(w, paths[file])
	}
}

func dataNames() []string {
	return lists.Map(fetch.List(fetch.Options{}), func(i fetch.Info) string { return i.Name })
}

// knownData refuses names that are not in the catalogue, before any is fetched.
func knownData(names []string) error {
	for _, name := range names {
		if known := dataNames(); !slices.Contains(known, name) {
			return usage(errors.New(configs.Unknown("data set", name, "", known)))
		}
	}
	return nil
}

func completeData(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return dataNames(), cobra.ShellCompDirectiveNoFileComp
}
