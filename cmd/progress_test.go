package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mercer/results"
	"mercer/runner"
)

// TestQuiet: --quiet hides progress, and nothing that a person should know.
func TestQuiet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	runSpec(t, dir, watchedSpec)
	file := filepath.Join(dir, results.RecordsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[2] = bytes.Replace(lines[2], []byte("recon_h"), []byte("recon_x"), 1)
	if err := os.WriteFile(file, bytes.Join(lines, nil), 0o666); err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(spec, []byte(watchedSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := mercer("run", spec, "--out", dir, "-q")
	if code != exitOK || !strings.HasPrefix(stderr, "note: ") || !strings.Contains(stderr, "records.jsonl:3: checksum") || strings.Contains(stderr, "/16") {
		t.Errorf("exit %d, a note of line 3 and no progress is wanted:\n%s", code, stderr)
	}
}

// The state leaves out what is least needed first, and always fits.
func TestStateIn(t *testing.T) {
	p := runner.Progress{Done: 1234, Total: 4800, Failed: 12, WorkDone: 1, WorkTotal: 13, Elapsed: 65 * time.Second}
	for width, want := range map[int]string{
		80: "1234/4800 records, 1m5s, about 13m0s left, 12 failed",
		59: "1234/4800, 1m5s, about 13m0s left, 12 failed",
		39: "1234/4800, about 13m0s left, 12 failed",
		33: "1234/4800, 13m0s left, 12 failed",
		25: "1234/4800, 12 failed",
		15: "1234/4800",
	} {
		if got := stateIn(p, width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
	p.Done, p.Failed, p.WorkDone = 4800, 0, 13
	if got := line(p); got != "4800/4800 records, took 1m5s" {
		t.Errorf("at the end: %q", got)
	}
}
