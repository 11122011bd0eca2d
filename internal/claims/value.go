package claims

import (
	"fmt"
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/selection"
)

// value judges the mean over repeats in each cell, or, with Each, every record.
func (j *judge) value(c configs.Claim) ([]Verdict, error) {
	return j.eachGroup(c, nil, func(v Verdict, g selection.Group, q *selection.Quantity) Verdict {
		v = j.valueOf(v, g, q, *c.Value)
		if c.Value.Because != "" {
			v.Notes = append(v.Notes, "tolerance: "+c.Value.Because)
		}
		return v
	})
}

func (j *judge) valueOf(v Verdict, g selection.Group, q *selection.Quantity, c configs.ValueClaim) Verdict {
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	var cells []cell
	var byCell [][]selection.Reading
	at := j.CoordinatesWithin(g.Records)
	for _, in := range j.Cells(readings) {
		b, d := targetOf(j.Environment(g.Dataset, selection.RecordsOf(in[:1])), c.Equals, c.AtMost, c.AtLeast, c.Within)
		if d.Any() {
			return inconclusive(v, d)
		}
		b.slack = roundingSlack * (math.Abs(b.value) + b.within)
		one := sampleOf(in, at.At(in[0].Record))
		one.band = b
		if len(one.values) > 0 || one.lost > 0 {
			cells, byCell = append(cells, one), append(byCell, in)
		}
	}
	if c.Each {
		return j.judgeEach(v, cells, byCell)
	}
	return judgeCells(v, cells, plainScale)
}

// sampleOf is the cell of readings that are repeats of each other.
func sampleOf(readings []selection.Reading, at []Coordinate) cell {
	c := cell{at: at, values: make([]float64, 0, len(readings))}
	for _, m := range readings {
		switch {
		case m.OK():
			c.values = append(c.values, m.Value)
		case !m.Skipped():
			c.lost++
		}
	}
	return c
}

// judgeEach judges every value by itself, up to the relative rounding slack. A
// cell's Estimate is its worst value, Low and High are its least and greatest.
func (j *judge) judgeEach(v Verdict, cells []cell, readings [][]selection.Reading) Verdict {
	v.Level = 1
	tested := make([]judged, len(cells))
	worst := map[string]string{} // the worst record of a cell, by the cell
	for i, c := range cells {
		t := judged{cell: c, outcome: Holds, p: 1}
		excess := math.Inf(-1)
		for _, m := range readings[i] {
			if m.OK() && c.band.excess(m.Value) > excess {
				excess, t.e.mean = c.band.excess(m.Value), m.Value
				worst[selection.Describe(c.at)] = j.Name(m.Record)
			}
		}
		switch {
		case excess > 0:
			t.outcome, t.p = Violated, 0
		case c.lost > 0:
			t.outcome, t.why = Inconclusive, Doubt{fmt.Sprintf("%d records give no value", c.lost), runAgain}
		}
		if t.e.count = len(c.values); t.e.count > 0 {
			t.e.low, t.e.high = slices.Min(c.values), slices.Max(c.values)
		}
		tested[i] = t
	}
	v = conclude(v, tested, scale{plainScale.show, "value"})
	if v.Outcome != Inconclusive {
		v.Reason = eachSentence(v, tested, worst)
	}
	return v
}

func eachSentence(v Verdict, cells []judged, worst map[string]string) string {
	records, outside := 0, 0
	var name string
	var b band
	for _, c := range cells {
		records += len(c.values)
		for _, x := range c.values {
			if c.band.excess(x) > 0 {
				outside++
			}
		}
		if c.outcome == v.Outcome && c.e.mean == v.Estimate {
			name, b = worst[selection.Describe(c.at)], c.band
		}
	}
	if v.Outcome == Holds {
		return fmt.Sprintf("all %d records lie inside %s; the nearest to its edge is %.6g, %s", records, claimed(b, plainScale.show), v.Estimate, name)
	}
	return fmt.Sprintf("%d of %d records lie outside %s; the worst is %.6g, %s", outside, records, claimed(b, plainScale.show), v.Estimate, name)
}
