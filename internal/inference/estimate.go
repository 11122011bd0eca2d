package inference

import (
	"math"

	"mercer/internal/plain"
)

// MinRepeats is the smallest number of repeats that is judged.
const MinRepeats = 3

// MaxRepeats is the largest number of repeats that is advised.
const MaxRepeats = 1_000_000

// Estimate is a number found over repeats, compared with a band.
type Estimate struct {
	Count     int
	Values    []float64 // that it is of
	Mean, SD  float64   // the number, and the standard deviation where it is a mean
	Low, High float64   // its interval, see Band.coverage
	Inside    bool      // the interval lies in the band
	P         float64   // of the hypothesis that the number lies in the band

	below, above tail      // how far repeats that were not seen may lie
	Plain        *Estimate // by the t interval, where limits allow for a tail
	Equal        bool      // values that decide nothing, for all are equal
}

// Test compares one sample over repeats with a band, and knows what it cannot tell yet.
type Test interface {
	// Estimate takes one value at least. With fewer than MinRepeats there is no
	// interval: Low and High are NaN, Inside is false and P is 1.
	Estimate(values []float64) Estimate
	// Needed is about how many repeats would decide one of so many cells at a look,
	// were the sample's shape that of e; more than MaxRepeats when none do.
	Needed(e Estimate, at Levels, cells int) int
	// Detectable is the alternative that the test, with p below alpha, tells from what is
	// claimed, were the repeats as in e; show maps the test's scale to the reader's. It is
	// nil where there is none.
	Detectable(e Estimate, alpha float64, show func(float64) float64) *Detectable
}

// Skewed says that the repeats themselves show a long tail.
func (e Estimate) Skewed() bool { return max(e.below.skewness, e.above.skewness) > 1 }

// Near says that the mean lies within its standard error of an edge of the band, so that the
// repeats do not tell on which side the truth lies, or how far.
func (e Estimate) Near(b Band) bool {
	return math.Abs(b.Excess(e.Mean)) < e.SD/math.Sqrt(float64(e.Count))
}

// Detectable is what a test could tell apart from what is claimed, at the repeats and the
// spread that were seen: true values below Low or above High give a p below the level of a
// violation, in 80 % of runs or more. An end that is nil, no value passes.
//
// It is that of the test of one mean of normal numbers, by t limits or by those that allow
// for a tail; of a bound that of its coverage, and of a distribution that of its distance.
// Where every value is judged by itself, Share is that of values outside of which one at
// least is seen.
type Detectable struct {
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Share *float64 `json:"share,omitempty"`
}

// RestsOn is what a verdict on a mean takes for granted and no test can tell: the value that
// 1 repeat in as many as there are would need, to move the mean to the edge of the claim.
// One that rare is missed by 37 % of runs. False where the mean lies on the edge.
func (e Estimate) RestsOn(b Band) (far float64, beyond string, rests bool) {
	edge := b.Value + b.Within
	if b.Relation == ">=" || b.Relation == "=" && e.Mean < b.Value {
		edge = b.Value - b.Within
	}
	far = e.Mean + float64(e.Count)*(edge-e.Mean)
	if far < e.Mean {
		return far, "below", true
	}
	return far, "above", far > e.Mean
}

// shown is an end on the reader's scale; nil where it is not finite, there or here.
func shown(end float64, show func(float64) float64) *float64 {
	x := show(end)
	if !plain.Finite(end) || !plain.Finite(x) {
		return nil
	}
	return &x
}
