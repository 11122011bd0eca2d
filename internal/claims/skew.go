package claims

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/selection"
)

// tail says how long a tail repeats may hide, see skew. Both were chosen by simulation,
// the least with which wrong verdicts are as rare as promised; skewRows has the laws.
type tail struct{ weight, hidden, most float64 }

var (
	plainTail = tail{5, 2.8, 10} // of numbers: as χ² with 1 degree, and log-normal ones with σ = 1
	logTail   = tail{2, 2, 4}    // of logs: as logs of χ² with 1 degree
)

// skewTest compares the mean with the band by limits that allow for a long tail: where
// the t interval of n values has the quantile q, these have q + γ(1 + 2q²)/(6√n), which is
// Johnson's correction for the skewness γ of the law. Repeats that miss the tail show little
// of it, so γ is not what they show but what they may hide; at least 0, since a short
// tail is not relied on either. No test of a mean keeps its level under every law:
// values so rare that none was seen are beyond this one too.
//
// References: Johnson, Modified t tests and confidence intervals for asymmetrical
// populations, J. Amer. Statist. Assoc. 73 (1978); Bahadur & Savage, The nonexistence of
// certain statistical procedures in nonparametric problems, Ann. Math. Statist. 27 (1956).
type skewTest struct {
	meanTest
	tail  tail
	exact bool // equal values are no accident, see judgeEqual
}

// Where the level is small, few repeats miss more of a tail than the correction allows for: of
// logs of χ² limits of level 0.001 are wrong 1.7 times as often, and at 0.0001 2.8 times. So
// below rareLevel limits take the quantile of a smaller level yet.
const rareLevel = 0.01

// rarely is the exponent by which levels below rareLevel shrink; 0 where no tail is allowed for.
func (t tail) rarely(n int) float64 {
	if t == (tail{}) {
		return 0
	}
	return math.Min(0.25, 7.5/float64(n))
}

// inner is the level whose t quantile makes a limit of n values that is wrong at a rate of at
// most alpha.
func (t tail) inner(alpha float64, n int) float64 {
	return alpha * math.Pow(math.Min(1, alpha/rareLevel), t.rarely(n))
}

// outer is the rate alpha of which inner is the level.
func (t tail) outer(level float64, n int) float64 {
	return level * math.Pow(math.Max(1, rareLevel/math.Max(level, 1e-300)), t.rarely(n)/(1+t.rarely(n)))
}

// skew is the skewness that n values of a given sample skewness may come from.
func (t tail) skew(sample float64, n int) float64 {
	return math.Min(t.most, t.weight*math.Max(0, sample+t.hidden/math.Sqrt(float64(n))))
}

// limit is how many standard errors a limit lies from the mean of n values that are
// skewed towards it, where it is q of the t interval.
func (t tail) limit(q, sample float64, n int) float64 {
	return q + t.skew(sample, n)*(1+2*q*q)/(6*math.Sqrt(float64(n)))
}

// quantile is the q of which limit is x; 0 where that is not positive.
func (t tail) quantile(x, sample float64, n int) float64 {
	c := t.skew(sample, n) / (6 * math.Sqrt(float64(n)))
	x = math.Min(math.Max(x-c, 0), 1e100)
	return 2 * x / (1 + math.Sqrt(1+8*c*x))
}

func (t skewTest) estimate(values []float64) estimate {
	e := t.meanTest.estimate(values)
	switch {
	case e.count < MinRepeats:
		return e
	case equal(values):
		return t.judgeEqual(e)
	}
	e.plain = &estimate{inside: e.inside, p: e.p}
	e.skewness = skewness(values, e)
	e.low, e.high = t.limits(e, e.count)
	e.inside = t.band.contains(e.low, e.high)
	if excess := t.band.excess(e.mean); excess > 0 {
		q := t.tail.quantile(excess/e.sd*math.Sqrt(float64(e.count)), t.inwards(e), e.count)
		e.p = t.tail.outer(distuv.StudentsT{Sigma: 1, Nu: float64(e.count - 1)}.Survival(q), e.count)
		if t.band.relation == "=" {
			e.p *= 2
		}
	}
	return e
}

