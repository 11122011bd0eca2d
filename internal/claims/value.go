package claims

import (
	"maps"
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// value judges the mean over repeats in each cell, or, with Each, every record.
func (j *judge) value(c configs.Claim) ([]Verdict, error) {
	return j.eachGroup(c, nil, func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		v = j.valueOf(v, g, q, *c.Value)
		if c.Value.Because != "" {
			v.Notes = append(v.Notes, "tolerance: "+c.Value.Because)
		}
		return v
	})
}

func (j *judge) valueOf(v Verdict, g results.Group, q *results.Quantity, c configs.ValueClaim) Verdict {
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	cells, d := j.sampleCells(g, readings, func(e results.Constants, one *cell) (d Doubt) {
		one.band, d = targetOf(e, c.Equals, c.AtMost, c.AtLeast, c.Within)
		one.exact = followsFromSizes(q)
		one.band.Slack = inference.RoundingSlack * (math.Abs(one.band.Value) + one.band.Within)
		return d
	})
	if d.Any() {
		return inconclusive(v, d)
	}
	if c.Each {
		return j.judgeEach(v, cells)
	}
	s := plainScale
	s.each = true
	s.clip = j.Catalog.Metrics[v.Of].Clip
	return judgeCells(v, cells, s)
}

// judgeEach judges every value by itself, up to the relative rounding slack. A
// cell's Estimate is its worst value, Low and High are its least and greatest.
func (j *judge) judgeEach(v Verdict, cells []cell) Verdict {
	v.Level = 1
	tested := make([]judged, len(cells))
	names := make([]string, len(cells)) // of the worst records
	records, outside := 0, 0
	for i, c := range cells {
		t := judged{cell: c, outcome: Holds, p: 1}
		worst := math.Inf(-1)
		for _, m := range c.readings {
			if !m.OK() {
				continue
			}
			excess := c.band.Excess(m.Value)
			if records++; excess > 0 {
				outside++
			}
			if excess > worst {
				worst, t.e.Mean, names[i] = excess, m.Value, nameOf(m.Row)
			}
		}
		switch {
		case worst > 0:
			t.outcome, t.p = Violated, 0
		case len(c.lost) > 0:
			t.outcome, t.why = Inconclusive, lostDoubt(c.lost, len(c.lost)+len(c.values))
		}
		if t.e.Count = len(c.values); t.e.Count > 0 {
			t.e.Low, t.e.High = slices.Min(c.values), slices.Max(c.values)
		}
		tested[i] = t
	}
	v = conclude(v, tested, scale{show: plainScale.show, what: "value"})
	v.Detectable = inference.DetectableShare(records)
	if len(cells) == 0 || v.Outcome == Inconclusive {
		return v
	}
	worst := worstOf(tested)
	args := found('g', 6, tested[worst].band, plainScale.show, v.Estimate)
	maps.Copy(args, Args{"records": records, "outside": outside, "row": names[worst]})
	v.say(Doubt{map[Outcome]Code{Holds: "each_holds", Violated: "each_contradicts"}[v.Outcome], args})
	return v
}
