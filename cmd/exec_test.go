package cmd

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// pythonWithNumpy puts a python3 that has numpy first in $PATH.
func pythonWithNumpy(t *testing.T) {
	t.Helper()
	for _, candidate := range []string{filepath.Dir(lookPath("python3")), "/usr/bin"} {
		if exec.Command(filepath.Join(candidate, "python3"), "-c", "import numpy").Run() == nil {
			t.Setenv("PATH", candidate+string(filepath.ListSeparator)+os.Getenv("PATH"))
			return
		}
	}
	t.Skip("SKIPPED: no python3 with numpy here, the example is not run")
}

// language is one of those that docs/exec.md has an example for.
type language struct {
	name, code, file, helper string
	need                     func(t *testing.T)
	landmarks, first         string // random landmarks, and the first
}

var languages = []language{
	{"Python", "python", "mine.py", "mercer.py", pythonWithNumpy, "p.rng.choice(p.n, p.m, replace=False)", "np.arange(p.m)"},
	{"R", "r", "mine.R", "mercer.R", needR, "sample(p$n, p$m)", "1:p$m"},
}

func needR(t *testing.T) {
	t.Helper()
	if lookPath("Rscript") == "" {
		t.Skip("SKIPPED: no Rscript here, the example is not run")
	}
}

// example is a directory with the example of docs/exec.md in a language, beside
// Nyström in a spec, and the helper of the language. Some texts are replaced.
func (l language) example(t *testing.T, replace ...string) (spec string) {
	t.Helper()
	l.need(t)
	text, err := os.ReadFile("../docs/exec.md")
	if err != nil {
		t.Fatal(err)
	}
	helper := succeeds(t, "init", "--exec", strings.TrimPrefix(filepath.Ext(l.helper), "."))
	_, section, _ := strings.Cut(string(text), "\n## In "+l.name+"\n")
	program := found(t, "(?s)```"+l.code+"\n(.*?)```", section)
	if lines := strings.Count(strings.ReplaceAll(program, "\n\n", "\n"), "\n"); lines > 12 {
		t.Errorf("the example has %d lines, want 12 at most", lines)
	}
	command := found(t, `(command: \[.*?\])`, section)
	written := regexp.MustCompile(`command: \[.*?\]`).ReplaceAllString(found(t, "(?s)```yaml\n(.*?)```", string(text)), command)
	dir, replacer := t.TempDir(), strings.NewReplacer(replace...)
	for name, content := range map[string]string{l.helper: helper, l.file: replacer.Replace(program), "beside.yaml": replacer.Replace(written)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "beside.yaml")
}

func found(t *testing.T, pattern, text string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("no %s in docs/exec.md", pattern)
	}
	return match[1]
}

// succeeds runs mercer in this process and returns what it prints.
func succeeds(t *testing.T, arguments ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	if code := Main(arguments, nil, &out, &complaints); code != 0 {
		t.Fatalf("%q: exit code %d: %s%s", arguments, code, out.String(), complaints.String())
	}
	return out.String()
}

// TestExecExample runs the examples of docs/exec.md, with one worker and with two: the
// claims hold and the numbers are the same.
func TestExecExample(t *testing.T) {
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			spec := l.example(t)
			succeeds(t, "validate", spec)
			var exported []string
			for _, workers := range []string{"1", "2"} {
				out := filepath.Join(filepath.Dir(spec), "out"+workers)
				if verdicts := succeeds(t, "run", spec, "--quiet", "--out", out, "--workers", workers); strings.Count(verdicts, "| holds ") != 2 {
					t.Errorf("verdicts:\n%s", verdicts)
				}
				exported = append(exported, succeeds(t, "export", out, "--no-times"))
			}
			if exported[0] != exported[1] {
				t.Errorf("with one worker:\n%s\nwith two:\n%s", exported[0], exported[1])
			}
		})
	}
}

// TestExecExampleBesideNystrom: on the first points as landmarks the examples are
// mercer's own Nyström kernel PCA. Two eigenvalue solvers on matrices of condition 400
// (the eigenvalues fall as i^-2) leave 1e-10 of the errors.
func TestExecExampleBesideNystrom(t *testing.T) {
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			spec := l.example(t, l.landmarks, l.first, "center: none", "center: none, landmarks: first")
			out := filepath.Join(filepath.Dir(spec), "out")
			succeeds(t, "run", spec, "--quiet", "--out", out)
			cells := map[string]map[string]float64{}
			for _, row := range regexp.MustCompile(`(?m)^beside,poly2,[^,]*,(nystrom|mine),(.*),recon_h,([^,]*),`).FindAllStringSubmatch(succeeds(t, "export", out), -1) {
				value, err := strconv.ParseFloat(row[3], 64)
				if err != nil {
					t.Fatal(err)
				}
				if cells[row[2]] == nil {
					cells[row[2]] = map[string]float64{}
				}
				cells[row[2]][row[1]] = value
			}
			if len(cells) != 12 {
				t.Errorf("%d cells, want 12", len(cells))
			}
			for cell, values := range cells {
				if len(values) != 2 || math.Abs(values["mine"]-values["nystrom"]) > 1e-10*values["nystrom"] {
					t.Errorf("cell %s: %v", cell, values)
				}
			}
		})
	}
}

func lookPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
