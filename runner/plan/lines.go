package plan

import (
	"fmt"
	"strings"

	"mercer/configs"
	"mercer/internal/selection"
	"mercer/results"
)

// checkLines refuses line and trajectory plots with several cells of one method at one
// place of a line, heat maps of a metric with several in one field, and comparisons over
// problems with several on one: each shows the repeats of one cell. The groups are those of the first repeat.
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
		for _, g := range p.Groups {
			if err := p.checkLine(plot, along, g); err != nil {
				problems.Add(err)
				break
			}
		}
	}
	return problems.Err()
}

// lineCell is a cell at a place of a line.
type lineCell struct {
	work string
	cell Cell
}

func (p *Plan) checkLine(plot configs.Plot, along []string, g *Group) error {
	seen := map[string]lineCell{} // by place
	for _, f := range g.Fits {
		if f.Skip != nil || p.Absent[g.Dataset] != nil {
			continue
		}
		for _, c := range f.Cells {
			r := g.record(f, c)
			at, drawn := placeOf(r, along)
			if !drawn || !selection.Matches(r, plot.Where) {
				continue
			}
			place := fmt.Sprintf("%q %s", f.Method, at)
			for _, column := range append(plot.By.Texts(), plot.Facet.Value) {
				value, _ := selection.Column(r, column)
				place += fmt.Sprintf(" %q", value)
			}
			here := lineCell{p.Work(f.Method, c), c}
			if other, taken := seen[place]; taken && other.work != here.work {
				return p.clash(plot, along, at, r, g.record(f, other.cell))
			}
			seen[place] = here
		}
	}
	return nil
}

// placeOf is where along columns a record lies; false where it has no place.
func placeOf(r *results.Record, along []string) (string, bool) {
	parts := make([]string, len(along))
	for i, column := range along {
		value, ok := selection.Place(r, column)
		if !ok {
			return "", false
		}
		parts[i] = column + " = " + value
	}
	return strings.Join(parts, ", "), true
}

// clash says what tells two cells at one place of a line apart, and what to do.
func (p *Plan) clash(plot configs.Plot, along []string, at string, a, b *results.Record) error {
	records := selection.New(results.Run{Manifest: results.Manifest{Variables: p.Spec.Grid.Names()}}, nil)
	reason, advice := records.Clash([]*results.Record{a, b}, along[0])
	if plot.Kind == configs.PlotHeatmap || plot.Kind == configs.PlotRanks {
		advice = "fix them under where, or make one the facet"
	}
	if plot.Kind == configs.PlotTrajectory && !plot.Along.Given() {
		advice += "; points are joined along n unless along names another variable"
	}
	return configs.Errorf(plot.Pos, "plot %q: at %s method %q has %s; %s", plot.ID, at, a.Method, reason, advice)
}
