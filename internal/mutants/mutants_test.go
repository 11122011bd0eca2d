package mutants

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mercer/experiments"
)

const root = "../.."

// head is that of a patch: the mistake, the packages whose tests should notice it, and
// smoke profiles.
var head = regexp.MustCompile(`^says: \S.*\ntests: (\./\S.*)\n(?:smokes: (.*)\n)?--- a/`)

// TestMutantsApply: every patch applies, so that the patches follow the code, and who
// should notice it exists.
func TestMutantsApply(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: no git here, by which patches are applied")
	}
	patches, err := filepath.Glob("*.patch")
	if err != nil || len(patches) < 25 {
		t.Fatalf("only %d mutants, %v", len(patches), err)
	}
	for _, patch := range patches {
		text, err := os.ReadFile(patch)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("git", "apply", "--check", filepath.Join("internal/mutants", patch))
		c.Dir = root
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s does not apply; change its text with the code: %s", patch, out)
		}
		named := head.FindStringSubmatch(string(text))
		if named == nil || strings.Count(string(text), "\n+++ ") != 1 {
			t.Errorf("%s: its head must be says:, tests: and perhaps smokes:, and it changes one file", patch)
			continue
		}
		for _, name := range strings.Fields(named[1]) {
			if tests, err := filepath.Glob(filepath.Join(root, name, "*_test.go")); err != nil || tests == nil {
				t.Errorf("%s: %s has no tests", patch, name)
			}
		}
		for _, name := range strings.Fields(named[2]) {
			if _, ok := experiments.Text(name); !ok {
				t.Errorf("%s: no experiment %s", patch, name)
			}
		}
	}
}
