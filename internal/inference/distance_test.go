package inference

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
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
	distance := DistanceTest{Law: distuv.UnitNormal, Within: 0.5, Level: 0.95}
	for _, tt := range []struct {
		n int
		d float64
	}{{8, 0.45}, {40, 0.2}} {
		far := 0
		for range samples {
			if distance.Estimate(draws(rng, tt.n, distuv.UnitNormal)).Mean >= tt.d {
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
	test := DistanceTest{Law: distuv.Normal{Mu: 1, Sigma: 2}, Within: 0.3, Level: 0.9}
	values := draws(stream(22), 12, distuv.Normal{Mu: 1.5, Sigma: 2})
	e := test.Estimate(values)
	limit := func(count int) float64 { // the p at which P(X <= count) is 1 - level
		return Bisect(0, 1, func(p float64) bool {
			sum := 0.0
			for k := 0; k <= count; k++ {
				sum += binomial(k, len(values), p)
			}
			return sum < 0.1
		})
	}
	distance, high := 0.0, 0.0
	for x := -12.0; x < 14; x += 1e-3 {
		below := 0
		for _, v := range values {
			if v <= x {
				below++
			}
		}
		f := test.Law.CDF(x)
		distance = max(distance, math.Abs(float64(below)/12-f))
		high = max(high, limit(below)-f, f-(1-limit(12-below)))
	}
	if math.Abs(e.Mean-distance) > 2e-4 || math.Abs(e.High-high) > 2e-4 { // the grid's step times the density of 0.2
		t.Errorf("distance %v, limit %v; by brute force %v, %v", e.Mean, e.High, distance, high)
	}
	if e.Low != math.Max(0, e.Mean-ksQuantile(12, 0.9)) {
		t.Errorf("low %v", e.Low)
	}
}

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2025)) }
