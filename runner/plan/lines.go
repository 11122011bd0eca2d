package plan

import (
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/results"
)

// checkCells checks what the spec asks of the table on the cells of the plan.
func (p *Plan) checkCells() error {
	var problems configs.Problems
	for _, a := range p.asks() {
		problems.Add(p.checkPlaces(a))
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
