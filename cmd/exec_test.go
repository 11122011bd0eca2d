package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestExecExample runs the complete example of docs/exec.md.
func TestExecExample(t *testing.T) {
	text, err := os.ReadFile("../docs/exec.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "## A complete example")
	dir := t.TempDir()
	for language, name := range map[string]string{"python": "nearest.py", "yaml": "nearest.yaml"} {
		block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(example)
		if block == nil {
			t.Fatalf("no %s in the example", language)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(block[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	spec := filepath.Join(dir, "nearest.yaml")
	python := ""
	for _, candidate := range []string{"/usr/bin", filepath.Dir(lookPath("python3"))} {
		if exec.Command(filepath.Join(candidate, "python3"), "-c", "import numpy").Run() == nil {
			python = candidate
		}
	}
	if python == "" {
		t.Skip("SKIPPED: no python3 with numpy here, the example is not run")
	}
	t.Setenv("PATH", python+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var out, complaints bytes.Buffer
	if code := Main([]string{"validate", spec}, nil, &out, &complaints); code != 0 {
		t.Fatalf("exit code %d: %s", code, complaints.String())
	}
	out.Reset()
	if code := Main([]string{"run", spec, "--quiet", "--out", filepath.Join(dir, "out")}, nil, &out, &complaints); code != 0 {
		t.Fatalf("exit code %d: %s", code, complaints.String())
	}
	if strings.Count(out.String(), "holds") != 2 {
		t.Errorf("verdicts:\n%s", out.String())
	}
}

func lookPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
