package runner

import (
	"bytes"
	"context"
	"io"
	"testing"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/results"
	"mercer/runner/plan"
)

// planOf resolves and prepares a spec given as YAML, with its files in
// testdata.
func planOf(t *testing.T, text, filter string) *plan.Plan {
	t.Helper()
	return planWith(t, text, plan.Input{Filter: filter})
}

// runIn runs a plan in a directory and loads what it left there.
func runIn(t *testing.T, dir string, p *plan.Plan, o Options) (results.Run, Summary) {
	t.Helper()
	o.Dir = dir
	summary, err := Run(context.Background(), p, NewManifest(p, "paper", "", "", "", ThisMachine()), o)
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

// planWith is planOf with more options.
func planWith(t *testing.T, text string, o plan.Input) *plan.Plan {
	t.Helper()
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := plan.Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	o.Dir = "testdata"
	p, err := plan.Prepare(t.Context(), nil, resolved, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parsed(t *testing.T, text string) *configs.Spec {
	t.Helper()
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func preparedFrom(t *testing.T, spec, filter string, shard *plan.Shard) *plan.Plan {
	t.Helper()
	p, err := plan.Input{File: "test.yaml", Spec: spec, Dir: "testdata", Profile: "paper", Filter: filter}.PrepareShard(context.Background(), io.Discard, shard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
