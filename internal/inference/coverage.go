package inference

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Coverage is how many repeats of a cell lie inside a bound that may fail with
// probability delta.
type Coverage struct {
	Inside, Outside int
	Lost            int // repeats without a value: they may be either
}

// Estimate is the cell's. It holds when the one-sided lower Clopper–Pearson
// limit of the coverage is at least 1−δ, with every lost repeat outside; P is
// that of the exact binomial test of "coverage ≥ 1−δ", with every lost repeat
// inside. Low and high are limits of that level each, in the same way.
//
// Reference: Clopper & Pearson, The use of confidence or fiducial limits
// illustrated in the case of the binomial, Biometrika 26 (1934).
func (c Coverage) Estimate(b Band, at Levels) Estimate {
	total := c.Inside + c.Outside + c.Lost
	e := Estimate{Count: c.Inside + c.Outside, Mean: math.NaN(), Low: math.NaN(), High: math.NaN(), P: 1}
	if e.Count == 0 {
		return e
	}
	e.Mean = float64(c.Inside) / float64(e.Count)
	e.Low, e.High = lowerLimit(c.Inside, total, at.Confidence), upperLimit(c.Inside+c.Lost, total, at.Confidence)
	filled := Coverage{Inside: c.Inside + c.Lost, Outside: c.Outside}
	emptied := Coverage{Inside: c.Inside, Outside: c.Outside + c.Lost}
	e.Inside, e.P = emptied.sure(b, at.Confidence), filled.p(b)
	return e
}

// sure says that the lower limit of the coverage is at least what is claimed.
func (c Coverage) sure(b Band, level float64) bool {
	return successes(c.Inside+c.Outside, b.Value).Survival(float64(c.Inside-1)) <= 1-level+RoundingSlack
}

// p is that of a coverage as claimed.
func (c Coverage) p(b Band) float64 {
	return successes(c.Inside+c.Outside, b.Value).CDF(float64(c.Inside))
}

// Needed is how many repeats would decide, were the fraction inside as
// observed: the least number where all are inside, else within 5 %; 0 when none
// up to a million would.
func (c Coverage) Needed(b Band, at Levels) int {
	seen := c.Inside + c.Outside
	if seen == 0 {
		return 0
	}
	if c.Outside == 0 {
		return int(math.Ceil(math.Log(1-at.Confidence)/math.Log(b.Value) - RoundingSlack))
	}
	out := float64(c.Outside) / float64(seen)
	for n := seen + 1; n <= 1e6; n += 1 + n/20 {
		outside := int(math.Ceil(out*float64(n) - RoundingSlack))
		as := Coverage{Inside: n - outside, Outside: outside}
		if as.sure(b, at.Confidence) || as.p(b) < at.Violated {
			return n
		}
	}
	return 0
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
