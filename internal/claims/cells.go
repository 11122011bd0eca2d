package claims

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"strings"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

// cell is one cell of a claim over many: a sample over repeats and what is
// claimed of it.
type cell struct {
	at     results.Key
	values []float64
	lost   []string       // why repeats have no value
	band   inference.Band // on the scale of values
	test   inference.Test // of the values against band; nil for their mean
	parts  *[2][]float64  // of which values are the difference, see inference.SkewTest
	exact  bool           // equal values are no accident, see inference.SkewTest
	why    Doubt          // why there are no values
	more   bool           // more repeats may give some
}

// judged is a cell with its result.
type judged struct {
	cell    // whose why is also what keeps it from being decided, but for too few repeats
	e       inference.Estimate
	outcome Outcome
	p       float64 // adjusted by Holm over the cells, and over all looks
}

// namesWithin are the columns that tell the cells of rows apart for a reader: those that vary,
// all but dataset, kernel and method where none does.
func (j *judge) namesWithin(rows []*results.Row) []string {
	if vary := j.Varying(rows); vary != nil {
		return vary
	}
	return lists.Map(j.Catalog.Columns, func(c results.Column) string { return c.Name })[3:]
}

// cellsOf splits readings into cells.
func cellsOf(readings []results.Reading) [][]results.Reading {
	return lists.By(readings, func(m results.Reading) results.Key { return m.Row.At })
}

// nameOf names a row for a reader.
func nameOf(r *results.Row) string {
	var parts []string
	for name, v := range r.At.All() {
		if text := v.String(); name == "dataset" || name == "kernel" || name == "method" {
			parts = append(parts, text)
		} else {
			parts = append(parts, name+"="+text)
		}
	}
	return fmt.Sprintf("%s repeat %d", strings.Join(parts, " "), r.Repeat)
}

// rowsOf are the rows of readings.
func rowsOf(readings []results.Reading) []*results.Row {
	return lists.Map(readings, func(m results.Reading) *results.Row { return m.Row })
}

// sampleCells are the cells of a part, each with its values over repeats; claim
// adds what is claimed of one. Cells in which all was skipped are left out.
func (j *judge) sampleCells(p part, claim func(results.Constants, *cell) Doubt) ([]cell, Doubt) {
	var cells []cell
	names := j.namesWithin(p.Rows)
	for _, in := range cellsOf(p.readings) {
		c := cell{at: in[0].Row.At.Only(names...), values: make([]float64, 0, len(in))}
		if d := claim(j.Constants([]*results.Row{in[0].Row}), &c); d.Any() {
			return nil, d
		}
		for _, m := range in {
			switch {
			case m.OK():
				c.values = append(c.values, m.Value)
			case !m.Skipped():
				c.lost = append(c.lost, m.Err.Error())
			}
		}
		if len(c.values) > 0 || len(c.lost) > 0 {
			cells = append(cells, c)
		}
	}
	return cells, Doubt{}
}

// judgeCells tests each cell and puts the outcomes together. The claim holds
// when every cell holds; that needs no correction, since the claim's null
// hypothesis is the union of the cells' and is rejected only when each of them
// is. It is violated when one cell's p, adjusted by Holm, is below what the look allows.
func judgeCells(v Verdict, cells []cell, s scale) Verdict {
	tested := make([]judged, len(cells))
	p := make([]float64, len(cells))
	for i, c := range cells {
		t := &tested[i]
		*t, p[i] = judged{cell: c}, 1
		if len(c.lost) > 0 {
			t.why, t.more = lostDoubt(c.lost, len(c.lost)+len(c.values)), false
		}
		if c.why.Any() || len(c.values) == 0 {
			continue
		}
		if c.test == nil {
			t.test = inference.SkewTest{Band: c.band, Level: v.Level, Logs: s.logs, Exact: c.exact, Parts: c.parts}
		}
		if t.e = t.test.Estimate(c.values); len(c.lost) == 0 || s.counts {
			p[i] = t.e.P
		}
	}
	for i, adjusted := range inference.Holm(p) {
		tested[i].p = v.overLooks(adjusted)
		tested[i].decide(s)
	}
	return conclude(v, tested, s)
}

// decide settles the outcome of a cell, and says why it is open.
func (c *judged) decide(s scale) {
	c.outcome = Inconclusive
	switch {
	case c.why.Any() && !s.counts:
		return
	case c.e.Inside:
		c.outcome = Holds
	case c.p < inference.ViolatedP:
		c.outcome = Violated
	}
	switch {
	case c.outcome != Inconclusive:
		c.why = Doubt{}
		if s.doubts != nil {
			c.why = s.doubts(*c)
		}
		if c.why.Any() {
			c.outcome = Inconclusive
		}
	case c.why.Any():
	case c.e.Count < inference.MinRepeats && !s.counts:
		c.why, c.more = doubt("few_repeats", "count", c.e.Count), true
	case c.e.Equal:
		c.why, c.more = doubt("all_equal", "count", c.e.Count), true
	default:
		c.more = true
	}
}

