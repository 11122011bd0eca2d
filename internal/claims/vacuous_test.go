package claims

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/theory"
)

// worthWorld has the toy theorem, whose bound is 1.96/√n at κ = 1, with the trivial
// value 0.1, so that it is informative from n = 385 on; the same as a lower bound of
// 10/√n − 0.5 beside 0, informative below n = 400; and one whose trivial value is a
// fact that is not known.
func worthWorld() Context {
	world := toyWorld(1)
	add := func(key string, change func(*theory.Theorem)) {
		t := world.Theorems["toy"]
		t.Key = key
		change(&t)
		world.Theorems[key] = t
	}
	constant := func(value float64) theory.Trivial {
		return theory.Trivial{Formula: "tr Σ", Value: func(theory.Setting) (float64, error) { return value, nil }}
	}
	add("worth", func(t *theory.Theorem) { t.Trivial = constant(0.1) })
	add("below", func(t *theory.Theorem) {
		t.Trivial = constant(0)
		t.Bound = func(s theory.Setting) (theory.Bound, error) {
			return theory.Bound{Upper: math.Inf(1), Lower: 10/math.Sqrt(float64(s.N)) - 0.5}, nil
		}
	})
	add("unknown", func(t *theory.Theorem) {
		t.Trivial = theory.Trivial{Formula: "tr Σ", Value: func(s theory.Setting) (float64, error) { return s.Population.Tail(1, 0) }}
	})
	return world
}

func TestVacuousBounds(t *testing.T) {
	for _, tt := range []struct {
		name, theorem string
		repeats       int
		factor        float64 // of the toy run
		sizes         []float64
		want          string // the outcome in words
		cells         int    // that are judged
		vacuous       int    // of all
		low, high     float64
		says          string // in the reason or a note
	}{
		{"informative", "worth", 80, 0.3, []float64{400, 800}, "holds", 2, 0, 0.693, 0.98, "all 2 cells"},
		{"vacuous", "worth", 80, 0.3, []float64{200, 300}, "holds, vacuous", 2, 2, 1.131, 1.386, "the bound is vacuous: it says no more than the trivial value tr Σ"},
		{"one cell", "worth", 80, 0.3, []float64{200}, "holds, vacuous", 1, 1, 1.386, 1.386, "the bound is vacuous"},
		{"some", "worth", 80, 0.3, []float64{200, 300, 400}, "holds", 1, 2, 0.98, 1.386, "no more than the trivial value tr Σ in 2 of 3 cells, which are left out"},
		{"violated where informative", "worth", 80, 3, []float64{200, 400}, "violated", 2, 1, 0.98, 1.386, ""},
		{"too few repeats", "worth", 20, 0.3, []float64{200}, "inconclusive", 1, 1, 1.386, 1.386, "the bound is vacuous"},
		{"from below", "below", 80, 1, []float64{500}, "holds, vacuous", 1, 1, 0, 0, "it says no more than the trivial value tr Σ"},
		{"from below, informative", "below", 80, 30, []float64{396}, "holds", 1, 0, 0, 0, ""},
		{"no trivial value", "toy", 80, 0.3, []float64{200}, "holds", 1, 0, 0, 0, ""},
		{"not known", "unknown", 80, 0.3, []float64{200}, "holds", 1, 0, 0, 0, ""},
	} {
		v := oneIn(t, boundClaim(tt.theorem, nil), toyRun(tt.repeats, tt.factor, stream(3), tt.sizes...), worthWorld())
		if v.Words() != tt.want || v.Vacuous != (tt.want == "holds, vacuous") || len(v.Cells) != tt.cells {
			t.Errorf("%s: %s, %d cells judged: %s", tt.name, v.Words(), len(v.Cells), v.Reason)
		}
		if all := v.Reason + strings.Join(v.Notes, "; "); !strings.Contains(all, tt.says) {
			t.Errorf("%s: %q lacks %q", tt.name, all, tt.says)
		}
		if tt.theorem == "toy" {
			if v.Trivial != nil {
				t.Errorf("%s: %+v", tt.name, v.Trivial)
			}
			continue
		}
		if v.Trivial == nil || v.Trivial.Cells != len(tt.sizes) || v.Trivial.Vacuous != tt.vacuous {
			t.Fatalf("%s: %+v", tt.name, v.Trivial)
		}
		if tt.low == 0 {
			if v.Trivial.Low != nil || v.Cells[0].Trivial != nil {
				t.Errorf("%s: a ratio %v of a bound from below", tt.name, v.Trivial.Low)
			}
			continue
		}
		if math.Abs(*v.Trivial.Low-tt.low) > 1e-3 || math.Abs(*v.Trivial.High-tt.high) > 1e-3 {
			t.Errorf("%s: bound/trivial from %v to %v", tt.name, *v.Trivial.Low, *v.Trivial.High)
		}
		for _, c := range v.Cells {
			if c.Trivial == nil || (*c.Trivial >= 1) != c.Vacuous {
				t.Errorf("%s: cell %+v", tt.name, c)
			}
		}
	}
}

// A claim that a vacuous cell contradicts is violated, though the informative one holds;
// and the marks survive JSON.
func TestVacuousCellsCountAgainst(t *testing.T) {
	rng := stream(4)
	run := fake([]string{"a"}, []string{"n"}, along("n", 200, 400), 80, func(_ string, p map[string]float64, _ int) map[string]float64 {
		if p["n"] == 200 {
			return map[string]float64{"x": 1 + rng.Float64()}
		}
		return map[string]float64{"x": 0.01 * rng.Float64()}
	})
	v := oneIn(t, configs.Claim{ID: "t", Bound: boundClaim("worth", nil).Bound}, run, worthWorld())
	if v.Outcome != Violated || v.Vacuous || len(v.Cells) != 2 {
		t.Errorf("%s, %+v", v.Words(), v.Cells)
	}
	v = oneIn(t, boundClaim("worth", nil), toyRun(80, 0.3, stream(3), 200), worthWorld())
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var again Verdict
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if again.Words() != "holds, vacuous" || again.Cells[0].Words() != "holds, vacuous" || *again.Trivial.High != *v.Trivial.High {
		t.Errorf("%s", text)
	}
}

// A claim's word is "holds, vacuous" where no group says anything.
func TestWorstWords(t *testing.T) {
	plain, vacuous := Verdict{Outcome: Holds}, Verdict{Outcome: Holds, Vacuous: true}
	for _, tt := range []struct {
		verdicts []Verdict
		want     string
	}{
		{nil, "not applicable"},
		{[]Verdict{vacuous, vacuous}, HoldsVacuous},
		{[]Verdict{vacuous, plain}, "holds"},
		{[]Verdict{vacuous, {Outcome: Inconclusive}}, "inconclusive"},
	} {
		if got := WorstWords(tt.verdicts); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.verdicts, got, tt.want)
		}
	}
}
