package claims

import (
	"fmt"
	"maps"
	"slices"

	"mercer/internal/inference"
)

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
	d := Doubt{map[Outcome]Code{Holds: "cells_hold", Violated: "cells_contradict", Inconclusive: "cells_undecided"}[c.outcome],
		found('g', 4, c.band, s.show, s.show(c.e.Mean), low, high)}
	maps.Copy(d.Args, Args{"what": s.what, "at": c.at, "cells": total, "same": counts[c.outcome], "outcome": string(c.outcome), "p": c.p})
	if c.outcome == Inconclusive {
		t := c.e.Plain
		maps.Copy(d.Args, Args{"outcome": "undecided", "beyond": isBeyond(c.band, c.e), "seen": c.e.Count, "skewed": c.e.Skewed(),
			"hidden": t != nil && (t.Inside || t.P < violated/float64(total))})
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
