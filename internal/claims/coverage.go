package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// coverage is how many repeats of a cell lie inside a bound that may fail with
// probability delta.
type coverage struct {
	inside, outside int
	lost            int // repeats without a value: they may be either
}

// test is the cell's. It holds when the one-sided lower Clopper–Pearson
// limit of the coverage is at least 1−δ, with every lost repeat outside; p is
// that of the exact binomial test of "coverage ≥ 1−δ", with every lost repeat
// inside. Low and high are limits of that level each, in the same way.
//
// Reference: Clopper & Pearson, The use of confidence or fiducial limits
// illustrated in the case of the binomial, Biometrika 26 (1934).
func (c coverage) test(b band, at levels) estimate {
	total := c.inside + c.outside + c.lost
	e := estimate{count: c.inside + c.outside, mean: math.NaN(), low: math.NaN(), high: math.NaN(), p: 1}
	if e.count == 0 {
		return e
	}
	e.mean = float64(c.inside) / float64(e.count)
	e.low, e.high = lowerLimit(c.inside, total, at.confidence), upperLimit(c.inside+c.lost, total, at.confidence)
	filled := coverage{inside: c.inside + c.lost, outside: c.outside}
	emptied := coverage{inside: c.inside, outside: c.outside + c.lost}
	e.inside, e.p = emptied.sure(b, at.confidence), filled.p(b)
	e.decisive = filled.sure(b, at.confidence) == e.inside && (emptied.p(b) < at.violated) == (e.p < at.violated)
	return e
}

// sure says that the lower limit of the coverage is at least what is claimed.
func (c coverage) sure(b band, level float64) bool {
	return successes(c.inside+c.outside, b.value).Survival(float64(c.inside-1)) <= 1-level+roundingSlack
}

// p is that of a coverage as claimed.
func (c coverage) p(b band) float64 {
	return successes(c.inside+c.outside, b.value).CDF(float64(c.inside))
}

// repeatsNeeded is how many repeats would decide, were the fraction inside as
// observed: the least number where all are inside, else within 5 %; 0 when none
// up to a million would.
func (c coverage) repeatsNeeded(b band, at levels) int {
	seen := c.inside + c.outside
	if seen == 0 {
		return 0
	}
	if c.outside == 0 {
		return int(math.Ceil(math.Log(1-at.confidence)/math.Log(b.value) - roundingSlack))
	}
	out := float64(c.outside) / float64(seen)
	for n := seen + 1; n <= 1e6; n += 1 + n/20 {
		outside := int(math.Ceil(out*float64(n) - roundingSlack))
		as := coverage{inside: n - outside, outside: outside}
		if as.sure(b, at.confidence) || as.p(b) < at.violated {
			return n
		}
	}
	return 0
}

// settle says how many repeats would decide, in words and as a number.
func (c coverage) settle(b band, at levels) (string, int) {
	if c.lost > 0 {
		return runAgain, 0
	}
	seen, need := c.inside+c.outside, c.repeatsNeeded(b, at)
	switch {
	case need == 0:
		return "no number of repeats: the coverage lies on the edge of what is claimed", maxRepeats + 1
	case c.outside == 0:
		return fmt.Sprintf("%d repeats in place of %d, if all of them lie inside the bound", need, seen), need
	}
	return fmt.Sprintf("about %d repeats in place of %d, if as many of them lie inside the bound", need, seen), need
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
