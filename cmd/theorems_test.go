package cmd

import (
	"encoding/json"
	"strings"
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
		for _, c := range spec.Claims {
			if key := c.Checks().Value; key != "" {
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

func TestCheckSummary(t *testing.T) {
	tight := func(x float64) *float64 { return &x }
	verdicts := []claims.Verdict{
		{Claim: "a", Theorem: "t", Outcome: claims.Holds, Tightness: tight(0.031)},
		{Claim: "a", Theorem: "t", Outcome: claims.NotApplicable},
		{Claim: "a", Theorem: "t", Outcome: claims.Holds, Tightness: tight(0.2)},
		{Claim: "b", Theorem: "t", Outcome: claims.Violated, Tightness: tight(1.21)},
		{Claim: "b", Theorem: "older", Outcome: claims.Holds},
	}
	for claim, want := range map[string]string{
		"a": "a of x: holds in 2, not applicable in 1 of 3 groups, measured/bound 0.031 to 0.2",
		"b": "b of x: violated, measured/bound 1.2",
		"c": "c of x: not run",
	} {
		c := check{Experiment: "x", Claim: claim}
		c.Verdict, c.Tightness = summary(verdicts, claim, "t")
		if c.String() != want {
			t.Errorf("%s, want %s", c, want)
		}
	}
}

func TestTheoremTable(t *testing.T) {
	var b strings.Builder
	err := printTheoremTable(&b, []item{
		{Name: "k-1", Doc: "|S*V| ≤ λ_1", Reference: "K Thm 1", Checks: []check{
			{Experiment: "x", Claim: "a", Verdict: "holds", Tightness: []float64{0.5, 0.5}}, {Experiment: "y", Claim: "b"}}},
		{Name: "k-2", Doc: "more", Reference: "K Thm 2"},
	})
	want := "| K Thm 1, `k-1` | \\|S\\*V\\| ≤ λ\\_1 | `x`: a<br>`y`: b | holds<br>not run | 0.5<br> |\n" +
		"| K Thm 2, `k-2` | more |  |  |  |\n"
	if _, rows, _ := strings.Cut(b.String(), ":-- |\n"); err != nil || rows != want {
		t.Errorf("rows\n%s\nwant\n%s", rows, want)
	}
}
