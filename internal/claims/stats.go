package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

const (
	// MinRepeats is the smallest number of repeats that is judged.
	MinRepeats = 3
	// roundingSlack is the relative difference that is put down to rounding: a
	// factor 1e-9 is far above what double precision loses in a metric and far
	// below what any claim is about.
	roundingSlack = 1e-9
)

// band is what a claim allows a number to be: [value-within, value+within] for
// "=", one side of value for "<=" and ">=".
type band struct {
	relation string
	value    float64
	within   float64
	slack    float64 // absolute, for rounding
}

func (b band) low() float64 {
	if b.relation == "<=" {
		return math.Inf(-1)
	}
	return b.value - b.within - b.slack
}

func (b band) high() float64 {
	if b.relation == ">=" {
		return math.Inf(1)
	}
	return b.value + b.within + b.slack
}

func (b band) contains(low, high float64) bool { return low >= b.low() && high <= b.high() }

// excess is how far x lies outside the band; negative inside, by the distance
// to the nearest edge.
func (b band) excess(x float64) float64 { return math.Max(b.low()-x, x-b.high()) }

// coverage is that of the two-sided interval whose position decides "holds":
// for one-sided claims each of its ends is a bound at the level.
func (b band) coverage(level float64) float64 {
	if b.relation == "=" {
		return level
	}
	return 2*level - 1
}

// estimate is a number found over repeats, compared with a band.
type estimate struct {
	count     int
	mean, sd  float64 // the number, and the standard deviation where it is a mean
	low, high float64 // its interval, see band.coverage
	inside    bool    // the interval lies in the band
	p         float64 // of the hypothesis that the number lies in the band
	decisive  bool    // values lost to failures could not change inside, or p < violated

	skewness float64   // of the sample, where limits allow for a long tail
	plain    *estimate // by the t interval, there
	equal    bool      // values that cannot be decided by are all equal
}

// estimator compares one sample over repeats with a band.
type estimator interface {
	// estimate takes one value at least. With fewer than MinRepeats there is no
	// interval: low and high are NaN, inside is false and p is 1.
	estimate(values []float64) estimate
}

// sampleTest is an estimator that knows how many repeats would decide.
type sampleTest interface {
	estimator
	// needed is about how many repeats would decide one of so many cells at a look,
	// were the sample's shape as observed; more than maxRepeats when none do.
	needed(e estimate, at levels, cells int) int
}

// estimateOf applies a test to values, of which there must be one at least. lost
// values are imputed at the least and at the greatest value, and the interval,
// inside and p are the least favourable of the three.
func estimateOf(t estimator, values []float64, lost int, violated float64) estimate {
	e := t.estimate(values)
	if lost == 0 || e.count < MinRepeats {
		e.decisive = lost == 0
		return e
	}
	before := e
	for _, extreme := range []float64{slices.Min(values), slices.Max(values)} {
		filled := t.estimate(slices.Concat(values, slices.Repeat([]float64{extreme}, lost)))
		e.inside = e.inside && filled.inside
		e.p = math.Max(e.p, filled.p)
	}
	if t, ok := t.(lostTest); ok {
		e.p = math.Max(e.p, t.lostP(before, lost))
	}
	e.decisive = e.inside == before.inside && (e.p < violated) == (before.p < violated)
	return e
}

// lostTest is a test to which values lost anywhere, not at the ends, may be the
// most favourable.
type lostTest interface {
	// lostP is at least the largest p that lost values beside those of e leave.
	lostP(e estimate, lost int) float64
}

// meanTest compares the mean with the band, by its t interval.
type meanTest struct {
	band  band
	level float64
}

// estimate works in units of a power of 2, so that squares of large values do not
// overflow and those of small ones do not vanish; other results are the same, bit for
// bit.
func (t meanTest) estimate(values []float64) estimate {
	unit := unitOf(append([]float64{t.band.value, t.band.within}, values...))
	scaled := lists.Map(values, func(v float64) float64 { return v / unit })
	b := t.band
	b.value, b.within, b.slack = b.value/unit, b.within/unit, b.slack/unit
	e := meanTest{b, t.level}.inUnits(scaled)
	e.mean, e.low, e.high = e.mean*unit, e.low*unit, e.high*unit
	e.sd = min(e.sd*unit, math.MaxFloat64)
	return e
}

// unitOf is the largest power of 2 up to the largest magnitude; 1 where that is 0.
func unitOf(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, exponent-1)
}

