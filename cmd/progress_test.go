package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/results"
	"mercer/runner/adaptive"
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

func TestProgressOfLooks(t *testing.T) {
	edge := claims.Verdict{Claim: "edge", Outcome: claims.Inconclusive, Settle: "more repeats"}
	for _, tt := range []struct {
		look adaptive.Look
		want string
	}{
		{adaptive.Look{Repeats: 8, Verdicts: []claims.Verdict{{Outcome: claims.Holds}, edge}}, "8 repeats: 0 of 2 verdicts open\n"},
		{adaptive.Look{Answers: []claims.Answer{{Open: true}, {}, {Open: true}}}, "targets: 2 of 3 open\n"},
		{adaptive.Look{}, ""},
	} {
		var b, hidden bytes.Buffer
		(&progress{w: &b}).look(tt.look)
		(&progress{w: &hidden, quiet: true}).look(tt.look)
		if b.String() != tt.want || hidden.Len() > 0 {
			t.Errorf("%q, want %q; quiet: %q", b.String(), tt.want, hidden.String())
		}
	}
}
