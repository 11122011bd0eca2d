package cmd

import (
	"encoding/json"
	"testing"

	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/internal/theory"
	"mercer/results"
)

// Every theorem is listed once, with the claims of the experiments that name it;
// no experiment names another.
func TestTheoremItems(t *testing.T) {
	checks := 0
	for _, i := range theoremItems() {
		if _, ok := theory.Registry[i.Name]; !ok || i.Doc == "" || i.Reference == "" || i.About == "" {
			t.Errorf("item %+v", i)
		}
		checks += len(i.Checks)
	}
	if len(theoremItems()) != len(theory.Registry) {
		t.Errorf("%d items, %d theorems", len(theoremItems()), len(theory.Registry))
	}
	named := 0
	for _, name := range experiments.Names() {
		spec, err := readExperiment(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range spec.Statements() {
			if key := c.Checks().Value; key != "" && !c.Control {
				named++
			}
		}
		if text, ok := results.ReferenceVerdicts(name); ok {
			var verdicts []claims.Verdict
			if err := json.Unmarshal(text, &verdicts); err != nil {
				t.Errorf("reference verdicts of %s: %v", name, err)
			}
		}
	}
	if checks != named {
		t.Errorf("%d claims name a theorem, %d are listed", named, checks)
	}
}
