package cmd

import (
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/methods/exec"
)

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
