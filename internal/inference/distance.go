package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// DistanceTest compares the Kolmogorov–Smirnov distance Δ = sup|F - Law| with Within.
//
// The estimate is D, the distance of the empirical distribution function. Its
// upper limit is the largest distance of Law to the pointwise Clopper–Pearson
// limits of F: were Δ at least Within, there would be one point where F is that
// far from Law, and there alone the limit must fail. So it fails with
// probability at most 1-Level, without a price for the many points; it is about
// 0.6 times as far from D as the Dvoretzky–Kiefer–Wolfowitz inequality, which
// holds at all points at once. Its lower limit, and the p of "Δ <= within", come
// from D <= Δ + sup|Fn - F| and the exact law of the latter (for a continuous F;
// ties make it smaller, which is on the safe side).
type DistanceTest struct {
	Law    distuv.Normal
	Within float64
	Level  float64
}

// Band is what the claim allows the distance to be.
func (t DistanceTest) Band() Band { return Band{Relation: "<=", Value: t.Within} }

// Estimate has the distance, its limits and its p. O(n log n).
func (t DistanceTest) Estimate(values []float64) Estimate {
	n := len(values)
	e := Estimate{Count: n, SD: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	f := make([]float64, n+2) // law at the ordered values, between 0 and 1
	for i, x := range slices.Sorted(slices.Values(values)) {
		f[i+1] = t.Law.CDF(x)
	}
	f[n+1] = 1
	for i := range n + 1 {
		share := float64(i) / float64(n)
		e.Mean = max(e.Mean, share-f[i], f[i+1]-share)
	}
	if n < MinRepeats {
		return e
	}
	limits := t.limits(n)
	e.High = 0
	for i, at := range limits.pointwise { // i values lie below any point between values i and i+1
		e.High = max(e.High, at.high-f[i], f[i+1]-at.low)
	}
	e.Low = max(0, e.Mean-limits.uniform)
	e.Inside = e.High <= t.Within
	if e.Mean > t.Within {
		e.P = ksSurvival(n, e.Mean-t.Within)
	}
	return e
}

// ecdfLimits are the limits of a distribution function that do not depend on the
// values: pointwise where i = 0 ... n of n values lie below, and uniform.
type ecdfLimits struct {
	pointwise []struct{ low, high float64 }
	uniform   float64
}

var knownLimits memory[levelAndCount, ecdfLimits]

// limits are those for n values.
func (t DistanceTest) limits(n int) ecdfLimits {
	return knownLimits.at(levelAndCount{t.Level, n}, func() ecdfLimits {
		l := ecdfLimits{uniform: ksQuantile(n, t.Level)}
		for i := range n + 1 {
			l.pointwise = append(l.pointwise, struct{ low, high float64 }{lowerLimit(i, n, t.Level), upperLimit(i, n, t.Level)})
		}
		return l
	})
}

// ksSurvival is the probability that the empirical distribution function of n
// independent values from a continuous law is farther than d from it: twice that
// of being too far above it, which counts runs that are too far on both sides
// double. For the small p that decide, of which that is p⁴/8, it is exact. O(n).
//
// Reference: Birnbaum & Tingey, One-sided confidence contours for probability
// distribution functions, Ann. Math. Statist. 22 (1951), eq 2.2.
func ksSurvival(n int, d float64) float64 {
	if d <= 0 {
		return 1
	}
	if d >= 1 {
		return 0
	}
	size := float64(n)
	sum := 0.0
	for k := 0; float64(k) < size*(1-d); k++ {
		at := d + float64(k)/size
		sum += math.Exp(combin.LogGeneralizedBinomial(size, float64(k)) +
			float64(k-1)*math.Log(at) + float64(n-k)*math.Log1p(-at))
	}
	return math.Min(1, 2*d*sum)
}

// ksQuantile is the distance that ksSurvival gives 1-level.
func ksQuantile(n int, level float64) float64 {
	return ksQuantiles.at(levelAndCount{level, n}, func() float64 {
		return Bisect(0, 1, func(d float64) bool { return ksSurvival(n, d) <= 1-level })
	})
}

var ksQuantiles memory[levelAndCount, float64]
