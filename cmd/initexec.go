package cmd

import (
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/methods/exec"
)

func helperLanguages() []string { return slices.Sorted(maps.Keys(exec.Helpers)) }

// isFile says whether what --exec is given is a program and no language.
func isFile(language string) bool {
	info, err := os.Stat(language)
	return exec.Helpers[language] == "" && err == nil && !info.IsDir()
}

// printHelper prints the helper of a language of [exec.Helpers].
func printHelper(c *cobra.Command, language string) error {
	text, ok := exec.Helpers[language]
	if !ok {
		return usage(errors.New("--exec: " + configs.Unknown("language", language, "", helperLanguages())))
	}
	return say(c, text)
}
