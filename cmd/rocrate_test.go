//go:build system

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCrateByAnotherValidator: the Validator of the npm package ro-crate finds nothing in a
// crate, and finds what is spoiled in the metadata or the folder.
func TestCrateByAnotherValidator(t *testing.T) {
	if lookPath("node") == "" || exec.Command("node", "-e", `require("ro-crate")`).Run() != nil {
		t.Skip("SKIPPED: no node here, or none that finds the npm package ro-crate ($NODE_PATH); crates are not held to a validator that is not mercer's")
	}
	dir := newCrate(t, "")
	metadata := filepath.Join(dir, "ro-crate-metadata.json")
	text, err := os.ReadFile(metadata)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, says string }{
		{"", "", ""},
		{`"datePublished": "2`, `"datePublished": "the year 2`, "error datePublishedFormat"},
		{`"license":`, `"licence":`, "error licenseRequired"},
		{`"@id": "./"`, `"@id": "elsewhere/"`, "error validCrateDataEntityPath elsewhere/"},
		{`"@id": "records.jsonl"`, `"@id": "record.jsonl"`, "error validCrateDataEntityPath record.jsonl"},
		{`"@id": "records.jsonl"`, `"@id": "record.jsonl"`, "warning validCrateDataEntityInCrateDir records.jsonl"},
		{`"@graph"`, `"@graphs"`, "error validCrateNoGraph"},
	} {
		t.Run(c.says, func(t *testing.T) {
			if !strings.Contains(string(text), c.from) {
				t.Fatalf("no %s in\n%s", c.from, text)
			}
			if err := os.WriteFile(metadata, []byte(strings.ReplaceAll(string(text), c.from, c.to)), 0o600); err != nil {
				t.Fatal(err)
			}
			said, err := exec.Command("node", "testdata/rocrate.js", dir).CombinedOutput()
			if err != nil || (c.says == "") != (len(said) == 0) || !strings.Contains(string(said), c.says) {
				t.Errorf("%v\n%s\nwant %q", err, said, c.says)
			}
		})
	}
}
