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

// pythonExample is a directory with mercer.py and the example of docs/exec.md, in which
// some texts are replaced.
func pythonExample(t *testing.T, replace ...string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/exec.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "## In Python")
	dir := t.TempDir()
	python, err := os.ReadFile("../methods/exec/examples/mercer.py")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"mercer.py": string(python)}
	for language, name := range map[string]string{"python": "mine.py", "yaml": "beside.yaml"} {
		block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(example)
		if block == nil {
			t.Fatalf("no %s in the example", language)
		}
		files[name] = strings.NewReplacer(replace...).Replace(block[1])
	}
	if lines := strings.Count(strings.ReplaceAll(files["mine.py"], "\n\n", "\n"), "\n"); lines > 12 {
		t.Errorf("the example has %d lines, want 12 at most", lines)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
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

// TestExecExample runs the example of docs/exec.md, with one worker and with two: the
// claims hold and the numbers are the same.
func TestExecExample(t *testing.T) {
	pythonWithNumpy(t)
	dir := pythonExample(t)
	spec := filepath.Join(dir, "beside.yaml")
	succeeds(t, "validate", spec)
	var exported []string
	for _, workers := range []string{"1", "2"} {
		out := filepath.Join(dir, "out"+workers)
		if verdicts := succeeds(t, "run", spec, "--quiet", "--out", out, "--workers", workers); strings.Count(verdicts, "holds") != 2 {
			t.Errorf("verdicts:\n%s", verdicts)
		}
		exported = append(exported, succeeds(t, "export", out, "--no-times"))
	}
	if exported[0] != exported[1] {
		t.Errorf("with one worker:\n%s\nwith two:\n%s", exported[0], exported[1])
	}
}

// TestExecExampleBesideNystrom: on the first points as landmarks the example is mercer's
// own Nyström kernel PCA. Two eigenvalue solvers on matrices of condition 400 (the
// eigenvalues fall as i^-2) leave 1e-10 of the errors.
func TestExecExampleBesideNystrom(t *testing.T) {
	pythonWithNumpy(t)
	dir := pythonExample(t, "p.rng.choice(p.n, p.m, replace=False)", "np.arange(p.m)", "center: none", "center: none, landmarks: first")
	out := filepath.Join(dir, "out")
	succeeds(t, "run", filepath.Join(dir, "beside.yaml"), "--quiet", "--out", out)
	found := map[string]map[string]float64{}
	for _, row := range regexp.MustCompile(`(?m)^beside,poly2,[^,]*,(nystrom|mine),(.*),recon_h,([^,]*),`).FindAllStringSubmatch(succeeds(t, "export", out), -1) {
		value, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		if found[row[2]] == nil {
			found[row[2]] = map[string]float64{}
		}
		found[row[2]][row[1]] = value
	}
	if len(found) != 12 {
		t.Errorf("%d cells, want 12", len(found))
	}
	for cell, values := range found {
		if len(values) != 2 || math.Abs(values["mine"]-values["nystrom"]) > 1e-10*values["nystrom"] {
			t.Errorf("cell %s: %v", cell, values)
		}
	}
}

func lookPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
