package inference

import (
	"math"
	"sort"

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
	e := Estimate{Count: len(values), Values: values, Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	if e.Count == 0 {
		return e
	}
	e.Mean = float64(inside) / float64(e.Count)
	e.Low, e.High = lowerLimit(inside, total, t.Level), upperLimit(inside+t.Lost, total, t.Level)
	e.Inside, e.P = t.sure(inside, total), t.p(inside+t.Lost, total)
	return e
}

// sure says that the lower limit of the coverage is at least what is claimed.
func (t CoverageTest) sure(inside, total int) bool {
	return successes(total, t.Claimed).Survival(float64(inside-1)) <= 1-t.Level+RoundingSlack
}

// p is that of a coverage as claimed.
func (t CoverageTest) p(inside, total int) float64 {
	return successes(total, t.Claimed).CDF(float64(inside))
}

// Needed takes the share of repeats inside for what it is: it is the least number where all are
// inside, else one within 5 %.
func (t CoverageTest) Needed(e Estimate, at Levels, _ int) int {
	t.Level = at.Confidence
	out := 1 - floats.Sum(e.Values)/float64(e.Count)
	if out == 0 {
		return int(math.Ceil(math.Log(1-at.Confidence)/math.Log(t.Claimed) - RoundingSlack))
	}
	for n := e.Count + 1; n <= MaxRepeats; n += 1 + n/20 {
		inside := n - int(math.Ceil(out*float64(n)-RoundingSlack))
		if t.sure(inside, n) || t.p(inside, n) < at.Violated {
			return n
		}
	}
	return MaxRepeats + 1
}

// Detectable is the coverage below which the p of as many repeats is below alpha with chance
// detectedRate; nil where no repeat inside would be none too few.
func (t CoverageTest) Detectable(e Estimate, alpha float64, _ func(float64) float64) *Detectable {
	n := e.Count
	claimed := successes(n, t.Claimed)
	if n == 0 || claimed.CDF(0) >= alpha {
		return nil
	}
	most := float64(sort.Search(n, func(k int) bool { return claimed.CDF(float64(k)) >= alpha }) - 1)
	low := Bisect(0, t.Claimed, func(p float64) bool { return successes(n, p).CDF(most) <= detectedRate })
	return &Detectable{Low: &low}
}

// successes is the law of successes in n trials of probability p.
func successes(n int, p float64) distuv.Binomial { return distuv.Binomial{N: float64(n), P: p} }

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
