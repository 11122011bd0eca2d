package claims

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

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

// sampleCells are the cells of readings, each with its values over repeats; claim
// adds what is claimed of one. Cells in which all was skipped are left out.
func (j *judge) sampleCells(g results.Group, readings []results.Reading, claim func(results.Constants, *cell) Doubt) ([]cell, Doubt) {
	var cells []cell
	names := j.namesWithin(g.Rows)
	for _, in := range cellsOf(readings) {
		c := cell{at: in[0].Row.At.Only(names...), readings: in, values: make([]float64, 0, len(in))}
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
		*t, p[i] = judged{cell: c, why: c.problem}, 1
		if len(c.lost) > 0 {
			t.why, t.need = lostDoubt(c.lost, len(c.lost)+len(c.values)), 0
		}
		if c.problem.Any() || len(c.values) == 0 {
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
		tested[i].decide(v, len(cells), s)
	}
	return conclude(v, tested, s)
}

// decide settles the outcome of one of so many cells, and says why it is open.
func (c *judged) decide(v Verdict, cells int, s scale) {
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
		c.why, c.need = doubt("few_repeats", "count", c.e.Count), inference.MinRepeats
	case c.e.Equal:
		c.why, c.need = doubt("all_equal", "count", c.e.Count, "each", s.each), 2*c.e.Count
	default:
		c.need = max(c.test.Needed(c.e, v.next(), cells), 1)
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
	}
	if v.Outcome = worst.outcome; v.Outcome == Violated {
		v.P, v.least = &worst.p, least
	}
	r := worst.result(s)
	v.Estimate, v.Low, v.High, v.Target = r.Estimate, r.Low, r.High, r.Target
	if worst.test != nil && (!worst.why.Any() || s.counts || s.doubts != nil && !worst.e.Equal) {
		v.Detectable = worst.test.Detectable(worst.e, v.levels().Violated/float64(len(cells)), s.show)
	}
	v.Relation, v.Within, v.exact = worst.band.Relation, worst.band.Within, worst.exact
	if s.what == logScale.what {
		v.Within = 0
	}
	words := worst.words(s, counts, v.levels().Violated)
	if note := worst.rests(s); note != "" {
		v.Notes = append(v.Notes, note)
	}
	if v.Outcome == Inconclusive {
		var last *judged
		if last, v.Need = lastToDecide(cells); last != nil {
			words = words.with("count", last.e.Count, "need", last.need, "near", last.e.Near(last.band), "mean", last.e.Mean)
		}
	}
	v.say(words)
	return v
}

// worstOf is the index of the cell that decides the verdict: its estimate, interval, p and
// place are the verdict's.
func worstOf(cells []judged) int {
	worst := 0
	for i, c := range cells {
		w := cells[worst]
		if cmp.Or(cmp.Compare(c.outcome.severity(), w.outcome.severity()), cmp.Compare(c.badness(), w.badness()), cmp.Compare(c.margin(), w.margin())) > 0 {
			worst = i
		}
	}
	return worst
}

// scale maps the scale of a test to the reader's, and says what else is special about a kind.
type scale struct {
	show   func(float64) float64
	what   string
	logs   bool                                       // the scale of the test is logarithmic
	each   bool                                       // a claim may also mean each value by itself
	clip   func(low, high float64) (float64, float64) // an interval to what its quantity can be; nil for no change
	counts bool                                       // the test knows what lost repeats cannot change, and any number of repeats
	doubts func(judged) Doubt                         // what explains an outcome away; nil for nothing
	codes  map[Outcome]Code                           // of the outcomes; nil for cellCodes
	args   func(judged) Args                          // what else the words of codes are about
}

var cellCodes = map[Outcome]Code{Holds: "cells_hold", Violated: "cells_contradict", Inconclusive: "cells_undecided"}

// ends are those of the interval of an estimate.
func (s scale) ends(e inference.Estimate) (low, high float64) {
	low, high = s.show(e.Low), s.show(e.High)
	if s.clip != nil {
		return s.clip(low, high)
	}
	return low, high
}

var (
	logScale   = scale{show: math.Exp, what: "ratio", logs: true}
	plainScale = scale{show: func(x float64) float64 { return x }, what: "mean"}
)
