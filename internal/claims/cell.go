package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"

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

// words say why the verdict on all cells is what this, the worst, makes it. violated is the p
// below which the look calls a verdict violated.
func (c judged) words(s scale, counts map[Outcome]int, violated float64) Doubt {
	total := 0
	for _, count := range counts {
		total += count
	}
	if c.why.Any() {
		return c.why.with("at", c.at, "open", counts[Inconclusive], "cells", total)
	}
	low, high := s.ends(c.e)
	d := Doubt{cellCodes[c.outcome], found('g', 4, c.band, s.show, s.show(c.e.Mean), low, high)}
	maps.Copy(d.Args, Args{"what": s.what, "at": c.at, "cells": total, "same": counts[c.outcome], "outcome": string(c.outcome), "p": c.p})
	if c.outcome == Inconclusive {
		t := c.e.Plain
		maps.Copy(d.Args, Args{"outcome": "undecided", "beyond": isBeyond(c.band, c.e), "seen": c.e.Count, "skewed": c.e.Skewed(),
			"hidden": t != nil && (t.Inside || t.P < violated/float64(total))})
	}
	if s.codes != nil {
		d.Code = s.codes[c.outcome]
		maps.Copy(d.Args, s.args(c))
	}
	return d
}

// isBeyond says that a whole interval lies outside a band.
func isBeyond(b inference.Band, e inference.Estimate) bool {
	return e.Low > b.High() || e.High < b.Low()
}

// lastToDecide is the undecided cell of which more repeats decide the claim, nil without one,
// and how many repeats all undecided cells need.
func lastToDecide(cells []judged) (last *judged, need int) {
	for i := range cells {
		c := &cells[i]
		if c.outcome != Inconclusive {
			continue
		}
		if c.why.Any() {
			need = max(need, c.need)
		} else if last == nil || c.decidesAfter(*last) {
			last = c
		}
	}
	if last != nil {
		need = max(need, last.need)
	}
	return last, need
}

// decidesAfter says which of two undecided cells decides the claim. One cell that comes to be
// violated does; where none looks like it, all must come to hold. A cell whose estimate lies
// outside by too little for any number of repeats to tell leaves the claim open.
func (c judged) decidesAfter(other judged) bool {
	outside := c.band.Excess(c.e.Mean) > 0
	switch {
	case outside != (other.band.Excess(other.e.Mean) > 0):
		return outside
	case outside:
		return c.need < other.need
	}
	return c.need > other.need
}

// farthest is how many times the mean a repeat may be, if it is worth a word that none was
// seen. On a logarithmic scale what would move a mean may be beyond all numbers.
const farthest = 1e5

// rests says in words what the verdict on a mean rests on.
func (c judged) rests(s scale) string {
	test, ofMean := c.test.(inference.SkewTest)
	if !ofMean || c.outcome == Inconclusive || test.Exact && test.Equal(c.values) {
		return ""
	}
	far, beyond, moves := c.e.RestsOn(c.band)
	if !moves || s.what == plainScale.what && far < 0 && slices.Min(c.values) >= 0 {
		return ""
	}
	if s.doubts != nil {
		return fmt.Sprintf("assumes that fewer than 1 repeat in %d has a %s %s %.3g", c.e.Count, s.what, beyond, far)
	}
	text := fmt.Sprintf("assumes that fewer than 1 repeat in %d is %s %.3g", c.e.Count, beyond, s.show(far))
	times := s.show(far) / s.show(c.e.Mean)
	if times > farthest || times > 0 && times < 1/farthest {
		return ""
	}
	if times > 1 {
		text += fmt.Sprintf(" (%.3g times the mean)", times)
	}
	return text
}
