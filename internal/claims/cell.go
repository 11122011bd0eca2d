package claims

import (
	"math"

	"mercer/internal/inference"
	"mercer/results"
)

// cell is one cell of a claim over many: a sample over repeats and what is
// claimed of it.
type cell struct {
	at       results.Key
	readings []results.Reading // that the values are of, if each is one
	values   []float64
	lost     []string       // why repeats have no value
	band     inference.Band // on the scale of values
	test     inference.Test // of the values against band; nil for their mean
	parts    *[2][]float64  // of which values are the difference, see inference.SkewTest
	exact    bool           // equal values are no accident, see inference.SkewTest
	problem  Doubt          // why there are no values
	need     int            // repeats that would decide it; 0 where repeats would not
}

// judged is a cell with its result.
type judged struct {
	cell
	e       inference.Estimate
	outcome Outcome
	p       float64 // adjusted by Holm over the cells, and over all looks
	why     Doubt   // what keeps it from being decided, but for too few repeats
}

// badness orders cells of equal outcome: those without a value first, then by how far the
// estimate lies outside of what is claimed, or how near to the edge inside.
func (c judged) badness() float64 {
	if c.why.Any() || len(c.values) == 0 {
		return math.Inf(1)
	}
	return c.band.Excess(c.e.Mean)
}

// margin is how far the interval reaches out of what is claimed; negative inside. It orders
// cells of equal estimates.
func (c judged) margin() float64 { return max(c.band.Low()-c.e.Low, c.e.High-c.band.High()) }

func (c judged) result(s scale) CellOutcome {
	r := CellOutcome{Cell: c.at, Outcome: c.outcome, P: c.p, Repeats: len(c.values), Target: math.NaN(),
		Estimate: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if c.band.Relation != "" {
		r.Target = s.show(c.band.Value)
	}
	if c.e.Count > 0 {
		r.Estimate = s.show(c.e.Mean)
		r.Low, r.High = s.ends(c.e)
	}
	return r
}
