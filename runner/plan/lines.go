package plan

import (
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/results"
)

// checkPlaces refuses what asks for one cell at a place where there are several, e.g. a line
// along n in a grid of n and m: the first such place, of a method that has what is asked.
func (p *Plan) checkPlaces(a ask) error {
	columns := lists.Once(slices.Concat([]string{"dataset", "kernel", "method"}, a.columns))
	seen := map[results.Key]results.Key{}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			if f.Skip != nil || !p.hasAll(f.Method.ID, a.of) {
				continue
			}
			for _, c := range f.Cells {
				if !matches(c.At, a.where) || a.over != "" && c.At.Get(a.over).Kind == configs.None {
					continue
				}
				place := c.At.Only(columns...)
				if other, taken := seen[place]; taken {
					differ := lists.Where(other.Names(), func(name string) bool { return other.Get(name) != c.At.Get(name) })
					return configs.Errorf(a.pos, "%s: at %s there are several cells, which differ in %s; %s", a.owner, place, strings.Join(differ, ", "), a.advice(differ))
				}
				seen[place] = c.At
			}
		}
	}
	return nil
}

// checkLines does so with all of the spec.
func (p *Plan) checkLines() error {
	var problems configs.Problems
	for _, a := range p.asks() {
		if a.columns != nil {
			problems.Add(p.checkPlaces(a))
		}
	}
	return problems.Err()
}

// hasAll says that a method may have every metric that quantities use.
func (p *Plan) hasAll(method string, of []configs.Quantity) bool {
	return !slices.ContainsFunc(of, func(q configs.Quantity) bool {
		return slices.ContainsFunc(q.Names(), func(metric string) bool {
			return metrics.MeasureOf(metric) != "" && p.missing(metric, method) != nil
		})
	})
}
