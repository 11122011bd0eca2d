package cmd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/report"
	"mercer/results"
)

// theoremItems lists the theorems in the order of the papers, with claims on the metric of
// a theorem before those on a substitute, and claims before checks.
func theoremItems() []item {
	checks := map[string][]report.Check{}
	for _, name := range experiments.Names() {
		if err := addChecks(checks, name); err != nil {
			panic(err) // compiled in and tested
		}
	}
	var list []item
	for _, key := range theory.Keys() {
		t := theory.Registry[key]
		slices.SortStableFunc(checks[key], report.ByDirectness)
		list = append(list, item{Name: key, Doc: t.Says, Reference: t.Reference,
			About: t.Metric + " of " + strings.Join(t.Methods, ", "), Checks: checks[key]})
	}
	return list
}

// addChecks adds an experiment's claims and checks on theorems, by theorem, without controls.
func addChecks(checks map[string][]report.Check, experiment string) error {
	spec, err := readExperiment(experiment)
	if err != nil {
		return err
	}
	var verdicts []claims.Verdict
	if text, ok := results.ReferenceVerdicts(experiment); ok {
		if err := json.Unmarshal(text, &verdicts); err != nil {
			return fmt.Errorf("reference verdicts of %s: %w", experiment, err)
		}
	}
	for _, c := range spec.Statements() {
		if key := c.Checks().Value; key != "" && !c.Control {
			checks[key] = append(checks[key], report.CheckOf(experiment, c, theory.Registry[key], verdicts))
		}
	}
	return nil
}

// theoremRows are the rows of the table of theorems.
func theoremRows(list []item) []report.TheoremRow {
	return lists.Map(list, func(i item) report.TheoremRow {
		return report.TheoremRow{Key: i.Name, Reference: i.Reference, Says: i.Doc, Checks: i.Checks}
	})
}
