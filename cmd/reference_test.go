package cmd

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/experiments"
	"mercer/internal/claims"
	"mercer/report/views"
	"mercer/results"
)

// withoutVerdicts are the experiments of which no full run is in results/reference, and why.
var withoutVerdicts = map[string]string{
	"least-m":          "hours on 1800 atoms",
	"least-m-leverage": "it seeks targets, and claims nothing of them",
	"least-m-series":   "up to 160 decompositions of 3164 points a method",
}

// TestReferenceVerdicts holds the verdicts in results/reference to the specs that they are
// of: every claim and check is judged and no other, in the words and with the limits that
// the spec has now, and the sentences of its answer find their numbers. Where it fails, the experiment is to be run and judged again.
func TestReferenceVerdicts(t *testing.T) {
	missing := map[string]bool{}
	for _, name := range experiments.Names() {
		spec, err := readExperiment(name)
		if err != nil {
			t.Fatal(err)
		}
		text, ok := results.ReferenceVerdicts(name)
		if !ok {
			missing[name] = true
			continue
		}
		var verdicts []claims.Verdict
		if err := json.Unmarshal(text, &verdicts); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, problem := range staleness(spec.Statements(), verdicts) {
			t.Errorf("results/reference/%s/verdicts.json: %s", name, problem)
		}
		for _, word := range []configs.Word{spec.Answer.Holds, spec.Answer.Violated, spec.Answer.Open} {
			same := configs.Answer{Holds: word, Violated: word, Open: word}
			said := views.New(results.Run{Spec: &configs.Spec{Answer: same}}, verdicts, nil).Answer()
			t.Logf("%s: %s", name, said)
			if word.Value != "" && said == "" {
				t.Errorf("%s: a number of an answer is not in results/reference: %s", name, word.Value)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if withoutVerdicts[name] == "" {
			t.Errorf("%s has no verdicts in results/reference, and withoutVerdicts does not say why", name)
		}
	}
	for name := range withoutVerdicts {
		if !missing[name] {
			t.Errorf("withoutVerdicts names %s, which has verdicts or is no experiment", name)
		}
	}
}

// staleness says where verdicts are not those of statements.
func staleness(statements []configs.Claim, verdicts []claims.Verdict) (problems []string) {
	left := map[string][]claims.Verdict{}
	for _, v := range verdicts {
		left[v.Claim] = append(left[v.Claim], v)
	}
	for _, c := range statements {
		if left[c.ID] == nil {
			problems = append(problems, "no verdict on "+c.ID)
		}
		for _, v := range left[c.ID] {
			if differs := mismatch(c, v); differs != "" {
				problems = append(problems, c.ID+" has another "+differs)
				break
			}
		}
		delete(left, c.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(left)) {
		problems = append(problems, "a verdict on "+id+", which the spec does not claim")
	}
	return problems
}

// mismatch is what a verdict has that its claim has not: of targets those that are
// numbers, not expressions over the grid.
func mismatch(c configs.Claim, v claims.Verdict) string {
	name, kind := c.Kind()
	relation, target, within := limits(kind)
	applies := v.Outcome != claims.NotApplicable
	of := v.Of
	if c.OnTarget { // a ratio names both of its targets
		of, _, _ = strings.Cut(of, " / ")
	}
	switch {
	case v.Kind != name || v.Check != c.Check || v.Control != c.Control:
		return "kind"
	case v.Says != c.Says:
		return "sentence: " + v.Says
	case v.Theorem != c.Checks().Value:
		return "theorem: " + v.Theorem
	case applies && kind.Quantity().Text != "" && of != kind.Quantity().Text:
		return "quantity: " + v.Of
	case applies && relation != "" && strings.TrimSpace(v.Relation) != relation:
		return "relation: " + v.Relation
	case applies && !same(target, v.Target):
		return "target"
	case applies && (name == "slope" || name == "value") && !same(within, v.Within):
		return "band"
	}
	return ""
}

// limits are the relation, target and band of a claim; NaN for numbers that depend on the
// grid, and for those that it has not.
func limits(kind configs.ClaimKind) (relation string, target, within float64) {
	number := func(field string) (float64, bool) {
		f := reflect.ValueOf(kind).Elem().FieldByName(field)
		if !f.IsValid() {
			return math.NaN(), false
		}
		value, ok := f.Interface().(*configs.Value)
		if !ok || value == nil {
			return math.NaN(), false
		}
		if x, constant := value.Number(); constant {
			return x, true
		}
		return math.NaN(), true
	}
	target = math.NaN()
	for _, side := range []struct{ field, relation string }{{"Equals", "="}, {"AtMost", "<="}, {"AtLeast", ">="}} {
		if x, given := number(side.field); given {
			relation, target = side.relation, x
		}
	}
	within, _ = number("Within")
	return relation, target, within
}

// same compares a number of a spec, NaN for any, with one that went through a logarithm.
func same(want, got float64) bool {
	return math.IsNaN(want) || math.IsNaN(got) || math.Abs(got-want) <= 1e-12*math.Abs(want)
}
