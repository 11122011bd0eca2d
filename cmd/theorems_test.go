package cmd

import (
	"encoding/json"
	"slices"
	"testing"

	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/internal/theory"
	"mercer/report"
	"mercer/results"
)

// Every theorem is listed once, with the claims of the experiments that name it;
// no experiment names another.
func TestTheoremItems(t *testing.T) {
	items, err := theoremItems()
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	for _, i := range items {
		if _, ok := theory.Registry[i.Name]; !ok || i.Doc == "" || i.About["from"] == "" || i.About["about"] == "" {
			t.Errorf("item %+v", i)
		}
		checks += len(i.Checks)
	}
	if len(items) != len(theory.Registry) {
		t.Errorf("%d items, %d theorems", len(items), len(theory.Registry))
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

// Each theorem has a verdict of a full run, and so has each claim on it.
func TestTheoremsAreJudged(t *testing.T) {
	items, err := theoremItems()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		if !slices.ContainsFunc(i.Checks, func(c report.Check) bool { return c.Outcome != string(claims.NotApplicable) }) {
			t.Errorf("%s has no verdict", i.Name)
		}
		for _, c := range i.Checks {
			if c.Outcome == "not run" {
				t.Errorf("%s has no verdict on %s", i.Name, c)
			}
		}
	}
}