func (t meanTest) inUnits(values []float64) estimate {
	b := t.band
	e := estimate{count: len(values), mean: stat.Mean(values, nil), sd: math.NaN(), low: math.NaN(), high: math.NaN(), p: 1}
	if e.count < MinRepeats {
		return e
	}
	e.sd = stat.StdDev(values, nil)
	if slices.Min(values) == slices.Max(values) {
		e.mean, e.sd = values[0], 0
	}
	se := e.sd / math.Sqrt(float64(e.count))
	student := distuv.StudentsT{Sigma: 1, Nu: float64(e.count - 1)}
	half := tQuantile((1+b.coverage(t.level))/2, e.count-1) * se
	e.low, e.high = e.mean-half, e.mean+half
	e.inside = b.contains(e.low, e.high)
	switch excess := b.excess(e.mean); {
	case excess <= 0:
	case se == 0:
		e.p = 0
	case b.relation == "=":
		e.p = math.Min(1, 2*student.Survival(excess/se))
	default:
		e.p = student.Survival(excess / se)
	}
	return e
}

// ZeroMean tests whether the mean of values over repeats is 0: the mean, its t
// interval of the level, and the two-sided p. Values lost to failures count as the
// least and as the greatest of the others, and p is the least favourable. With fewer
// than MinRepeats there is no interval (NaN), and p is 1; one value there must be.
func ZeroMean(values []float64, lost int, level float64) (mean, low, high, p float64) {
	e := estimateOf(meanTest{band{relation: "=", slack: roundingSlack}, level}, values, lost, violatedP)
	return e.mean, e.low, e.high, e.p
}

// maxRepeats is the largest number of repeats that is advised.
const maxRepeats = 1_000_000

// settleRepeats says how many repeats would decide, were the truth as estimated; near says
// that it may as well lie on the edge, see [estimate.near].
func settleRepeats(count, need int, near bool) string {
	switch {
	case count < MinRepeats:
		return fmt.Sprintf("at least %d repeats", MinRepeats)
	case need > maxRepeats:
		return "no number of repeats: the estimate lies on the edge of what is claimed"
	case need > count && near:
		return fmt.Sprintf("about %d repeats in place of %d if the estimate is exact, but perhaps no number: it lies within its standard error of the edge of what is claimed", need, count)
	case need > count:
		return fmt.Sprintf("about %d repeats in place of %d", need, count)
	}
	return fmt.Sprintf("a few more repeats than %d", count)
}

// fewRepeats doubts a mean of fewer than MinRepeats.
func fewRepeats(count int) Doubt {
	return Doubt{plain.Count(count, "repeat gives", "repeats give") + " no confidence interval that could be relied on", settleRepeats(count, 0, false)}
}

// near says that the mean lies within its standard error of an edge of the band, so that the
// repeats do not tell on which side the truth lies, or how far.
func (e estimate) near(b band) bool {
	return math.Abs(b.excess(e.mean)) < e.sd/math.Sqrt(float64(e.count))
}

// tooFew says in a clause why a test decides nothing, see [settleRepeats].
func tooFew(count, need int) string {
	if need > maxRepeats {
		return "the estimate lies on the edge of what is claimed"
	}
	return plain.Count(count, "repeat is", "repeats are") + " too few"
}

// outcome applies the two tests with a p that may have been adjusted.
func (e estimate) outcome(p, violated float64) Outcome {
	switch {
	case e.count < MinRepeats:
		return Inconclusive
	case e.inside:
		return Holds
	case p < violated:
		return Violated
	}
	return Inconclusive
}

// tQuantile is the p quantile of Student's t with nu degrees of freedom; of many by the
// series of Abramowitz & Stegun 26.7.5, in a hundredth of the time and to 1e-7.
func tQuantile(p float64, nu int) float64 {
	if nu >= 100 {
		z, v := distuv.UnitNormal.Quantile(p), float64(nu)
		y := z * z
		return z * (1 + (y+1)/(4*v) + ((5*y+16)*y+3)/(96*v*v) + (((3*y+19)*y+17)*y-15)/(384*v*v*v) +
			((((79*y+776)*y+1482)*y-1920)*y-945)/(92160*v*v*v*v))
	}
	of := studentQuantile{p, nu}
	if known, ok := quantiles.Load(of); ok {
		return known.(float64)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(nu)}.Quantile(p)
	quantiles.Store(of, t)
	return t
}

type studentQuantile struct {
	p  float64
	nu int
}

// quantiles remembers those of fewer than 100 degrees, which take as long as the rest of a
// verdict: there are few levels.
var quantiles sync.Map

// Holm adjusts p-values for being many: the result, compared with a level,
// keeps the chance of any false rejection below it under every dependence.
//
// Reference: Holm, A simple sequentially rejective multiple test procedure,
// Scand. J. Statist. 6 (1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = math.Max(highest, math.Min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = highest
	}
	return adjusted
}

// bisect is where, between low and high, reached turns from false at low to true at
// high, to a rounding error of their distance.
func bisect(low, high float64, reached func(float64) bool) float64 {
	for range 50 {
		if middle := (low + high) / 2; reached(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
