package views

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/results"
)

// best is the method whose values at row i are better than those of every other beyond doubt;
// "" for none, or where no value of the metric is better. The chance that a method is marked
// that is not better than all others is at most 0.05 a row.
func (g *grid) best(i int) string {
	if g.bests == nil {
		g.bests = make([]string, len(g.points))
		for row := range g.points {
			g.bests[row] = g.bestOf(row)
		}
	}
	return g.bests[i]
}

func (g *grid) bestOf(i int) string {
	first, rest := g.compared(i)
	if len(rest) == 0 || slices.ContainsFunc(rest, func(r rival) bool { return !r.worse }) || g.reached(i, first) {
		return ""
	}
	return first
}

// reached says whether a method without spread, other than a reference, has a mean at row i that is
// no worse than that of best.
func (g *grid) reached(i int, best string) bool {
	mean := stat.Mean(g.cells[place{i, best}].values(), nil)
	return slices.ContainsFunc(g.methods, func(method string) bool {
		at := place{i, method}
		if len(g.cells[at]) == 0 || g.varies[method] || slices.Contains(g.exact, method) {
			return false
		}
		other := stat.Mean(g.cells[at].values(), nil)
		return other == mean || g.info.Better == "more" == (other > mean)
	})
}

// rival is a method beside the one with the best mean.
type rival struct {
	method string
	worse  bool // beyond doubt
}

// compared tests each method at row i against the one with the best mean, see inference.Comparison:
// it is worse where p is below 0.05 after Holm's correction. There are no rivals where no
// value of the metric is better, or fewer than two methods compete. One of which repeats
// failed does not: those that did not may be the easy ones.
func (g *grid) compared(i int) (first string, rest []rival) {
	candidates := lists.Where(g.methods, func(method string) bool {
		at := place{i, method}
		return len(g.cells[at]) > 0 && !g.lost[at] && g.varies[method] && !slices.Contains(g.exact, method)
	})
	if g.info.Better == "" || g.info.Part || len(candidates) == 0 {
		return "", nil
	}
	sign := 1.0
	if g.info.Better == "more" {
		sign = -1
	}
	mean := func(method string) float64 { return sign * stat.Mean(g.cells[place{i, method}].values(), nil) }
	first = slices.MinFunc(candidates, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
	values := g.cells[place{i, first}]
	var p []float64
	fewer := false // repeats that are still missing might be the hard ones
	for _, method := range candidates {
		if others := g.cells[place{i, method}]; method != first {
			fewer = fewer || len(values) < len(others)
			d := inference.Comparison{Level: results.DefaultLevel}.Of(values.byRepeat(), others.byRepeat())
			if !(sign*d.Mean > 0) {
				d.P = 1
			}
			p, rest = append(p, d.P), append(rest, rival{method: method})
		}
	}
	for k, adjusted := range inference.Holm(p) {
		rest[k].worse = !fewer && adjusted < 1-results.DefaultLevel
		if less, found := g.claimed(i, first, rest[k].method, sign); found {
			rest[k].worse = less
		}
	}
	return first, rest
}

// claimed is what a verdict says of two methods at row i, where a claim asks which of the two is
// the better: a ratio of 1, or an order without slack. Its outcome goes before the table's own test.
func (g *grid) claimed(i int, better, worse string, sign float64) (holds, found bool) {
	if sign < 0 {
		better, worse = worse, better
	}
	there := g.points[i].With("dataset", configs.TextOf(g.dataset)).With("kernel", configs.TextOf(g.kernel))
	for _, v := range g.verdicts {
		if v.Of != g.metric || v.Control || v.Kind != "ratio" && v.Kind != "order" {
			continue
		}
		for _, c := range v.Cells {
			if c.Target != 1 {
				continue
			}
			methods := cmp.Or(c.Cell.Text("method"), v.Group.Text("method"))
			asked := v.Relation == "<=" && methods == better+"/"+worse || v.Relation == ">=" && methods == worse+"/"+better
			if asked && there.Meets(v.Group.Without("method")) && there.Meets(c.Cell.Without("method")) {
				return c.Outcome == claims.Holds, true
			}
		}
	}
	return false, false
}

// byRepeat are the values by repeat.
func (s sample) byRepeat() inference.Sample {
	of := inference.Sample{}
	for _, v := range s {
		of[v.repeat] = v.value
	}
	return of
}
