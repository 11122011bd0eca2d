package runner

import (
	"bytes"
	"context"
	"testing"

	"mercer/configs"
	"mercer/results"
)

// planOf resolves and prepares a spec given as YAML, with its files in
// testdata.
func planOf(t *testing.T, text, filter string) *Plan {
	t.Helper()
	spec, err := configs.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Prepare(context.Background(), resolved, PrepareOptions{Dir: "testdata", Filter: filter})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// runIn runs a plan in a directory and loads what it left there.
func runIn(t *testing.T, dir string, p *Plan, o Options) (results.Run, Summary) {
	t.Helper()
	o.Dir = dir
	summary, err := Run(context.Background(), p, p.Manifest("paper", "", "", "", ThisMachine()), o)
	if err != nil {
		t.Fatal(err)
	}
	run, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run, summary
}

// export is a run as CSV without its times.
func export(t *testing.T, run results.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := results.WriteCSV(&b, run, results.CSVOptions{OmitTimes: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
