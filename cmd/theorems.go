package cmd

import (
	"encoding/json"
	"fmt"

	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/report"
	"mercer/results"
)

// theoremItems lists the theorems in the order of the papers, each with the claims and checks of
// experiments on it, without controls.
func theoremItems() ([]item, error) {
	checks := map[string][]report.Check{}
	for _, name := range experiments.Names() {
		spec, err := readExperiment(name)
		if err != nil {
			return nil, err
		}
		var verdicts []claims.Verdict
		if text, ok := results.ReferenceVerdicts(name); ok {
			if err := json.Unmarshal(text, &verdicts); err != nil {
				return nil, fmt.Errorf("reference verdicts of %s: %w", name, err)
			}
		}
		for _, c := range spec.Statements() {
			if key := c.Checks().Value; key != "" && !c.Control {
				checks[key] = append(checks[key], report.CheckOf(name, c, theory.Registry[key], verdicts))
			}
		}
	}
	return lists.Map(theory.Keys(), func(key string) item {
		t := theory.Registry[key]
		return item{Name: key, Doc: t.Says, About: map[string]string{"from": t.Reference, "about": t.Metric + " of " + join(t.Methods)}, Checks: checks[key]}
	}), nil
}
