package cmd

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamples: every command that can be run shows how.
func TestExamples(t *testing.T) {
	seen := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.Hidden || !c.Runnable() {
			return
		}
		seen++
		if !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s --help has no example of it", c.CommandPath())
		}
	}
	walk(newRoot())
	if seen < 16 {
		t.Errorf("%d commands", seen)
	}
}

// TestExitCodesInDocs: the help of mercer run and docs/faults.md say the same of 0 and 3.
func TestExitCodesInDocs(t *testing.T) {
	docs, err := os.ReadFile("../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"0", "3"} {
		said := regexp.MustCompile(`(?m)^  ` + code + ` +(.*)$`).FindStringSubmatch(newRun().Long)
		if said == nil || !strings.Contains(string(docs), "| "+code+" | "+said[1]+" |") {
			t.Errorf("%s: help says %q, docs/faults.md does not", code, said)
		}
	}
}
