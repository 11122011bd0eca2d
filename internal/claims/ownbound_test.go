package claims

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/facts"
	"mercer/internal/theory"
	"mercer/results"
)

// ownClaim is a claim of a bound of its own, from below where relation is ">=".
func ownClaim(of, relation, bound string, with configs.Keyed[configs.Value]) configs.Claim {
	value := configs.NewQuantity(bound)
	b := configs.Bound{Of: configs.NewQuantity(of), AtMost: &value, Delta: 0.05, With: with}
	if relation == ">=" {
		b.AtMost, b.AtLeast = nil, &value
	}
	return configs.Claim{ID: "t", Bound: &b}
}

// measuredRun has rows of one method at n = 100 and 400, and a catalog with their metrics.
func measuredRun(repeats int, metrics func(n float64, repeat int) map[string]float64) results.Run {
	run := fake([]string{"a"}, []string{"n", "m"}, []map[string]float64{{"n": 100, "m": 10}, {"n": 400, "m": 20}}, repeats,
		func(_ string, p map[string]float64, repeat int) map[string]float64 { return metrics(p["n"], repeat) })
	run.Catalog.Metrics = map[string]results.MetricInfo{}
	for name := range run.Rows[0].Metrics {
		run.Catalog.Metrics[name] = results.MetricInfo{}
	}
	return run
}

// ownWorld has a population with tr Σ = 0.25 and λ_1(C) = tr C = 1.
func ownWorld() Context {
	known := facts.Facts{Kappa: 1, Answers: map[string][]float64{"tail(1,0)": {0.25}, "uncentred eigenvalues(1)": {1}, "uncentred sum(1)": {1}}}
	population := facts.Of(known)
	return Context{Population: func(string, int) *facts.Population { return population }}
}

// TestOwnBoundOutcomes judges made data: recon_h·√n is 1 in a known share of the repeats, and 3
// in the others, which lie outside a bound of 2/√n and inside one of 4/√n.
func TestOwnBoundOutcomes(t *testing.T) {
	const repeats = 200
	run := func(outside int) results.Run {
		return measuredRun(repeats, func(n float64, repeat int) map[string]float64 {
			factor := 1.0
			if repeat < outside {
				factor = 3
			}
			return map[string]float64{"recon_h": factor / math.Sqrt(n), "scale": 1 / math.Sqrt(n)}
		})
	}
	two := configs.Keyed[configs.Value]{"C": {Value: configs.Value{Text: "4/2"}}}
	for _, tt := range []struct {
		name     string
		claim    configs.Claim
		outside  int
		want     string
		coverage float64
		words    string
	}{
		{"holds", ownClaim("recon_h", "<=", "C/sqrt(n)", two), 2, "holds", 0.99, ""},
		{"a metric of the row", ownClaim("recon_h", "<=", "C*scale", two), 2, "holds", 0.99, ""},
		{"a constant of the data set", ownClaim("recon_h", "<=", "alpha/sqrt(n)", nil), 2, "holds", 0.99, ""}, // alpha = 2
		{"delta", ownClaim("recon_h", "<=", "40*delta/sqrt(n)", nil), 2, "holds", 0.99, ""},
		{"a parameter called delta", ownClaim("recon_h", "<=", "delta/sqrt(n)", configs.Keyed[configs.Value]{"delta": {Value: configs.Value{Text: "2"}}}), 2, "holds", 0.99, ""},
		{"inconclusive", ownClaim("recon_h", "<=", "C/sqrt(n)", two), 10, "inconclusive", 0.95, "more repeats"},
		{"violated", ownClaim("recon_h", "<=", "C/sqrt(n)", two), 40, "violated", 0.8, "2 of 2 cells"},
		{"vacuous", ownClaim("recon_h", "<=", "4/sqrt(100)", nil), 40, "holds, vacuous", 1, "no more than the trivial value tr Σ"},
		{"vacuous in a cell", ownClaim("recon_h", "<=", "4/sqrt(n)", nil), 40, "holds", 1, "1 of 2 cells, which are left out"}, // 0.4 and 0.2
		{"from below", ownClaim("recon_h", ">=", "scale/2", nil), 0, "holds", 1, "no trivial value of recon_h from below is known"},
		{"violated from below", ownClaim("recon_h", ">=", "C*scale", two), 40, "violated", 0.2, ""},
		{"an expression", ownClaim("recon_h/scale", "<=", "C", two), 2, "holds", 0.99, "no trivial value of recon_h/scale from above is known"},
		{"no value", ownClaim("recon_h", "<=", "1/log(n/n)", nil), 0, "inconclusive", math.NaN(), "recon_h <= 1/log(n/n) at poly2 a n=100 m=10 repeat 0"},
		{"no such size", ownClaim("recon_h", "<=", "1/k", nil), 0, "inconclusive", math.NaN(), "no record"},
	} {
		v := oneIn(t, tt.claim, run(tt.outside), ownWorld())
		text := v.Reason + v.Settle + strings.Join(v.Notes, "; ")
		if v.Words() != tt.want || !strings.Contains(text, tt.words) {
			t.Errorf("%s: %s: %s", tt.name, v.Words(), text)
		}
		if !(math.Abs(v.Estimate-tt.coverage) < 1e-12) && !math.IsNaN(tt.coverage) {
			t.Errorf("%s: coverage %v, want %v", tt.name, v.Estimate, tt.coverage)
		}
		if v.Theorem != "" || !strings.HasPrefix(v.Bound, tt.claim.Bound.Of.Text+" ") || strings.Contains(text, "conditions") {
			t.Errorf("%s: bound %q, theorem %q: %s", tt.name, v.Bound, v.Theorem, text)
		}
	}
	if v := oneIn(t, ownClaim("recon_h", "<=", "C/sqrt(n)", two), run(2), ownWorld()); v.Bound != "recon_h <= C/sqrt(n) with C = 4/2" {
		t.Errorf("bound %q", v.Bound)
	}
}

