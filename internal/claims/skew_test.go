package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"mercer/internal/inference"
)

// shape is a law of repeats that need not be symmetric.
type shape struct {
	name string
	mean float64
	draw func(*rand.Rand) float64
}

func chiSquared(rng *rand.Rand) float64 {
	z := rng.NormFloat64()
	return z * z
}

// studentT is t with 2 degrees: its mean is 0, its variance infinite.
func studentT(rng *rand.Rand) float64 { return rng.NormFloat64() / math.Sqrt(rng.ExpFloat64()) }

var (
	shapes = []shape{
		{"normal repeats", 0, (*rand.Rand).NormFloat64},
		{"Student's t with 2 degrees", 0, studentT},
		{"exponential repeats", 1, (*rand.Rand).ExpFloat64},
		{"χ² with 1 degree", 1, chiSquared},
		{"log-normal, σ = 1", math.Exp(0.5), func(rng *rand.Rand) float64 { return math.Exp(rng.NormFloat64()) }},
	}
	// logShapes are what ratios are judged by; E log χ² = log 2 + ψ(1/2) = −1.27036….
	logShapes = []shape{
		{"ratio normal after log", 0, (*rand.Rand).NormFloat64},
		{"log ratio t with 2 degrees", 0, studentT},
		{"ratio to 1 of χ² with 1 degree", -1.2703628454614782, func(rng *rand.Rand) float64 { return math.Log(chiSquared(rng)) }},
		{"ratio to 1 of exponentials", -0.5772156649015329, func(rng *rand.Rand) float64 { return math.Log(rng.ExpFloat64()) }},
	}
	rare      = shape{"1, in 3 % of repeats 100", 3.97, outliers(0)}
	noisyRare = shape{"1 ± 0.1, in 3 % of repeats 100", 3.97, outliers(0.1)}
)

func outliers(noise float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 {
		if rng.Float64() < 0.03 {
			return 100
		}
		return 1 + noise*rng.NormFloat64()
	}
}

// outcome judges repeats of the shape against its mean or, shifted by so many of
// its units, another number.
func (s shape) outcome(rng *rand.Rand, relation string, shift float64, repeats int, on scale) Outcome {
	return s.outcomeOver(rng, 1, relation, shift, repeats, on)
}

// outcomeOver judges so many cells of the shape.
func (s shape) outcomeOver(rng *rand.Rand, count int, relation string, shift float64, repeats int, on scale) Outcome {
	cells := make([]cell, count)
	for i := range cells {
		cells[i].band = inference.Band{Relation: relation, Value: s.mean + shift}
		for range repeats {
			cells[i].values = append(cells[i].values, s.draw(rng))
		}
	}
	return judgeCells(newVerdict(nil, "", 0.95, inference.Look{}), cells, on).Outcome
}

// skewRows have repeats of which the t interval is wrong up to 23 % of the time (holds)
// and 14 % (violated).
func skewRows() []characteristic {
	var rows []characteristic
	add := func(kind string, s shape, relation string, shift float64, repeats int, right string, on scale) {
		claim := relation + " its mean"
		if shift != 0 {
			claim += fmt.Sprintf(" %+g", shift)
		}
		rows = append(rows, characteristic{kind: kind, claim: claim, truth: s.name, repeats: repeats, right: right,
			trial: func(rng *rand.Rand) Outcome { return s.outcome(rng, relation, shift, repeats, on) }})
	}
	for _, repeats := range []int{5, 20, 60} {
		for _, relation := range []string{"<=", ">="} {
			for _, s := range shapes {
				add("value", s, relation, 0, repeats, rightNeither, plainScale)
			}
			for _, s := range logShapes {
				add("ratio", s, relation, 0, repeats, rightNeither, logScale)
			}
		}
	}
	for _, repeats := range []int{3, 4, 10, 30} {
		add("value", shapes[3], "<=", 0, repeats, rightNeither, plainScale)
		add("value", shapes[3], ">=", 0, repeats, rightNeither, plainScale)
	}
	// Cells have levels of a tenth each, at which few repeats miss more of a tail.
	for _, repeats := range []int{5, 8, 16} {
		for _, c := range []struct {
			kind string
			s    shape
			on   scale
		}{{"value", shapes[3], plainScale}, {"value", shapes[4], plainScale}, {"ratio", logShapes[2], logScale}} {
			relation := map[string]string{"value": ">=", "ratio": "<="}[c.kind]
			rows = append(rows, characteristic{kind: c.kind, claim: relation + " its mean in 10 cells", truth: c.s.name, repeats: repeats, right: rightNeither,
				trial: func(rng *rand.Rand) Outcome { return c.s.outcomeOver(rng, 10, relation, 0, repeats, c.on) }})
		}
	}
	for _, repeats := range []int{10, 30} {
		add("value", shapes[0], "<=", 1, repeats, rightHolds, plainScale)
		add("value", shapes[0], "<=", -2, repeats, rightViolated, plainScale)
		add("value", shapes[3], "<=", 2, repeats, rightHolds, plainScale)
	}
	for _, repeats := range []int{5, 30, 100, 300} {
		for _, s := range []shape{rare, noisyRare} {
			add("value", s, "<=", 0, repeats, rightBeyond, plainScale)
			add("value", s, ">=", 0, repeats, rightBeyond, plainScale)
		}
	}
	return rows
}

