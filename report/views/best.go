package views

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/results"
)

// best is the method whose values at row i are better than those of every other beyond doubt;
// "" for none, or where no value of the metric is better. The chance that a method is marked
// that is not better than all others is at most 0.05 a row.
func (g *grid) best(i int) string {
	best, known := g.bests[i]
	if !known {
		best = g.bestOf(i)
		g.bests[i] = best
	}
	return best
}

// bestOf compares each method at row i with the one of the best mean, see inference.Comparison: all
// must be worse, with p below 0.05 after Holm's correction, or by a claim's verdict. A method of which
// repeats failed does not compete: those that did not fail may be the easy ones. A row has no best
// where methods that compete differ in a size, e.g. in m: the larger one has an advantage.
func (g *grid) bestOf(i int) string {
	if g.info.Better == "" || g.info.Part {
		return ""
	}
	sign := 1.0
	if g.info.Better == "more" {
		sign = -1
	}
	values := func(method string) inference.Sample { return g.cells[place{i, method}].values }
	mean := func(method string) float64 { return sign * stat.Mean(inOrder(values(method)), nil) }

	present := lists.Where(g.methods, func(method string) bool { return len(values(method)) > 0 && !slices.Contains(g.exact, method) })
	rivals := lists.Where(present, func(method string) bool { return g.varies[method] && !g.cells[place{i, method}].lost })
	if len(rivals) < 2 || !g.unequal && g.sizesDiffer(i, rivals) {
		return ""
	}
	first := slices.MinFunc(rivals, func(a, b string) int { return cmp.Compare(mean(a), mean(b)) })
	rivals = lists.Where(rivals, func(method string) bool { return method != first })

	p := lists.Map(rivals, func(method string) float64 {
		d := inference.Comparison{Level: results.DefaultLevel}.Of(values(first), values(method))
		if !(sign*d.Mean > 0) {
			return 1
		}
		return d.P
	})
	// Repeats that are still missing might be the hard ones.
	fewer := slices.ContainsFunc(rivals, func(method string) bool { return len(values(first)) < len(values(method)) })
	for k, adjusted := range inference.Holm(p) {
		worse := !fewer && adjusted < 1-results.DefaultLevel
		if holds, found := g.claimed(i, first, rivals[k], sign); found {
			worse = holds
		}
		if !worse {
			return ""
		}
	}

	// A method without spread that is as good leaves no best.
	if slices.ContainsFunc(present, func(method string) bool { return !g.varies[method] && mean(method) <= mean(first) }) {
		return ""
	}
	return first
}

// sizesDiffer says whether some methods at row i differ in a size that both have.
func (g *grid) sizesDiffer(i int, methods []string) bool {
	return slices.ContainsFunc(sizes.Names, func(name string) bool {
		values := lists.Map(methods, func(method string) results.Value { return g.cells[place{i, method}].at.Get(name) })
		return len(lists.Once(lists.Where(values, func(v results.Value) bool { return v.Kind != configs.None }))) > 1
	})
}

// claimed is what a verdict says of two methods at row i, where a claim asks which of the two is
// the better: a ratio of 1, or an order without slack. Its outcome goes before the table's own test.
func (g *grid) claimed(i int, better, worse string, sign float64) (holds, found bool) {
	if sign < 0 {
		better, worse = worse, better
	}
	there := g.points[i].With("dataset", configs.TextOf(g.dataset)).With("kernel", configs.TextOf(g.kernel))
	for _, v := range g.verdicts {
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
