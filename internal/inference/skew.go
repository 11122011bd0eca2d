package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// What n repeats may hide of a tail, see [skew]: tailWeight times the sum of the skewness that
// they show and of tailFew − tailFall·log n. The numbers were chosen by simulation: the narrowest
// limits of normal numbers whose wrong verdicts are as rare as promised under all laws of
// docs/verdicts.md, for values, log ratios, slopes and pseudo-values alike.
const (
	tailWeight = 5.0
	tailFew    = 2.2
	tailFall   = 0.6
)

// SkewTest compares the mean with the band by limits that allow for a long tail: where
// the t interval of n values has the quantile q, these have q + γ(1 + 2q²)/(6√n), which is
// Johnson's correction for the skewness γ of the law. Repeats that miss the tail show little
// of it, so γ is not what they show but what they may hide; at least 0, since a short
// tail is not relied on either. No test of a mean keeps its level under every law:
// values so rare that none was seen are beyond this one too.
//
// References: Johnson, Modified t tests and confidence intervals for asymmetrical
// populations, J. Amer. Statist. Assoc. 73 (1978); Bahadur & Savage, The nonexistence of
// certain statistical procedures in nonparametric problems, Ann. Math. Statist. 27 (1956).
type SkewTest struct {
	Band  Band
	Level float64
	Logs  bool // values are logarithms or slopes, so that a difference of 1e-14 is rounding
	Exact bool // values follow from sizes alone: equal ones count as they stand
	// Parts are two samples whose difference the values are, and whose tails may cancel in it:
	// pseudo-values of two log standard deviations. Nil for values that are a sample.
	Parts *[2][]float64
}

// Where the level is small, few repeats miss more of a tail than the correction allows for: of
// logs of χ² limits of level 0.001 are wrong 1.7 times as often, and at 0.0001 2.8 times. So
// below rareLevel limits take the quantile of a smaller level yet.
const rareLevel = 0.01

// rarely is the exponent by which levels below rareLevel shrink.
func rarely(n int) float64 { return math.Min(0.2, 6/float64(n)) }

// inner is the level whose t quantile makes a limit of n values that is wrong at a rate of at
// most alpha.
func inner(alpha float64, n int) float64 {
	return alpha * math.Pow(math.Min(1, alpha/rareLevel), rarely(n))
}

// outer is the rate alpha of which inner is the level.
func outer(level float64, n int) float64 {
	return level * math.Pow(math.Max(1, rareLevel/math.Max(level, 1e-300)), rarely(n)/(1+rarely(n)))
}

// tail is one side of a sample: its skewness towards that side, and by what the correction for it
// is multiplied, 1 of a sample of its own.
type tail struct{ skewness, share float64 }

// skew is the skewness that n values with this tail may come from: at least theirs, and not
// negative.
func (t tail) skew(n int) float64 {
	hidden := tailFew - tailFall*math.Log(float64(n))
	return t.share * max(0, t.skewness, tailWeight*(t.skewness+hidden))
}

// limit is how many standard errors a limit on this side lies from the mean of n values, where it
// is q of the t interval.
func (t tail) limit(q float64, n int) float64 {
	return q + t.skew(n)*(1+2*q*q)/(6*math.Sqrt(float64(n)))
}

// quantile is the q of which limit is x; 0 where that is not positive.
func (t tail) quantile(x float64, n int) float64 {
	c := t.skew(n) / (6 * math.Sqrt(float64(n)))
	x = math.Min(math.Max(x-c, 0), 1e100)
	return 2 * x / (1 + math.Sqrt(1+8*c*x))
}

// Estimate has the limits that allow for a tail. Equal values that are not Exact decide
// nothing: n of them bound the share of others, and not how far these may lie.
func (t SkewTest) Estimate(values []float64) Estimate {
	e := MeanTest{t.Band, t.Level}.Estimate(values)
	switch {
	case e.Count < MinRepeats:
		return e
	case t.Equal(values) && !t.Exact:
		e.Low, e.High, e.Inside, e.P, e.Equal = math.NaN(), math.NaN(), false, 1, true
		return e
	case t.Equal(values):
		return e
	}
	n, se := e.Count, e.SD/math.Sqrt(float64(e.Count))
	below, above := t.tails(values, e.Mean, e.SD)
	q := TQuantile(1-inner((1-t.Band.coverage(t.Level))/2, n), n-1)
	e.Low, e.High = e.Mean-se*below.limit(q, n), e.Mean+se*above.limit(q, n)

	// Values that are the same but for rounding, on the very edge of what is claimed, say nothing
	// of others: the interval lies in the band by more than rounding.
	inside := t.Band
	inside.Slack = -inside.Slack
	e.Inside, e.P = inside.Contains(e.Low, e.High), 1
	if excess := t.Band.Excess(e.Mean); excess > 0 {
		inwards := above // what was missed towards the band has moved the mean out of it
		if e.Mean > t.Band.High() {
			inwards = below
		}
		q := inwards.quantile(excess/e.SD*math.Sqrt(float64(n)), n)
		e.P = outer(distuv.StudentsT{Sigma: 1, Nu: float64(e.Count - 1)}.Survival(q), e.Count)
		if t.Band.Relation == "=" {
			e.P *= 2
		}
	}
	return e
}

// spreadShare is by how much more the pseudo-values of a log standard deviation may hide than
// other numbers: they are squares, and their own tail is a long one.
const spreadShare = 3

// tails are those of a sample of so large a mean and standard deviation. With Parts, the mean may
// lie higher by what the first has not shown, and lower by what the second has not: each by its
// share of the spread, which is 1 at most where the two go together.
func (t SkewTest) tails(values []float64, mean, sd float64) (below, above tail) {
	if t.Parts == nil {
		g := skewness(values, mean, sd)
		return tail{-g, 1}, tail{g, 1}
	}
	of := func(part []float64) tail {
		mean, own := stat.MeanStdDev(part, nil)
		return tail{skewness(part, mean, own), spreadShare * math.Pow(min(1, own/sd), 3)}
	}
	return of(t.Parts[1]), of(t.Parts[0])
}

// skewness is the third central moment over the power 3/2 of the second.
func skewness(values []float64, mean, sd float64) float64 {
	n, sum := float64(len(values)), 0.0
	if sd == 0 {
		return 0
	}
	for _, v := range values {
		z := (v - mean) / sd
		sum += z * z * z
	}
	return sum / n * math.Pow(n/(n-1), 1.5)
}

// tie is the difference up to which values are equal: relative to them, and of logs and
// slopes absolute. It is some units in the last place, far less than RoundingSlack, since two
// methods may differ by less than 1e-9 of their errors in earnest.
const tie = 1e-14

// Equal says that values are equal.
func (t SkewTest) Equal(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	scale := 1.0
	if !t.Logs {
		scale = math.Max(math.Abs(low), math.Abs(high))
	}
	return high-low <= tie*scale
}
