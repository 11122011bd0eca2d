package cmd

import (
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/methods/exec"
)

func newInit() *cobra.Command {
	var language string
	c := &cobra.Command{
		Use:   "init --exec LANGUAGE",
		Short: "Print the file that turns a function in Python or R into a method",
		Example: `  mercer init --exec py > mercer.py   beside your script; docs/exec.md has an example
  mercer init --exec R > mercer.R`,
		Args: arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return printHelper(c, language) },
	}
	c.Flags().StringVar(&language, "exec", "", "language of the function: py or R")
	if err := c.RegisterFlagCompletionFunc("exec", cobra.FixedCompletions(helperLanguages(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
	return c
}

func helperLanguages() []string { return slices.Sorted(maps.Keys(exec.Helpers)) }

// printHelper prints the helper of a language of [exec.Helpers].
func printHelper(c *cobra.Command, language string) error {
	text, ok := exec.Helpers[language]
	if !ok {
		return usage(errors.New("--exec: " + configs.Unknown("language", language, "", helperLanguages())))
	}
	_, err := c.OutOrStdout().Write([]byte(text))
	return err
}
