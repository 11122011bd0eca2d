package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// shareShapes are laws of repeats, whose mean stands for the 95 % point. Log-normal repeats are
// judged alike at every σ.
var shareShapes = []shape{
	{"log-normal, σ = 0.1", math.Exp(0.1 * z95), func(rng *rand.Rand) float64 { return math.Exp(0.1 * rng.NormFloat64()) }},
	{"normal, 1 ± 0.05", 1 + 0.05*z95, func(rng *rand.Rand) float64 { return 1 + 0.05*rng.NormFloat64() }},
	{"1 + 0.1·exponential", 1 + 0.1*math.Log(20), func(rng *rand.Rand) float64 { return 1 + 0.1*rng.ExpFloat64() }},
	{"1 + exponential", 1 + math.Log(20), func(rng *rand.Rand) float64 { return 1 + rng.ExpFloat64() }},
	{"1 + 0.3·χ² with 1 degree", 1 + 0.3*distuv.ChiSquared{K: 1}.Quantile(0.95), func(rng *rand.Rand) float64 { return 1 + 0.3*chiSquared(rng) }},
	{"1/χ² with 1 degree", 1 / distuv.ChiSquared{K: 1}.Quantile(0.05), func(rng *rand.Rand) float64 { return 1 / chiSquared(rng) }},
	{"gamma, 2", distuv.Gamma{Alpha: 2, Beta: 1}.Quantile(0.95), func(rng *rand.Rand) float64 { return rng.ExpFloat64() + rng.ExpFloat64() }},
	{"χ² with 1 degree", distuv.ChiSquared{K: 1}.Quantile(0.95), chiSquared},
}

// z95 is the 95 % point of the normal law.
const z95 = 1.6448536269514722

// hiddenShares have a mode that 8 repeats miss in 43 and 17 % of runs, 16 in 19 and 3 %.
var hiddenShares = []shape{
	{"1 ± 0.01, in 10 % of repeats 2 ± 0.01", 2, modes(0.1)},
	{"1 ± 0.01, in 20 % of repeats 2 ± 0.01", 2 + 0.01*0.6744897501960817, modes(0.2)},
}

// growingShare claims that 95 % of draws are at most their 95 % point, times a factor.
func growingShare(s shape, first int, factor float64) growing {
	claim := "95 % of draws <= their 95 % point"
	if factor != 1 {
		claim += fmt.Sprintf(" × %g", factor)
	}
	return growing{"value", claim, s.name, first, func(rng *rand.Rand, most int) func(Verdict, int) Outcome {
		values := make([]float64, most)
		for i := range values {
			values[i] = s.draw(rng)
		}
		return func(v Verdict, repeats int) Outcome {
			v.Share = 0.95
			test := inference.ShareTest{Band: inference.Band{Relation: "<=", Value: factor * s.mean}, Share: v.Share, Level: v.Level}
			return judgeCells(v, []cell{{band: test.Band, test: test, values: values[:repeats]}}, plainScale).Outcome
		}
	}}
}

func shareRows() []characteristic {
	var rows []characteristic
	add := func(s shape, factor float64, right string, repeats, looks int, name string, number func(int) inference.Look) {
		g := growingShare(s, repeats, factor)
		truth := s.name
		if looks > 1 {
			truth += fmt.Sprintf("; %s: %d, from %d", name, looks, repeats)
		}
		rows = append(rows, characteristic{kind: g.kind, claim: g.claim, truth: truth, repeats: repeats << (looks - 1), right: right,
			trial: func(rng *rand.Rand) Outcome { o, _ := g.decided(rng, looks, number); return o }})
	}
	for _, s := range shareShapes {
		for _, repeats := range []int{3, 8, 16, 32, 64} {
			add(s, 1, rightNeither, repeats, 1, "", unplanned)
		}
		for _, looks := range []int{3, 5} {
			add(s, 1, rightNeither, 8, looks, "planned looks", planned)
			add(s, 1, rightNeither, 8, looks, "unplanned looks", unplanned)
		}
	}
	for _, s := range hiddenShares {
		for _, repeats := range []int{8, 16, 32, 64} {
			right := rightNeither
			if repeats < 32 {
				right = rightBeyond
			}
			add(s, 1, right, repeats, 1, "", unplanned)
		}
		add(s, 1, rightBeyond, 8, 5, "planned looks", planned)
	}
	for _, repeats := range []int{8, 16, 32, 64} {
		for _, factor := range []float64{1.1, 1.3, 2} {
			add(shareShapes[0], factor, rightHolds, repeats, 1, "", unplanned)
		}
		add(shareShapes[0], 0.9, rightViolated, repeats, 1, "", unplanned)
	}
	return rows
}

// Verdicts on a share say so: what their number is, with its interval.
func TestShareWords(t *testing.T) {
	levels := func(repeats int) results.Run {
		rng := stream(9)
		return fake([]string{"a", "b"}, []string{"n"}, along("n", 100, 200), repeats, func(_ string, p map[string]float64, _ int) map[string]float64 {
			return map[string]float64{"x": math.Exp(p["n"]/1e3 + 0.05*rng.NormFloat64())}
		})
	}
	for _, tt := range []struct {
		claim   configs.ValueClaim
		repeats int
		want    Outcome
		words   []string
	}{
		{configs.ValueClaim{AtMost: num("2")}, 16, Holds, []string{"all 2 cells lie at or below 2", "n=200, has 95 % of draws at most 1.3", "interval [1.2"}},
		{configs.ValueClaim{AtMost: num("1.3")}, 16, Inconclusive, []string{"95 % of draws at most 1.3", "neither lies at or below 1.3"}},
		{configs.ValueClaim{AtMost: num("1.2")}, 16, Violated, []string{"95 % of draws at most 1.3", "1 of 2 cells is violated"}},
		{configs.ValueClaim{AtLeast: num("0.8")}, 16, Holds, []string{"95 % of draws at least 1.0"}},
		{configs.ValueClaim{AtLeast: num("1")}, 64, Inconclusive, []string{"95 % of draws at least 1.0"}},
	} {
		tt.claim.Share = 0.95
		v := one(t, valueClaim(tt.claim), levels(tt.repeats))
		wants(t, v, tt.want, tt.words...)
		if v.Noun() != "95 % of draws" || !(v.Low <= v.Estimate && v.Estimate <= v.High) {
			t.Errorf("%s: %g [%g, %g]", v.Noun(), v.Estimate, v.Low, v.High)
		}
	}
}
