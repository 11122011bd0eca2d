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
	return j.paired(c, *c.Ratio, comparison{logRatios, logScale, 0})
}

// comparison turns the pairs of a grid point into values over repeats, of which the mean
// is the log of what is claimed.
type comparison struct {
	values func([]pair, *cell) Doubt
	scale  scale
	least  int // pairs that values need
}

// paired judges a comparison of two methods at each grid point.
func (j *judge) paired(c configs.Claim, r configs.Ratio, by comparison) ([]Verdict, error) {
	return j.eachGroup(c, []string{r.Method.Value, r.To.Value}, func(v Verdict, g results.Group, q *results.Quantity) Verdict {
		v.Group = v.Group.With("method", configs.TextOf(r.Method.Value+"/"+r.To.Value))
		return j.pairedOf(v, g, q, r, by)
	})
}

func (j *judge) pairedOf(v Verdict, g results.Group, q *results.Quantity, r configs.Ratio, by comparison) Verdict {
	readings, ok := j.readings(&v, g, q)
	if !ok {
		return v
	}
	pairs, note, d := j.pairs(readings, r.Method.Value, r.To.Value)
	if d.Any() {
		return inconclusive(v, d)
	}
	if note != "" {
		v.Notes = append(v.Notes, note)
	}
	var cells []cell
	names := j.namesWithin(g.Rows)
	for _, p := range pairs {
		b, d := targetOf(p.constants, nil, r.AtMost, r.AtLeast, nil)
		if !d.Any() && b.Value <= 0 {
			d = badClaim(fmt.Sprintf("a ratio is claimed to be %s %g, which is not positive", b.Relation, b.Value))
		}
		if d.Any() {
			return inconclusive(v, d)
		}
		b.Value, b.Slack = math.Log(b.Value), inference.RoundingSlack
		if c, ok := cellOf(p, names, b, by); ok {
			c.exact = followsFromSizes(q)
			cells = append(cells, c)
		}
	}
	return judgeCells(v, cells, by.scale)
}

// cellOf makes a cell of a pairing; false when every pair of it was skipped.
func cellOf(p pairing, names []string, b inference.Band, by comparison) (cell, bool) {
	c := cell{at: p.at.Only(names...), lost: p.lost, band: b}
	c.problem = by.values(p.pairs, &c)
	if len(p.pairs) < by.least {
		c.need = by.least
	}
	return c, len(p.pairs) > 0 || len(p.lost) > 0
}
