package cmd

import (
	"encoding/json"
	"slices"
	"strings"
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

// Each theorem has a verdict of a full run. A bound whose trivial value is known has its
// tightness and where it says something; a rate has its slope. No claim in the table is
// without a verdict, what was found, and bound/trivial or sizes.
func TestTheoremsAreJudged(t *testing.T) {
	items, err := theoremItems()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		theorem := theory.Registry[i.Name]
		var verdict, bound, slope bool
		for _, c := range i.Checks {
			verdict = verdict || slices.ContainsFunc(c.Outcomes, func(o report.GroupsOf) bool { return o.Outcome != string(claims.NotApplicable) })
			bound = bound || c.Tightness != nil && c.Cells > 0 || c.OfCode && c.Noun == "value" // of an identity
			slope = slope || c.Estimate != nil
		}
		switch {
		case !verdict:
			t.Errorf("%s has no verdict", i.Name)
		case theorem.Bound != nil && !bound:
			t.Errorf("%s: no bound has a tightness and a range of bound/trivial", i.Name)
		case theorem.Bound == nil && !slope:
			t.Errorf("%s has no slope, value or distance", i.Name)
		}
	}
	for row := range strings.Lines(theoremTable(items)) {
		if strings.Contains(row, "not run") || strings.Contains(row, "|  |") || strings.Contains(row, "<br><br>") || strings.Contains(row, "<br> |") || strings.Contains(row, "| <br>") {
			t.Errorf("no verdict, or a blank, in the row %s", row)
		}
	}
}
