//go:build system && unix

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mercer/results"
)

// TestRunsNameTheirCommit: a run of the program that make builds in a clean clone names the
// commit, whatever $GOFLAGS says.
func TestRunsNameTheirCommit(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"git", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("SKIPPED: no " + program)
		}
	}
	root, dir := filepath.Join(t.TempDir(), "clone"), t.TempDir()
	do := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-buildvcs=false")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", c.Args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	do("git", "clone", "--quiet", here, root)
	do("make", "-C", root, "bin/mercer")
	if err := os.WriteFile(filepath.Join(dir, "faults.yaml"), []byte(faultSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	do(filepath.Join(root, "bin", "mercer"), "run", "faults.yaml", "--out", "run", "--quiet")
	m, err := results.ReadManifest(filepath.Join(dir, "run"))
	if want := do("git", "-C", root, "rev-parse", "HEAD"); err != nil || m.Commit != want {
		t.Errorf("commit %q, %v; want %s", m.Commit, err, want)
	}
}
