package claims

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
	"mercer/results"
)

// Quantiles of the Kolmogorov–Smirnov distance as tables print them (Miller, J.
// Amer. Statist. Assoc. 51 (1956), table 1), to their last digit; and the
// frequency of larger distances among 20000 samples, to four standard
// deviations.
func TestKSSurvival(t *testing.T) {
	for _, tt := range []struct {
		n         int
		level     float64
		published float64
	}{
		{5, 0.95, 0.56328}, {5, 0.99, 0.66853}, {10, 0.95, 0.40925}, {10, 0.99, 0.48893},
		{20, 0.95, 0.29408}, {20, 0.99, 0.35241}, {100, 0.95, 0.13403}, {100, 0.99, 0.16081},
	} {
		if got := ksQuantile(tt.n, tt.level); math.Abs(got-tt.published) > 2e-5 {
			t.Errorf("n = %d, level %g: %.5f, want %.5f", tt.n, tt.level, got, tt.published)
		}
	}
	const samples = 20000
	rng := stream(21)
	distance := lawTest{law: distuv.UnitNormal, within: 0.5, level: 0.95, known: map[int]ecdfLimits{}}
	for _, tt := range []struct {
		n int
		d float64
	}{{8, 0.45}, {40, 0.2}} {
		far := 0
		for range samples {
			if distance.estimate(draws(rng, tt.n, distuv.UnitNormal)).mean >= tt.d {
				far++
			}
		}
		want := ksSurvival(tt.n, tt.d)
		if got := float64(far) / samples; math.Abs(got-want) > 4*math.Sqrt(want/samples) {
			t.Errorf("n = %d: %.4f are farther than %g, want %.4f", tt.n, got, tt.d, want)
		}
	}
	if ksSurvival(10, 0) != 1 || ksSurvival(10, 1) != 0 || ksSurvival(1, 0.9) < 0.2-1e-12 || ksSurvival(1, 0.9) > 0.2+1e-12 {
		t.Error("ends") // of one value, P(|U - 1/2| > 0.4) = 0.2
	}
}

func draws(rng *rand.Rand, n int, law distuv.Normal) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = law.Mu + law.Sigma*rng.NormFloat64()
	}
	return values
}

// The distance and its upper limit against a search over a fine grid of x; the
// limits are found from sums of binomial probabilities there.
func TestLawTestByBruteForce(t *testing.T) {
	test := lawTest{law: distuv.Normal{Mu: 1, Sigma: 2}, within: 0.3, level: 0.9, known: map[int]ecdfLimits{}}
	values := draws(stream(22), 12, distuv.Normal{Mu: 1.5, Sigma: 2})
	e := test.estimate(values)
	limit := func(count int) float64 { // the p at which P(X <= count) is 1 - level
		p, ok := root(func(p float64) float64 {
			sum := 0.0
			for k := 0; k <= count; k++ {
				sum += binomial(k, len(values), p)
			}
			return sum - 0.1
		}, 1e-9, 1-1e-9)
		if !ok {
			return 1
		}
		return p
	}
	distance, high := 0.0, 0.0
	for x := -12.0; x < 14; x += 1e-3 {
		below := 0
		for _, v := range values {
			if v <= x {
				below++
			}
		}
		f := test.law.CDF(x)
		distance = max(distance, math.Abs(float64(below)/12-f))
		high = max(high, limit(below)-f, f-(1-limit(12-below)))
	}
	if math.Abs(e.mean-distance) > 2e-4 || math.Abs(e.high-high) > 2e-4 { // the grid's step times the density of 0.2
		t.Errorf("distance %v, limit %v; by brute force %v, %v", e.mean, e.high, distance, high)
	}
	if e.low != math.Max(0, e.mean-ksQuantile(12, 0.9)) {
		t.Errorf("low %v", e.low)
	}
}

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
	at400 := func(r results.Record) bool { return r.N == 400 }
	lose := func(count int) func(results.Record) bool {
		return func(r results.Record) bool { return r.Repeat < count }
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
		{"few", distributionClaim(configs.Distribution{}), run(60, 0, 1), Inconclusive, []string{"repeats in place of 60"}},
		{"two repeats", distributionClaim(configs.Distribution{}), run(2, 0, 1), Inconclusive, []string{"2 repeats", "at least 3 repeats"}},
		{"some lost", distributionClaim(configs.Distribution{}), spoil(run(600, 0, 1), results.Failed, lose(5)), Holds, []string{"10 of 1200 records give no value"}},
		{"many lost", distributionClaim(configs.Distribution{}), spoil(run(600, 0, 1), results.Failed, lose(100)), Inconclusive, []string{"could change the answer", "run what failed again"}},
		{"a cell lost", distributionClaim(configs.Distribution{}), spoil(run(500, 0, 1), results.OOM, at400), Inconclusive, []string{"at n=400: no repeat gives a value"}},
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

// With as many repeats as advised, and the sample's distance what the advice
// takes it for, the claim is decided.
func TestDistributionRepeatsNeeded(t *testing.T) {
	for _, tt := range []struct {
		name   string
		within float64
		count  int
		law    distuv.Normal
	}{
		{"the law itself", 0.1, 60, distuv.UnitNormal},
		{"near enough", 0.2, 200, distuv.Normal{Mu: 0.35, Sigma: 1}},
		{"too far", 0.1, 100, distuv.Normal{Mu: 0.5, Sigma: 1}},
	} {
		test := lawTest{law: distuv.UnitNormal, within: tt.within, level: 0.95, known: map[int]ecdfLimits{}}
		// The quantiles of a law are a sample whose distance hardly depends on chance.
		sample := func(n int) []float64 {
			values := make([]float64, n)
			for i := range values {
				values[i] = tt.law.Quantile((float64(i) + 0.5) / float64(n))
			}
			return values
		}
		e := test.estimate(sample(tt.count))
		need := test.needed(e, whole, 1)
		decided := func(n int) bool { e := test.estimate(sample(n)); return e.inside || e.p < violatedP }

		if decided(tt.count) || !decided(need+need/10) || decided(need/3) {
			t.Errorf("%s: %d repeats advised in place of %d", tt.name, need, tt.count)
		}
	}
}

// TestLostInTheMiddle loses the values of a normal sample within 0.3 of its mean,
// a quarter of them: what is left is 0.12 away from the law that all follow, and
// contradicts it only if what is lost is forgotten.
func TestLostInTheMiddle(t *testing.T) {
	rng := stream(9)
	var left []float64
	lost := 0
	for range 2000 {
		if x := rng.NormFloat64(); math.Abs(x) < 0.3 {
			lost++
		} else {
			left = append(left, x)
		}
	}
	test := lawTest{law: distuv.UnitNormal, within: 0.05, level: 0.95, known: map[int]ecdfLimits{}}
	if e := estimateOf(test, left, 0, violatedP); e.p >= violatedP {
		t.Errorf("p = %g of the values left, not small", e.p)
	}
	if e := estimateOf(test, left, lost, violatedP); e.p < violatedP || e.inside || e.decisive {
		t.Errorf("with %d lost: %+v", lost, e)
	}
}
