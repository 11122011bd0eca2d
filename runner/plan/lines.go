package plan

import (
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/results"
)

// checkCells checks what the spec asks of the table on the cells of the plan; whole says that
// these are all cells of the spec.
func (p *Plan) checkCells(whole bool) error {
	var problems configs.Problems
	for _, a := range p.asks() {
		problems.Add(p.checkPlaces(a))
		if whole && a.judged {
			problems.Add(p.checkPicks(a))
		}
	}
	return problems.Err()
}

// checkPlaces refuses what asks for one cell at a place where there are several, e.g. a line
// along n in a grid of n and m: the first such place, of a method that has what is asked.
func (p *Plan) checkPlaces(a ask) error {
	if a.columns == nil {
		return nil
	}
	columns := lists.Once(slices.Concat([]string{"dataset", "kernel", "method"}, a.columns))
	has := map[string]bool{}
	for _, m := range p.Spec.Methods {
		has[m.ID] = p.hasAll(m.ID, a.of)
	}
	seen := map[results.Key]results.Key{}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			if f.Skip != nil || !has[f.Method.ID] {
				continue
			}
			for _, c := range f.Cells {
				if !matches(c.At, a.where) || a.over != "" && c.At.Get(a.over).Kind == configs.None {
					continue
				}
				place := c.At.Only(columns...)
				if other, taken := seen[place]; taken {
					differ := lists.Where(other.Names(), func(name string) bool { return other.Get(name) != c.At.Get(name) })
					return configs.Errorf(a.pos, "%s: at %s there are several cells, which differ in %s; add %s to by, or fix it in where", a.owner, place, strings.Join(differ, ", "), strings.Join(differ, " or "))
				}
				seen[place] = c.At
			}
		}
	}
	return nil
}

// hasAll says that a method may have every metric that quantities use.
func (p *Plan) hasAll(method string, of []configs.Quantity) bool {
	return !slices.ContainsFunc(of, func(q configs.Quantity) bool {
		return slices.ContainsFunc(q.Names(), func(metric string) bool {
			return metrics.MeasureOf(metric) != "" && p.missing(metric, method) != nil
		})
	})
}

// checkPicks refuses a claim whose where picks no cell of a method that the claim cannot do
// without, which could never be decided, and notes one that picks nothing, as where a grid is
// cut for a trial. Of
//
//	grid: {m: [100, 1000], ell: [3, 10]}
//	methods: [{id: nystrom, use: nystrom}, {id: few, use: nystrom, m: ell}]
//
// `where: {m: 1000}` picks no cell of few, whose m is 3 or 10.
func (p *Plan) checkPicks(a ask) error {
	picked := map[string]bool{}
	for c := range p.Cells {
		if matches(c.At, a.where) {
			picked[c.At.Text("method")] = true
		}
	}
	lacking := lists.Where(a.methods, func(id string) bool { return !picked[id] })
	switch {
	case len(picked) == 0:
		p.note("%s cannot be decided: its where picks no cell of this grid", a.owner)
	case len(lacking) > 0:
		return configs.Errorf(a.pos, "%s: its where picks no cell of %s; where is about the values that a method uses, also those that it sets by itself", a.owner, strings.Join(slices.Sorted(slices.Values(lacking)), ", "))
	}
	return nil
}
