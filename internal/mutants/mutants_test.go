package main

import (
	"os"
	"path/filepath"
	"testing"

	"mercer/experiments"
)

const root = "../.."

// TestMutantsApply: what each mutant changes is there exactly once, so that the list
// follows the code, and who should notice it exists.
func TestMutantsApply(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range list {
		source, err := m.changed(root)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if before, _ := os.ReadFile(filepath.Join(root, m.file)); source == string(before) || seen[m.name] {
			t.Errorf("%s changes nothing, or its name is taken", m.name)
		}
		seen[m.name] = true
		for _, name := range m.tests {
			if tests, err := filepath.Glob(filepath.Join(root, name, "*_test.go")); err != nil || tests == nil {
				t.Errorf("%s: %s has no tests", m.name, name)
			}
		}
		for _, name := range m.smokes {
			if _, ok := experiments.Text(name); !ok {
				t.Errorf("%s: no experiment %s", m.name, name)
			}
		}
		if len(m.tests) == 0 || m.says == "" {
			t.Errorf("%s names no tests or no mistake", m.name)
		}
	}
	if len(list) < 25 {
		t.Errorf("only %d mutants", len(list))
	}
}

// TestChangedIsUnique: a text that is missing, or there twice, is an error.
func TestChangedIsUnique(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one two two"), 0o666); err != nil {
		t.Fatal(err)
	}
	for old, want := range map[string]string{"one": "new two two", "two": "", "three": ""} {
		got, err := mutant{file: "a.go", old: old, new: "new"}.changed(dir)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", old, got, err)
		}
	}
}

// TestFailures reads what go test prints.
func TestFailures(t *testing.T) {
	for out, want := range map[string]string{
		"=== RUN\n--- FAIL: TestA (0.01s)\n    --- FAIL: TestA/b (0s)\nFAIL": "TestA",
		"panic: test timed out after 1s\n":                                   "panic in ./p",
		"./p.go:1: syntax error\nFAIL ./p [build failed]\n":                  "none of x",
	} {
		if got := (found{Asked: []string{"x"}, By: failures("./p", out)}).String(); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}
