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
		t.Fatalf("no %s in the page", pattern)
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
			for _, row := range regexp.MustCompile(`(?m)^poly2,[^,]*,(nystrom|mine),(.*),recon_h,([^,]*),`).FindAllStringSubmatch(succeeds(t, "export", out), -1) {
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

// ridgeSpec has scikit-learn's ridge regressions beside mercer's.
const ridgeSpec = `
name: ridge
seed: 3
repeats: 2
datasets:
  - {id: atoms, use: atoms, atoms: 300, decay: {power: 2}, sample: points, response: {smoothness: 0.5, noise: 0.5}}
grid: {n: [60, 120], m: [10]}
methods:
  - {id: krr, use: krr, ridge: 0.01}
  - {id: krr-theirs, use: exec, command: [python3, SCIKIT, kernel_ridge, "0.01"], model: regression}
  - {id: nystrom, use: nystrom-krr, landmarks: first, ridge: 0.01}
  - {id: nystrom-theirs, use: exec, command: [python3, SCIKIT, nystroem_ridge, "0.01", first], model: regression}
measure: [excess_risk]
`

// TestScikitRidge: the excess risks of scikit-learn's KernelRidge, which answers
// with coefficients, and of Ridge on Nystroem features, which predicts at the atoms, are those of krr and nystrom-krr with the same ridge and landmarks.
// The systems have conditions below 1e4 by their ridge, the inverse root of K_mm one below
// 1e3: of 16 digits 1e-9 is left.
func TestScikitRidge(t *testing.T) {
	pythonWithNumpy(t)
	if exec.Command("python3", "-c", "import sklearn").Run() != nil {
		t.Skip("SKIPPED: no python3 with sklearn here, its ridge regressions are not run")
	}
	program, err := filepath.Abs("../methods/exec/examples/scikit.py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	spec, out := filepath.Join(dir, "ridge.yaml"), filepath.Join(dir, "out")
	if err := os.WriteFile(spec, []byte(strings.ReplaceAll(ridgeSpec, "SCIKIT", program)), 0o600); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "run", spec, "--quiet", "--out", out)
	compared := 0
	risks := map[string]float64{}
	for _, row := range regexp.MustCompile(`(?m)^(\w+),[^,]*,([a-z-]+),(\d+,)[^,]*,(\d+),excess_risk,([^,]*),`).FindAllStringSubmatch(succeeds(t, "export", out), -1) {
		method, theirs := strings.CutSuffix(row[2], "-theirs")
		value, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			t.Fatal(err)
		}
		cell := strings.Join([]string{row[1], method, row[3] + row[4]}, " ")
		own, known := risks[cell]
		if !known {
			risks[cell] = value
			continue
		}
		if compared++; !theirs || !(math.Abs(value-own) <= 1e-9*own) {
			t.Errorf("%s: excess risk %v, scikit-learn's %v", cell, own, value)
		}
	}
	if compared != 8 {
		t.Errorf("%d cells are compared, want 8", compared)
	}
}

func lookPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
