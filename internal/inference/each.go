package inference

import (
	"math"
	"slices"
)

// EachTest compares every value with the band, without statistics. The estimate's Mean is the
// worst value, Low and High are the least and the greatest.
type EachTest struct {
	Band Band
	Lost int // values that nobody knows: one of those that are known contradicts a claim all the same
}

// Estimate needs no level.
func (t EachTest) Estimate(values []float64) Estimate {
	e := Estimate{Count: len(values), Values: values, Low: slices.Min(values), High: slices.Max(values), Inside: t.Lost == 0, P: 1}
	worst := math.Inf(-1)
	for _, x := range values {
		if excess := t.Band.Excess(x); excess > worst {
			worst, e.Mean = excess, x
		}
	}
	if worst > 0 {
		e.Inside, e.P = false, 0
	}
	return e
}

// Needed is never asked: what there is decides.
func (t EachTest) Needed(Estimate, Levels, int) int { return 1 }

// Detectable is the share of values outside of which as many show one with chance detectedRate.
func (t EachTest) Detectable(e Estimate, _ float64, _ func(float64) float64) *Detectable {
	share := -math.Expm1(math.Log1p(-detectedRate) / float64(e.Count))
	return &Detectable{Share: &share}
}
