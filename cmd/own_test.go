package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ownExample is a folder with the program and the spec of a section of docs/exec.md beside
// mercer.py.
func ownExample(t *testing.T, heading string) (dir, spec string) {
	t.Helper()
	pythonWithNumpy(t)
	text, err := os.ReadFile("../docs/exec.md")
	if err != nil {
		t.Fatal(err)
	}
	section := found(t, "(?s)\n## "+heading+"\n(.*?)\n## ", string(text))
	dir = t.TempDir()
	for name, content := range map[string]string{
		"mercer.py": succeeds(t, "init", "--exec", "py"),
		"mine.py":   found(t, "(?s)```python\n(.*?)```", section),
		"spec.yaml": found(t, "(?s)```yaml\n(.*?)```", section),
	} {
		if strings.Count(content, "\n") > 25 && name != "mercer.py" {
			t.Errorf("%s has more than 25 lines", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, "spec.yaml")
}

// TestOwnExamples runs the example of each section of docs/exec.md about what a program does
// beside a method: it validates without its program being run, its claims hold, its numbers are
// the same with one worker, with two and in processes of their own, and nothing is computed again.
func TestOwnExamples(t *testing.T) {
	for _, heading := range []string{"Landmarks of your own"} {
		t.Run(heading, func(t *testing.T) {
			dir, spec := ownExample(t, heading)
			path := os.Getenv("PATH")
			t.Setenv("PATH", "")
			if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "bin", "python3"), []byte("#!/bin/sh\n> "+dir+"/ran\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", filepath.Join(dir, "bin")+string(filepath.ListSeparator)+path)
			succeeds(t, "validate", spec)
			succeeds(t, "plan", spec)
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("validate or plan has run the program")
			}

			t.Setenv("PATH", path)
			var exported []string
			for i, args := range [][]string{{"--workers", "1"}, {"--workers", "2"}, {"--isolate", "process"}} {
				out := filepath.Join(dir, "out"+string(rune('0'+i)))
				run := append([]string{"run", spec, "--quiet", "--strict", "--out", out}, args...)
				succeeds(t, run...)
				exported = append(exported, succeeds(t, "export", out, "--no-times"))
				if exported[i] != exported[0] {
					t.Errorf("by %q:\n%s\nby one worker:\n%s", args, exported[i], exported[0])
				}
				before, err := os.ReadFile(filepath.Join(out, "records.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				succeeds(t, run...)
				after, err := os.ReadFile(filepath.Join(out, "records.jsonl"))
				if err != nil || string(after) != string(before) {
					t.Errorf("records are not what they were, %v", err)
				}
			}
			if failed := regexp.MustCompile(",(failed|timeout|skipped),").FindString(exported[0]); failed != "" {
				t.Errorf("rows are %s:\n%s", failed, exported[0])
			}
		})
	}
}
