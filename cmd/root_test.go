package cmd

import (
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
	walk(newRoot(new(bool)))
	if seen < 20 {
		t.Errorf("%d commands", seen)
	}
}
