package plan

import (
	"context"
	"io"
	"testing"

	"mercer/configs"
	"mercer/configs/source"
)

func parsed(t *testing.T, text string) *configs.Spec {
	t.Helper()
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// planWith is planOf with more options.
func planWith(t *testing.T, text string, o Input) *Plan {
	t.Helper()
	spec, err := source.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := Resolve(spec)
	if err != nil {
		t.Fatal(err)
	}
	o.Dir = "testdata"
	plan, err := Prepare(t.Context(), nil, resolved, o)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func preparedFrom(t *testing.T, spec, filter string, shard *Shard) *Plan {
	t.Helper()
	plan, err := Input{File: "test.yaml", Spec: spec, Dir: "testdata", Profile: "paper", Filter: filter}.PrepareShard(context.Background(), io.Discard, shard)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// planOf prepares a spec given as YAML, with its files in testdata.
func planOf(t *testing.T, text, filter string) *Plan {
	t.Helper()
	return planWith(t, text, Input{Filter: filter})
}
