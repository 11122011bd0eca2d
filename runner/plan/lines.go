package plan

import (
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/results"
)

// checkLines refuses line and trajectory plots with several cells of one method at one place
// of a line, heat maps of a metric with several in one field, and ranks with several on one
// data set: each shows the repeats of one cell.
func (p *Plan) checkLines() error {
	var problems configs.Problems
	for _, plot := range p.Spec.Plots {
		along := []string{plot.X.Text}
		switch {
		case plot.Kind == configs.PlotTrajectory:
			along = []string{plot.Along.Value}
		case plot.Kind == configs.PlotHeatmap && plot.Claim.Value == "":
			along = []string{plot.X.Text, plot.Y.Text}
		case plot.Kind == configs.PlotRanks:
			along = []string{"dataset", "kernel"}
		case plot.Kind != configs.PlotLine:
			continue
		}
		problems.Add(p.checkLine(plot, along))
	}
	return problems.Err()
}

// checkLine refuses the first place of a plot with two cells.
func (p *Plan) checkLine(plot configs.Plot, along []string) error {
	columns := lists.Once(slices.Concat([]string{"dataset", "kernel", "method"}, along, plot.By.Texts(), []string{plot.Facet.Value}))
	seen := map[results.Key]results.Key{}
	for _, g := range p.Groups {
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				if f.Skip != nil || !matches(c.At, plot.Where) {
					continue
				}
				place := c.At.Only(columns...)
				if other, taken := seen[place]; taken {
					return clash(plot, place, other, c.At)
				}
				seen[place] = c.At
			}
		}
	}
	return nil
}

// clash says what tells two cells at one place of a line apart, and what to do.
func clash(plot configs.Plot, place, a, b results.Key) error {
	differ := lists.Where(a.Names(), func(name string) bool { return a.Get(name) != b.Get(name) })
	advice := "add " + strings.Join(differ, " or ") + " to by, or fix it in where"
	if plot.Kind == configs.PlotHeatmap || plot.Kind == configs.PlotRanks {
		advice = "fix " + strings.Join(differ, " and ") + " under where, or make one the facet"
	}
	if plot.Kind == configs.PlotTrajectory && !plot.Along.Given() {
		advice += "; points are joined along n unless along names another variable"
	}
	return configs.Errorf(plot.Pos, "plot %q: at %s there are several cells, which differ in %s; %s", plot.ID, place, strings.Join(differ, ", "), advice)
}
