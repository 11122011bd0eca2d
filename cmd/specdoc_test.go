package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"
	"gopkg.in/yaml.v3"

	"mercer/configs"
	"mercer/internal/kernel"
)

const specDoc = "../docs/spec.md"

// yamlBlock is an example in Markdown, and the line before it.
var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestSpecExamples runs every example of docs/spec.md. An example without a name is put
// into the first one, part by part. Each of its claims must hold: an example that says
// nothing wrong and shows nothing is no example.
func TestSpecExamples(t *testing.T) {
	text, err := os.ReadFile(specDoc)
	if err != nil {
		t.Fatal(err)
	}
	blocks := yamlBlock.FindAllStringSubmatchIndex(string(text), -1)
	used := map[string]bool{}
	var whole map[string]yaml.Node
	for i, at := range blocks {
		var example map[string]yaml.Node
		line := 1 + strings.Count(string(text[:at[0]]), "\n")
		if err := yaml.Unmarshal(text[at[2]:at[3]], &example); err != nil {
			t.Fatalf("%s:%d: %v", specDoc, line, err)
		}
		if i == 0 {
			whole = example
		}
		spec := maps.Clone(whole)
		maps.Copy(spec, example)
		note(used, string(text[at[2]:at[3]]))
		t.Run(fmt.Sprintf("line=%d", line), func(t *testing.T) { runExample(t, spec) })
	}
	for _, kind := range slices.Concat(configs.ClaimKinds(), []string{"checks", "plots", "budgets", "targets", "profiles", "until", "skip", "kernels", "control", "because", "level", "mean", "sd", "ranks", "optional"}) {
		if !used[kind] {
			t.Errorf("%s has no example of %s", specDoc, kind)
		}
	}
}

// note collects the words of an example that are keys.
func note(used map[string]bool, example string) {
	for _, key := range regexp.MustCompile(`([a-z_]+):`).FindAllStringSubmatch(example, -1) {
		used[key[1]] = true
	}
}

// runExample validates and runs a spec, under its profile where it has one.
func runExample(t *testing.T, spec map[string]yaml.Node) {
	text, err := yaml.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	writeArrays(t, filepath.Dir(path))
	args := []string{"run", path, "--quiet", "--strict", "--out", filepath.Join(filepath.Dir(path), "run")}
	if _, ok := spec["profiles"]; ok {
		args = append(args, "--profile", "smoke")
	}
	for _, args := range [][]string{{"validate", path}, args} {
		var out, complaints bytes.Buffer
		if code := Main(args, nil, &out, &complaints); code != exitOK {
			t.Fatalf("mercer %s exits with %d:\n%s%s", args[0], code, out.String(), complaints.String())
		}
	}
}

// writeArrays writes K.npy, the kernel matrix of two classes of 100 points on a line,
// labels.npy, and counts.npy.
func writeArrays(t *testing.T, dir string) {
	t.Helper()
	const n = 200
	x, labels, counts := mat.NewDense(n, 1, nil), make([]int64, n), mat.NewDense(n, 4, nil)
	for i := range n {
		labels[i] = int64(i % 2)
		x.Set(i, 0, float64(i)/n+5*float64(i%2))
		counts.SetRow(i, []float64{float64(i % 2), float64(i % 3), float64(i % 7), float64(i % 11)})
	}
	for name, array := range map[string]any{"K.npy": kernel.Cross(kernel.NewGaussian(2), x, x), "labels.npy": labels, "counts.npy": counts} {
		file, err := os.Create(filepath.Join(dir, name))
		if err == nil {
			err = errors.Join(npyio.Write(file, array), file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestGraphKernel runs the lines of docs/spec.md that make K, and the spec below them.
func TestGraphKernel(t *testing.T) {
	pythonWithNumpy(t)
	text, err := os.ReadFile(specDoc)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, after, _ := strings.Cut(string(text), "weisfeiler_lehman")
	spec := yamlBlock.FindStringSubmatch(after)[1]
	if err := os.WriteFile(filepath.Join(dir, "graphs.yaml"), []byte(spec), 0o600); err != nil || strings.Count(spec, "\n") > 25 {
		t.Fatalf("a spec of %d lines: %v", strings.Count(spec, "\n"), err)
	}
	python := exec.Command("python3", "-c", found(t, "(?s)```python\n(import numpy.*?)```", string(text)))
	python.Dir = dir
	if out, err := python.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	succeeds(t, "run", filepath.Join(dir, "graphs.yaml"), "--quiet", "--strict", "--out", filepath.Join(dir, "run"))
	succeeds(t, "check", filepath.Join(dir, "run"))
}

// TestBudgetExample: the spec of docs/budgets.md is valid.
func TestBudgetExample(t *testing.T) {
	text, err := os.ReadFile("../docs/budgets.md")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "start.yaml")
	if err := os.WriteFile(path, []byte(found(t, "(?s)```yaml\n(name:.*?)```", string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "validate", path)
}
