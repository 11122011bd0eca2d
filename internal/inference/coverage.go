package inference

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// CoverageTest compares the chance that a repeat lies inside a bound with the one claimed. Values
// are 1 inside and 0 outside.
type CoverageTest struct {
	Claimed float64 // the least chance
	Level   float64
	Lost    int // repeats without a value: they may be either
}

// Estimate holds when the one-sided lower Clopper–Pearson limit of the coverage is at least
// what is claimed, with every lost repeat outside; P is that of the exact binomial test, with
// every lost repeat inside. Low and high are limits of that level each, in the same way.
//
// Reference: Clopper & Pearson, The use of confidence or fiducial limits
// illustrated in the case of the binomial, Biometrika 26 (1934).
func (t CoverageTest) Estimate(values []float64) Estimate {
	inside, total := int(floats.Sum(values)), len(values)+t.Lost
	e := Estimate{Count: len(values), Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	if e.Count == 0 {
		return e
	}
	e.Mean = float64(inside) / float64(e.Count)
	e.Low, e.High = lowerLimit(inside, total, t.Level), upperLimit(inside+t.Lost, total, t.Level)
	successes := distuv.Binomial{N: float64(total), P: t.Claimed}
	e.Inside, e.P = successes.Survival(float64(inside-1)) <= 1-t.Level+RoundingSlack, successes.CDF(float64(inside+t.Lost))
	return e
}

// lowerLimit is the one-sided lower Clopper–Pearson limit of a probability
// after k successes in n trials.
func lowerLimit(k, n int, level float64) float64 {
	if k <= 0 {
		return 0
	}
	return distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(1 - level)
}

// upperLimit is the one-sided upper Clopper–Pearson limit.
func upperLimit(k, n int, level float64) float64 {
	if k >= n {
		return 1
	}
	return distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(level)
}