// TestOwnBoundIsATheorem: the bound of a theorem, stated as a bound of one's own, has the same
// verdict in each cell; the theorem has it in Go, the claim as an expression.
func TestOwnBoundIsATheorem(t *testing.T) {
	rng := stream(9)
	run := measuredRun(150, func(n float64, _ int) map[string]float64 {
		return map[string]float64{
			"nystrom_residual": 30 * math.Exp(2*rng.NormFloat64()) / n, "nystrom_residual_kappa": 0.01 + 0.1*rng.Float64(), "trace_residual_mean": rng.Float64(),
			"effective_dimension": 2 + rng.Float64(), "effective_dimension_level": 0.1 * rng.Float64(),
		}
	})
	for theorem, own := range map[string]configs.Claim{
		"kkm-lemma-1": ownClaim("nystrom_residual", "<=", "c*nystrom_residual_kappa*log(n/delta)/m", configs.Keyed[configs.Value]{"c": {Value: configs.Value{Text: "48"}}}),
		"kkm-4":       ownClaim("trace_residual_mean", "<=", "(effective_dimension_level + nystrom_residual)*effective_dimension", nil),
	} {
		byKey, byText := oneIn(t, boundClaim(theorem, nil), run, ownWorld()), oneIn(t, own, run, ownWorld())
		if byKey.Trivial == nil || len(byKey.Bounds) != 2 || byKey.Theorem != theorem || byKey.Estimate == 1 {
			t.Fatalf("%s: %+v", theorem, byKey)
		}
		byKey.Theorem, byText.Bound = "", ""
		notes := func(v Verdict) []string {
			return slices.DeleteFunc(v.Notes, func(note string) bool { return strings.Contains(note, "KKM") }) // its conditions, and what it takes for granted
		}
		byKey.Notes, byText.Notes = notes(byKey), notes(byText)
		if !slices.Equal(byKey.Notes, byText.Notes) || byKey.Reason != byText.Reason || byKey.Outcome != byText.Outcome || byKey.Vacuous != byText.Vacuous ||
			!near(byKey.Tightness, byText.Tightness) || len(byKey.Cells) != len(byText.Cells) || !reflect.DeepEqual([]float64{byKey.Estimate, byKey.Low, byKey.High}, []float64{byText.Estimate, byText.Low, byText.High}) {
			t.Errorf("%s:\n%+v\n%+v", theorem, byKey, byText)
		}
		for i, c := range byKey.Cells {
			if d := byText.Cells[i]; c.Cell != d.Cell || c.Outcome != d.Outcome || c.Vacuous != d.Vacuous || c.Estimate != d.Estimate || !near(c.Tightness, d.Tightness) || !near(c.Trivial, d.Trivial) {
				t.Errorf("%s: %+v, %+v", theorem, c, d)
			}
		}
	}
}

// near says that two numbers are the same up to the rounding of a product in another order, of
// some units in the last place.
func near(a, b *float64) bool {
	return (a == nil) == (b == nil) && (a == nil || math.Abs(*a-*b) <= 1e-14*math.Abs(*a))
}

// TestOwnBoundOnRounding: a measured value that is rounding says nothing of a bound that is
// rounding, holds a bound from above, and breaks one from below.
func TestOwnBoundOnRounding(t *testing.T) {
	for _, tt := range []struct {
		relation, bound string
		want            Outcome
	}{
		{"<=", "1/n", Holds},
		{"<=", "1e-18", NotApplicable},
		{"<=", "2*least", NotApplicable},
		{"<=", "1/least", NotApplicable},
		{">=", "least/8", NotApplicable},
		{">=", "least + 1/n", Violated},
		{">=", "1/n", Violated},
	} {
		run := measuredRun(80, func(float64, int) map[string]float64 {
			return map[string]float64{"recon_h": 1e-17, "least": 4e-17}
		})
		for i := range run.Rows {
			run.Rows[i].Rounded = []string{"recon_h", "least"}
		}
		if v := oneIn(t, ownClaim("recon_h", tt.relation, tt.bound, nil), run, ownWorld()); v.Outcome != tt.want {
			t.Errorf("recon_h %s %s: %s, want %s: %s", tt.relation, tt.bound, v.Outcome, tt.want, v.Reason)
		}
	}
}

// TestOwnBoundsTrivialSide: a trivial value from above says nothing of a bound from below, and
// the reverse.
func TestOwnBoundsTrivialSide(t *testing.T) {
	for of, fromBelow := range map[string]bool{"recon_h": false, "kjl_separation": true, "kjl_means": true} {
		for _, relation := range []string{"<=", ">="} {
			own := theory.Own(*ownClaim(of, relation, "1", nil).Bound, func(string) bool { return false })
			if known := own.Trivial.Value != nil; known != (fromBelow == (relation == ">=")) {
				t.Errorf("%s %s 1: a trivial value is known: %v", of, relation, known)
			}
		}
	}
}
