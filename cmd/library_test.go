package cmd

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mercer/results"
)

// TestLibrary builds the module of docs/go.md outside the repository, without a network, and
// runs its spec: what it registers is checked, listed and measured as what is built in.
func TestLibrary(t *testing.T) {
	text, err := os.ReadFile("../docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What go mod tidy adds to the module of the page is what mercer's own has.
	own := found(t, "(?s)```\nmodule mine\n\ngo 1.26\n(.*?)```", string(text))
	write("go.mod", strings.Replace(string(module), "module mercer", "module mine", 1)+strings.Replace(own, "../mercer", root, 1))
	write("go.sum", string(sums))
	write("main.go", found(t, "(?s)```go\n(.*?)```", string(text)))
	spec := found(t, "(?s)```yaml\n(.*?)```", string(text))
	write("mine.yaml", spec)
	write("wrong.yaml", strings.Replace(spec, "gamma: 1,", "gamma: 3,", 1))

	run := func(want int, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != want {
			t.Fatalf("%s %s: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run(exitOK, "go", "build", "-o", "mine", ".")
	mine := filepath.Join(dir, "mine")
	for list, want := range map[string]string{"--kernels": "gamma: a number, at most 2, greater than 0, required", "--methods": "Gonzalez 1985", "--measures": "gives: largest_entry", "--data": "turns: a number, greater than 0, default 3"} {
		if got := run(exitOK, mine, "list", list); !strings.Contains(got, want) {
			t.Errorf("list %s has no %q", list, want)
		}
	}
	if got := run(exitUsage, mine, "validate", "wrong.yaml"); !strings.Contains(got, `wrong.yaml:6:`) || !strings.Contains(got, "at most 2") {
		t.Errorf("validate says %s", got)
	}
	run(exitOK, mine, "run", "mine.yaml", "--quiet", "--isolate", "process", "--set", "repeats=1", "--out", "workers")
	run(exitOK, mine, "run", "mine.yaml", "--quiet", "--strict", "--out", "run")

	stored, err := results.Load(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	// smooth is gaussian by another formula, and points far from each other are independent in H
	// to 1e-4 and more: numbers agree to rounding over that.
	same := map[string][]float64{}
	for _, row := range stored.Rows {
		if row.Method() == "farthest" && row.Kernel() != "rough" {
			at := fmt.Sprint(row.At.Only("m"), row.Repeat)
			same[at] = append(same[at], row.Metrics["largest_entry"], row.Metrics["matrix_trace"])
		}
	}
	if len(same) != 30 {
		t.Errorf("%d cells and repeats, want 30", len(same))
	}
	for at, v := range same {
		if len(v) != 4 || !(v[0] > 0) || math.Abs(v[0]-v[2]) > 1e-10 || math.Abs(v[1]-v[3]) > 1e-10 {
			t.Errorf("%s: %v under two kernels that are the same", at, v)
		}
	}
}