// limits are those of the mean after n repeats of the sample's shape.
func (t skewTest) limits(e estimate, n int) (low, high float64) {
	q := tQuantile(1-t.tail.inner((1-t.band.coverage(t.level))/2, n), n-1)
	se := e.sd / math.Sqrt(float64(n))
	return e.mean - se*t.tail.limit(q, -e.skewness, n), e.mean + se*t.tail.limit(q, e.skewness, n)
}

// inwards is the skewness of a sample outside the band towards the band: a tail that
// was missed there has moved the mean out of it.
func (t skewTest) inwards(e estimate) float64 {
	if e.mean > t.band.high() {
		return -e.skewness
	}
	return e.skewness
}

// needed is the first count of repeats of the sample's shape that decides.
func (t skewTest) needed(e estimate, at levels, cells int) int {
	t.level = at.confidence
	excess, alpha := t.band.excess(e.mean), at.violated/float64(cells)
	switch {
	case e.equal && excess > 0:
		return equalsNeeded(alpha)
	case e.equal:
		return equalsNeeded((1 - t.band.coverage(t.level)) / 2)
	case t.band.relation == "=":
		alpha /= 2
	}
	enough := func(n int) bool {
		if excess > 0 {
			return t.tail.limit(tQuantile(1-t.tail.inner(alpha, n), n-1), t.inwards(e), n)*e.sd <= excess*math.Sqrt(float64(n))
		}
		return t.band.contains(t.limits(e, n))
	}
	last := max(MinRepeats, e.count)
	for last <= maxRepeats && !enough(last) {
		last *= 2
	}
	return min(maxRepeats+1, MinRepeats+sort.Search(last-MinRepeats, func(more int) bool { return enough(MinRepeats + more) }))
}

// skewness is the third central moment over the power 3/2 of the second.
func skewness(values []float64, e estimate) float64 {
	n, sum := float64(e.count), 0.0
	for _, v := range values {
		z := (v - e.mean) / e.sd
		sum += z * z * z
	}
	return sum / n * math.Pow(n/(n-1), 1.5)
}

// equalShare is the share of equal repeats that must be shown for a verdict on them.
const equalShare = 0.95

// equal says that values are the same up to rounding.
func equal(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	return high-low <= roundingSlack*math.Max(math.Abs(low), math.Abs(high))
}

// judgeEqual judges a sample of equal values. They say nothing of how far others may lie:
// their verdict counts once they show that at least equalShare of all repeats is equal.
// Exact samples count as they stand: what follows from sizes, and comparisons and slopes that
// are equal in all repeats though the numbers compared are not.
func (t skewTest) judgeEqual(e estimate) estimate {
	if t.exact {
		return e
	}
	e.equal = true
	e.inside = e.inside && e.count >= equalsNeeded((1-t.band.coverage(t.level))/2)
	if t.band.excess(e.mean) > 0 {
		e.p = math.Pow(equalShare, float64(e.count))
	}
	return e
}

// followsFromSizes says that a quantity is the same in all repeats: sizes, and the
// operations and bytes that they count.
func followsFromSizes(q *selection.Quantity) bool {
	return !slices.ContainsFunc(q.Uses, func(metric string) bool { return metric != "flops" && metric != "fit_memory" })
}

// equalsNeeded is how many equal repeats reject, with p up to alpha, that less than
// equalShare of all is equal.
func equalsNeeded(alpha float64) int {
	return int(math.Ceil(math.Log(alpha) / math.Log(equalShare)))
}

func equalDoubt(count, need int) Doubt {
	return Doubt{fmt.Sprintf("all %d repeats give the same, which does not tell how far others may lie", count),
		settleRepeats(count, need, false) + ", if all are the same"}
}
