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
	e := Estimate{Count: len(values), Low: slices.Min(values), High: slices.Max(values), Inside: t.Lost == 0, P: 1}
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
