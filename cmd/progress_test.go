package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/configs"
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

// A look names what is open: verdicts, and how far the search for targets has come.
func TestProgressOfLooks(t *testing.T) {
	fails, holds := 27.0, 54.0
	where := results.NewKey([]string{"dataset", "kernel"}, []results.Value{configs.TextOf("power4"), configs.TextOf("mercer")})
	open := claims.Answer{Target: "uniform", Group: where, Over: "n", At: 915, Find: "m", Least: 4, Most: 128, Open: true,
		Fails: &fails, Holds: &holds}
	begun := open
	begun.At, begun.Fails, begun.Holds = 100, nil, nil
	edge := claims.Verdict{Claim: "edge", Group: where, Outcome: claims.Inconclusive, Settle: "more repeats"}
	for _, tt := range []struct {
		look adaptive.Look
		want string
	}{
		{adaptive.Look{Repeats: 8, Verdicts: []claims.Verdict{{Outcome: claims.Holds}, edge}}, "8 repeats: 0 of 2 verdicts open\n"},
		{adaptive.Look{Answers: []claims.Answer{open, {}, begun}}, "targets: 2 of 3 open:\n  uniform (power4, mercer, n=915): 27 < m <= 54, so far\n  uniform (power4, mercer, n=100): not decided between 4 and 128, so far\n"},
		{adaptive.Look{Answers: []claims.Answer{open, open, open, open, {}}}, "\n  and 1 more\n"},
		{adaptive.Look{Answers: []claims.Answer{{}}}, "targets: 0 of 1 open\n"},
		{adaptive.Look{}, ""},
	} {
		var b, hidden bytes.Buffer
		newProgress(&b, false).look(tt.look)
		newProgress(&hidden, true).look(tt.look)
		if !strings.HasSuffix(b.String(), tt.want) || tt.want == "" && b.Len() > 0 || hidden.Len() > 0 {
			t.Errorf("%q, want %q; quiet: %q", b.String(), tt.want, hidden.String())
		}
	}
}
