package results

import (
	"testing"

	"mercer/configs"
	"mercer/configs/source"
)

// testSpec is a small experiment with a text axis, a swept parameter and a method of its own m.
const testSpec = `
name: exp
seed: 1
repeats: 3
datasets: [{id: poly2, use: series, decay: {power: theta}}, {id: aardvark, use: series}]
grid: {n: [50, 250], theta: [0.5, 0.75], rule: [uniform, rpcholesky], m: [20, 30], skip: ["n == 50 && m == 30"]}
methods: [{id: nystrom, use: nystrom, landmarks: "=rule"}, {id: ekpca, use: ekpca}]
measure: [recon_h]
`

// key is the key of columns: texts and numbers (int or float64), by turns with their names.
func key(pairs ...any) Key {
	var names []string
	var values []Value
	for i := 0; i < len(pairs); i += 2 {
		names = append(names, pairs[i].(string))
		switch v := pairs[i+1].(type) {
		case string:
			values = append(values, configs.TextOf(v))
		case int:
			values = append(values, configs.NumberOf(float64(v)))
		case float64:
			values = append(values, configs.NumberOf(v))
		}
	}
	return NewKey(names, values)
}

// sample is a valid row number i of a small experiment.
func sample(i int) Row {
	return Row{
		Schema: SchemaVersion, ID: "key" + string(rune('a'+i)), Repeat: i, Population: "P", Status: OK,
		At:       key("dataset", "poly2", "method", "nystrom", "n", 250, "theta", 0.5, "rule", "uniform", "m", 20),
		Metrics:  map[string]float64{"recon_h": 0.30000000000000004, "time_total": 1.5},
		Warnings: []string{"rank 19 of 20 <cut>"}, Version: "1", BLAS: "gonum",
	}
}

// testRun is a run of testSpec with these rows.
func testRun(t *testing.T, rows ...Row) Run {
	t.Helper()
	spec, err := source.Parse("spec.yaml", []byte(testSpec))
	if err != nil {
		t.Fatal(err)
	}
	columns := []Column{{Name: "dataset", Texts: []string{"poly2", "aardvark"}}, {Name: "kernel"}, {Name: "method", Texts: []string{"nystrom", "ekpca"}},
		{Name: "n", Free: true}, {Name: "theta", Free: true}, {Name: "rule", Texts: []string{"uniform", "rpcholesky"}, Free: true}, {Name: "m", Free: true}}
	run := Run{Spec: spec, Rows: rows, Catalog: Catalog{
		Columns:     columns,
		Methods:     map[string]MethodInfo{"nystrom": {Use: "nystrom", Uses: []string{"n", "m"}}, "ekpca": {Use: "ekpca", Uses: []string{"n"}}},
		Metrics:     map[string]MetricInfo{"recon_h": {Better: "less"}, "time_total": {Unit: "s"}, "a": {Unit: "flop, say"}},
		Populations: map[string]Population{"P": {Dataset: "poly2", Constants: map[string]float64{"alpha": 2}}},
	}}
	for _, r := range rows {
		run.Manifest.IDs = append(run.Manifest.IDs, r.ID)
	}
	sortRows(run.Rows, run.Spec, run.Catalog)
	return run
}

// store writes a run as a folder.
func store(t *testing.T, dir string, run Run) Run {
	t.Helper()
	s := mustOpen(t, dir)
	if err := s.Append(run.Rows...); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := WriteSpec(dir, run.Spec, run.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	run.Manifest.Schema = SchemaVersion
	run.Manifest.Describe(text)
	if err := WriteManifest(dir, run.Manifest); err != nil {
		t.Fatal(err)
	}
	run.Dir = dir
	return run
}

func conditions(t *testing.T, text string) configs.Conditions {
	t.Helper()
	where, err := source.Conditions(text)
	if err != nil {
		t.Fatal(err)
	}
	return where
}