// conclude makes the verdict from the cells' results.
func conclude(v Verdict, cells []judged, s scale) Verdict {
	if len(cells) == 0 {
		v.Outcome = NotApplicable
		v.say(doubt("no_cell"))
		return v
	}
	worst := cells[worstOf(cells)]
	counts, least := map[Outcome]int{}, 1.0
	v.Repeats = math.MaxInt
	for _, c := range cells {
		least = min(least, c.p)
		counts[c.outcome]++
		v.Repeats = min(v.Repeats, len(c.values))
		v.Cells = append(v.Cells, c.result(s))
		v.open = v.open || c.outcome == Inconclusive && c.more
	}
	if v.Outcome = worst.outcome; v.Outcome == Violated {
		v.P, v.least = &worst.p, least
	}
	v.open = v.open && v.Outcome == Inconclusive
	r := worst.result(s)
	v.Estimate, v.Low, v.High, v.Target = r.Estimate, r.Low, r.High, r.Target
	v.Relation, v.Within = worst.band.Relation, worst.band.Within
	if s.logs {
		v.Within = 0
	}
	v.say(worst.words(s, counts, len(cells)))
	return v
}

// worstOf is the index of the cell that decides the verdict: its estimate, interval, p and
// place are the verdict's. Of cells of equal outcome it is one without a value, or the one whose
// estimate, and then whose interval, reaches farthest out of what is claimed.
func worstOf(cells []judged) int {
	badness := func(c judged) float64 {
		if c.why.Any() || len(c.values) == 0 {
			return math.Inf(1)
		}
		return c.band.Excess(c.e.Mean)
	}
	margin := func(c judged) float64 { return max(c.band.Low()-c.e.Low, c.e.High-c.band.High()) }
	worst := 0
	for i, c := range cells {
		w := cells[worst]
		if cmp.Or(cmp.Compare(c.outcome.severity(), w.outcome.severity()), cmp.Compare(badness(c), badness(w)), cmp.Compare(margin(c), margin(w))) > 0 {
			worst = i
		}
	}
	return worst
}

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

// words say why the verdict on so many cells is what this, the worst, makes it.
func (c judged) words(s scale, counts map[Outcome]int, cells int) Doubt {
	if c.why.Any() {
		return c.why.with("at", c.at, "open", counts[Inconclusive], "cells", cells)
	}
	low, high := s.ends(c.e)
	d := Doubt{cellCodes[c.outcome], found(cmp.Or(s.format, 'g'), cmp.Or(s.digits, 4), c.band, s.show, s.show(c.e.Mean), low, high)}
	maps.Copy(d.Args, Args{"what": s.what, "at": c.at, "cells": cells, "same": counts[c.outcome], "outcome": string(c.outcome), "p": c.p})
	if s.codes != nil {
		d.Code = s.codes[c.outcome]
	}
	return d
}

// scale maps the scale of a test to the reader's, and says what else is special about a kind.
type scale struct {
	show   func(float64) float64
	what   string
	format byte // of estimates in words, 'g' for 0, with so many digits, 4 for 0
	digits int
	logs   bool                                             // the scale of the test is logarithmic
	clip   func(low, mean, high float64) (float64, float64) // an interval to what its quantity can be; nil for no change
	counts bool                                             // the test knows what lost repeats cannot change, and any number of repeats
	doubts func(judged) Doubt                               // what explains an outcome away; nil for nothing
	codes  map[Outcome]Code                                 // of the outcomes; nil for cellCodes
}

var cellCodes = map[Outcome]Code{Holds: "cells_hold", Violated: "cells_contradict", Inconclusive: "cells_undecided"}

// ends are those of the interval of an estimate.
func (s scale) ends(e inference.Estimate) (low, high float64) {
	low, high = s.show(e.Low), s.show(e.High)
	if s.clip != nil {
		return s.clip(low, s.show(e.Mean), high)
	}
	return low, high
}

var (
	logScale   = scale{show: math.Exp, what: "ratio", logs: true}
	plainScale = scale{show: func(x float64) float64 { return x }, what: "mean"}
)

// targetOf builds the band of a claim from its three alternatives.
func targetOf(e results.Constants, equals, atMost, atLeast, within *configs.Value) (b inference.Band, d Doubt) {
	var err error
	switch {
	case atMost != nil:
		b.Relation = "<="
		b.Value, err = e.Eval(atMost)
	case atLeast != nil:
		b.Relation = ">="
		b.Value, err = e.Eval(atLeast)
	default:
		b.Relation = "="
		b.Value, err = e.Eval(equals)
	}
	if err == nil {
		b.Within, err = e.Eval(within)
	}
	switch {
	case err != nil:
		return b, badClaim(err.Error())
	case b.Within < 0:
		return b, badClaim(fmt.Sprintf("within is %g, which is negative", b.Within))
	}
	return b, Doubt{}
}
