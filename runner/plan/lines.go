package plan

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/results"
)

// line is what shows, or reckons with, the repeats of one cell at each place: at each value of
// its columns.
type line struct {
	owner   string
	pos     configs.Pos
	columns []string
	where   configs.Conditions
	of      []configs.Quantity
	over    string // a column that a cell must have to count; "" for none
	advice  func(differ []string) string
}

// splitOrFix and fixOrFacet advise what to do with columns in which cells at one place differ.
func splitOrFix(differ []string) string {
	return "add " + strings.Join(differ, " or ") + " to by, or fix it in where"
}

func fixOrFacet(differ []string) string {
	return "fix " + strings.Join(differ, " and ") + " under where, or make one the facet"
}

// checkLines refuses line, trajectory and bar plots with several cells of one method at one place
// of a line or at one bar, heat maps of a metric with several in one field, ranks with several on one data
// set, and claims on a slope with several at one value.
func (p *Plan) checkLines() error {
	var problems configs.Problems
	for _, plot := range p.Spec.Plots {
		along, advice := []string{plot.X.Text}, splitOrFix
		switch {
		case plot.Kind == configs.PlotTrajectory:
			along = []string{plot.Along.Value}
			if !plot.Along.Given() {
				advice = func(differ []string) string {
					return splitOrFix(differ) + "; points are joined along n unless along names another variable"
				}
			}
		case plot.Kind == configs.PlotHeatmap && plot.Claim.Value == "":
			along, advice = []string{plot.X.Text, plot.Y.Text}, fixOrFacet
		case plot.Kind == configs.PlotRanks:
			along, advice = []string{"dataset", "kernel"}, fixOrFacet
		case plot.Kind != configs.PlotLine && !plot.Rows():
			continue
		}
		columns := slices.Concat(along, plot.By.Texts(), []string{plot.Facet.Value})
		problems.Add(p.checkLine(line{fmt.Sprintf("plot %q", plot.ID), plot.Pos, columns, plot.Where, plot.Quantities(), "", advice}))
	}
	for _, claim := range p.Spec.Statements() {
		if s := claim.Slope; s != nil && !claim.OnTarget {
			columns := append(s.By.Texts(), s.Over.Value)
			problems.Add(p.checkLine(line{claim.Name(), claim.Pos, columns, s.Where, []configs.Quantity{s.Of}, s.Over.Value, splitOrFix}))
		}
	}
	return problems.Err()
}

// checkLine refuses the first place with two cells, of a method that has what is shown.
func (p *Plan) checkLine(l line) error {
	columns := lists.Once(slices.Concat([]string{"dataset", "kernel", "method"}, l.columns))
	seen := map[results.Key]results.Key{}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			if f.Skip != nil || !p.hasAll(f.Method.ID, l.of) {
				continue
			}
			for _, c := range f.Cells {
				if !matches(c.At, l.where) || l.over != "" && c.At.Get(l.over).Kind == configs.None {
					continue
				}
				place := c.At.Only(columns...)
				if other, taken := seen[place]; taken {
					return l.clash(place, other, c.At)
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

// clash says what tells two cells at one place apart, and what to do.
func (l line) clash(place, a, b results.Key) error {
	differ := lists.Where(a.Names(), func(name string) bool { return a.Get(name) != b.Get(name) })
	return configs.Errorf(l.pos, "%s: at %s there are several cells, which differ in %s; %s", l.owner, place, strings.Join(differ, ", "), l.advice(differ))
}
