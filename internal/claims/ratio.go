package claims

import (
	"fmt"
	"math"

	"mercer/configs"
	"mercer/internal/inference"
	"mercer/results"
)

// ratio judges of(Method)/of(To) at each grid point, paired over repeats: the
// mean log-ratio against log(at_most) or log(at_least).
func (j *judge) ratio(c configs.Claim) ([]Verdict, error) {
	return j.paired(c, *c.Ratio, logRatios, logScale)
}

// paired judges a comparison of two methods at each grid point.
func (j *judge) paired(c configs.Claim, r configs.Ratio, values valuesOf, s scale) ([]Verdict, error) {
	top, bottom := r.Method.Value, r.To.Value
	band := func(e results.Constants) (inference.Band, Doubt) {
		b, d := targetOf(e, nil, r.AtMost, r.AtLeast, nil)
		if !d.Any() && b.Value <= 0 {
			d = badClaim(fmt.Sprintf("a ratio is claimed to be %s %g, which is not positive", b.Relation, b.Value))
		}
		b.Value, b.Slack = math.Log(b.Value), inference.RoundingSlack
		return b, d
	}
	return j.eachGroup(c, []string{top, bottom}, func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		v.Group = v.Group.With("method", configs.TextOf(top+"/"+bottom))
		readings, ok := j.readings(&v, g, q)
		if !ok {
			return v
		}
		cells, d := j.pairedCells(g, readings, top, bottom, values, band)
		if d.Any() {
			return inconclusive(v, d)
		}
		return judgeCells(v, exactly(cells, q), s)
	})
}

// valuesOf gives a cell the values of its pairs, whose mean is the log of what is claimed; the
// doubt says why there are none.
type valuesOf func([]pair, *cell) Doubt

// pairedCells has a cell for each grid point of two methods at which not all was skipped.
func (j *judge) pairedCells(g results.Group, readings []results.Reading, top, bottom string, values valuesOf, band func(results.Constants) (inference.Band, Doubt)) ([]cell, Doubt) {
	pairs, d := j.pairs(readings, top, bottom)
	if d.Any() {
		return nil, d
	}
	var cells []cell
	names := j.namesWithin(g.Rows)
	for _, p := range pairs {
		b, d := band(p.constants)
		if d.Any() {
			return nil, d
		}
		c := cell{at: p.at.Only(names...), lost: p.lost, band: b}
		if c.problem = values(p.pairs, &c); len(p.pairs) > 0 || len(p.lost) > 0 {
			cells = append(cells, c)
		}
	}
	return cells, Doubt{}
}

// exactly says of cells whether equal values are no accident.
func exactly(cells []cell, q *results.Quantity) []cell {
	for i := range cells {
		cells[i].exact = followsFromSizes(q)
	}
	return cells
}
