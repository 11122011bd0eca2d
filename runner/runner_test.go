package runner

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"

	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

// planOf makes the plan of a spec given as YAML, with its files in testdata.
func planOf(t testing.TB, text, filter string) *plan.Plan {
	t.Helper()
	return planWith(t, text, plan.Input{Filter: filter})
}

// planWith is planOf with more options.
func planWith(t testing.TB, text string, in plan.Input) *plan.Plan {
	t.Helper()
	in.File, in.Spec, in.Profile = "test.yaml", text, "paper"
	if in.Dir == "" {
		in.Dir = "testdata"
	}
	p, err := in.Prepare(context.Background(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// start runs a plan as far as it gets.
func start(ctx context.Context, p *plan.Plan, o Options) (Summary, error) {
	return Run(ctx, p, NewManifest(p, "", "", ThisMachine()), o)
}

// runIn runs a plan in a directory and loads what it left there.
func runIn(t testing.TB, dir string, p *plan.Plan, o Options) (results.Run, Summary) {
	t.Helper()
	o.Dir = dir
	summary, err := start(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	run, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run, summary
}

// at is a size of a row, 0 where the row has none.
func at(r results.Row, size string) int {
	value, _ := r.At.Number(size)
	return int(value)
}

// export is a run as CSV without its times.
func export(t *testing.T, run results.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := results.WriteCSV(&b, run, results.TableOptions{OmitTimes: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// forgetPeak has the system measure the peak of this process's memory anew, and returns what it
// has now, in bytes; 0 where the system cannot.
func forgetPeak() int64 {
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
		return 0
	}
	bytes, _ := process.Peak(os.Getpid())
	return bytes
}
