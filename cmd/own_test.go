package cmd

import (
	"bytes"
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
	for _, heading := range []string{"Kernels of your own", "Landmarks of your own"} {
		t.Run(heading, func(t *testing.T) {
			dir, spec := ownExample(t, heading)
			path := os.Getenv("PATH")
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

// ownKinds are specs with a program P in each place but that of a method, and how it fails by its
// answers.
var ownKinds = map[string]struct{ spec, shape, shapeSays, nan string }{
	"kernel": {
		`kernels: [{id: mine, use: exec, P}]`,
		`{"kernel":[[1,2,3]]}`, "kernel of 20×20 points: kernel: an array of 1×3: want 20×20", `{"kernel":[[1,null]]}`,
	},
	"landmarks": {
		`kernels: [{id: rbf, use: gaussian, sigma: 1, form: two-sigma-squared}]
methods: [{id: nystrom, use: nystrom, landmarks: {exec: {P}}}]`,
		`{"indices":[[1,2]]}`, "landmarks by exec: indices: must be the name of a .npy file, or a list of numbers", `{"indices":[1,null]}`,
	},
}

// TestOwnFaults: whatever a program does in whatever place, its rows fail with the reason, the run
// goes on, and nothing stays behind.
func TestOwnFaults(t *testing.T) {
	for kind, own := range ownKinds {
		for name, fault := range map[string]struct{ does, status, says string }{
			"exits":         {"exit 3", "failed", "exit status 3"},
			"is killed":     {"kill -9 $$", "failed", "signal: killed"},
			"prints":        {"echo garbage", "failed", "`garbage` is no JSON object"},
			"another shape": {"echo '" + own.shape + "'", "failed", own.shapeSays},
			"NaN":           {"echo '" + own.nan + "'", "failed", "null is no finite number"},
			"hangs":         {"sleep 600", "timeout", "no answer within timeout: 1s"},
			"says why":      {`echo '{"error":"no luck"}'`, "failed", "the program reports: no luck"},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				dir := t.TempDir()
				tmp := filepath.Join(dir, "tmp")
				program := filepath.Join(dir, "p.sh")
				spec := `
name: faults
seed: 1
repeats: 2
datasets: [{id: moons, use: crescent-full-moon}]
grid: {n: [20], m: [5], ell: [1]}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [eigenvalues]
`
				for _, line := range strings.Split(own.spec, "\n") { // in place of the key's own
					key, _, _ := strings.Cut(line, ":")
					spec = regexp.MustCompile("(?m)^"+key+":.*\n").ReplaceAllString(spec, "") + line + "\n"
				}
				spec = strings.ReplaceAll(spec, "P}", `command: [sh, "{dir}/p.sh"], timeout: 1s}`)
				for path, text := range map[string]string{program: "while echo '{\"ready\":2}'; read -r request; do " + fault.does + "; done\n", filepath.Join(dir, "faults.yaml"): spec} {
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Mkdir(tmp, 0o700); err != nil {
					t.Fatal(err)
				}
				t.Setenv("TMPDIR", tmp)
				var out, complaints bytes.Buffer
				if code := Main([]string{"run", filepath.Join(dir, "faults.yaml"), "--quiet", "--out", filepath.Join(dir, "out")}, nil, &out, &complaints); code != 1 {
					t.Fatalf("exit code %d: %s%s", code, out.String(), complaints.String())
				}
				rows := succeeds(t, "export", filepath.Join(dir, "out"), "--format", "jsonl")
				for row := range strings.Lines(rows) {
					if !strings.Contains(row, `"status":"`+fault.status+`"`) || !strings.Contains(row, fault.says) {
						t.Errorf("want %s with %q: %s", fault.status, fault.says, row)
					}
				}
				if strings.Count(rows, "\n") != 2 {
					t.Errorf("%d rows, want 2", strings.Count(rows, "\n"))
				}
				if left, _ := filepath.Glob(filepath.Join(tmp, "mercer-exec-*")); left != nil {
					t.Errorf("left: %q", left)
				}
			})
		}
	}
}