// TestEqualSettle: only where a claim has the key each is it advised.
func TestEqualSettle(t *testing.T) {
	each := plainScale
	each.each = true
	cells := []cell{{values: []float64{1, 1, 1}, band: inference.Band{Relation: "<=", Value: 2}}}
	for want, s := range map[bool]scale{true: each, false: plainScale} {
		if v := judgeCells(newVerdict(nil, "", 0.95, inference.Look{}), cells, s); v.Outcome != Inconclusive || strings.Contains(v.Settle, "each") != want {
			t.Errorf("%s: %q", v.Outcome, v.Settle)
		}
	}
	if d := equalDoubt(3, 61); strings.Contains(d.settle, "each") {
		t.Errorf("of a slope: %q", d.settle)
	}
}

// Equal repeats count once they show that 95 % of all are equal: 0.95^61 < 0.045 <
// 0.95^60, 0.95^74 < 0.0225, and for violated 0.95^92 < 0.009 < 0.95^91.
func TestEqualRepeats(t *testing.T) {
	for _, tt := range []struct {
		relation string
		value    float64
		repeats  int
		want     Outcome
	}{
		{"<=", 2, 60, Inconclusive}, {"<=", 2, 61, Holds}, {"=", 1, 73, Inconclusive}, {"=", 1, 74, Holds},
		{">=", 2, 91, Inconclusive}, {">=", 2, 92, Violated}, {"=", 2, 91, Inconclusive},
	} {
		c := cell{band: inference.Band{Relation: tt.relation, Value: tt.value, Slack: inference.RoundingSlack}}
		for range tt.repeats {
			c.values = append(c.values, 1)
		}
		v := judgeCells(newVerdict(nil, "", 0.95, inference.Look{}), []cell{c}, plainScale)
		if v.Outcome != tt.want || v.Outcome == Inconclusive && v.Settle == "" {
			t.Errorf("%d repeats of 1, %s %g: %s (%s; %s), want %s", tt.repeats, tt.relation, tt.value, v.Outcome, v.Reason, v.Settle, tt.want)
		}
		c.exact = true
		if v := judgeCells(newVerdict(nil, "", 0.95, inference.Look{}), []cell{c}, plainScale); v.Outcome == Inconclusive {
			t.Errorf("exact: %s", v.Reason)
		}
	}
}

// 20 repeats of mean 1 are at the edge 2 with 1 repeat in 20 at 1 + 20·(2 − 1) = 21.
func TestRests(t *testing.T) {
	for _, tt := range []struct {
		b    inference.Band
		on   scale
		want string
	}{
		{inference.Band{Relation: "<=", Value: 2}, plainScale, "assumes that fewer than 1 repeat in 20 is above 21 (21 times the mean)"},
		{inference.Band{Relation: ">=", Value: 2}, plainScale, "assumes that fewer than 1 repeat in 20 is above 21 (21 times the mean)"},
		{inference.Band{Relation: ">=", Value: 0.5}, plainScale, ""}, // no repeat is negative
		{inference.Band{Relation: "<=", Value: 1.5}, logScale, "assumes that fewer than 1 repeat in 20 is above 5.99e+04 (2.2e+04 times the mean)"},
		{inference.Band{Relation: "<=", Value: 3}, logScale, ""}, // e^41: no repeat is so large
	} {
		c := judged{cell: cell{band: tt.b, test: inference.SkewTest{}, values: []float64{0, 2}}, outcome: Holds, e: inference.Estimate{Count: 20, Mean: 1}}
		if got := c.rests(tt.on); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.b, got, tt.want)
		}
	}
}
