package claims

import (
	"math"
	"testing"

	"mercer/configs"
	"mercer/results"
)

func distributionClaim(c configs.Distribution) configs.Claim {
	c.Of, c.Equals = configs.Quantity{Text: "x"}, "normal"
	if c.Within == nil {
		c.Within = num("0.1")
	}
	return configs.Claim{ID: "d", Distribution: &c}
}

func TestDistributionOutcomes(t *testing.T) {
	run := func(repeats int, mean, sd float64) results.Run {
		rng := stream(24)
		return fake([]string{"a"}, []string{"n"}, along("n", 100, 400), repeats, func(_ string, p map[string]float64, _ int) map[string]float64 {
			return map[string]float64{"x": mean + sd*rng.NormFloat64(), "y": rng.NormFloat64() / math.Sqrt(p["n"])}
		})
	}
	at400 := func(r results.Row) bool { return number(r, "n") == 400 }
	lose := func(count int) func(results.Row) bool {
		return func(r results.Row) bool { return r.Repeat < count }
	}
	scaled := distributionClaim(configs.Distribution{SD: num("1/sqrt(n)")})
	scaled.Distribution.Of = configs.Quantity{Text: "y"}
	tests := []struct {
		name  string
		claim configs.Claim
		run   results.Run
		want  Outcome
		words []string
	}{
		{"holds", distributionClaim(configs.Distribution{}), run(500, 0, 1), Holds, []string{"all 2 cells lie at or below 0.1", "KS distance"}},
		{"mean and sd", distributionClaim(configs.Distribution{Mean: num("1+alpha"), SD: num("2")}), run(500, 3, 2), Holds, nil},
		{"sd by cell", scaled, run(500, 0, 1), Holds, nil},
		{"another mean", distributionClaim(configs.Distribution{}), run(200, 1, 1), Violated, []string{"contradicts <= 0.1", "2 of 2 cells"}},
		{"another sd", distributionClaim(configs.Distribution{}), run(400, 0, 2), Violated, nil},
		{"few", distributionClaim(configs.Distribution{}), run(60, 0, 1), Inconclusive, []string{"more repeats"}},
		{"two repeats", distributionClaim(configs.Distribution{}), run(2, 0, 1), Inconclusive, []string{"2 repeats", "at least 3 repeats"}},
		{"some lost", distributionClaim(configs.Distribution{}), spoil(run(600, 0, 1), results.Failed, lose(5)), Inconclusive, []string{"5 of 600 repeats give no value: failed: no luck"}},
		{"a cell lost", distributionClaim(configs.Distribution{}), spoil(run(500, 0, 1), results.OOM, at400), Inconclusive, []string{"at n=400: 500 of 500 repeats give no value"}},
		{"a cell skipped", distributionClaim(configs.Distribution{}), spoil(run(500, 0, 1), results.Skipped, at400), Holds, nil},
		{"all skipped", distributionClaim(configs.Distribution{}), spoil(run(5, 0, 1), results.Skipped, lose(5)), NotApplicable, nil},
		{"sd not positive", distributionClaim(configs.Distribution{SD: num("alpha - 2")}), run(9, 0, 1), Inconclusive, []string{"sd is 0, which is not positive"}},
		{"within too large", distributionClaim(configs.Distribution{Within: num("alpha")}), run(9, 0, 1), Inconclusive, []string{"within is 2"}},
		{"no such constant", distributionClaim(configs.Distribution{Mean: num("beta")}), run(9, 0, 1), Inconclusive, []string{"neither a constant"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := one(t, tt.claim, tt.run)
			wants(t, v, tt.want, tt.words...)
			if v.Kind != "distribution" || tt.want == Holds && (v.Relation != "<=" || v.Target != 0.1 || v.High > 0.1 || v.Estimate > v.High || v.Low > v.Estimate) {
				t.Errorf("verdict %+v", v)
			}
		})
	}
}
