package plan

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// checkLines refuses line and trajectory plots with several cells of one method at
// one place of a line: each point of a line is the mean over the repeats of one
// cell. The groups are those of the first repeat.
func (p *Plan) checkLines() error {
	var problems configs.Problems
	for _, plot := range p.Spec.Plots {
		along := plot.X.Text
		if plot.Kind == configs.PlotTrajectory {
			along = plot.Along.Value
		} else if plot.Kind != configs.PlotLine {
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

func (p *Plan) checkLine(plot configs.Plot, along string, g *Group) error {
	seen := map[string]lineCell{} // by place
	for _, f := range g.Fits {
		if f.Skip != nil || p.Absent[g.Dataset] != nil {
			continue
		}
		names := map[string]string{"dataset": g.Dataset, "kernel": g.Kernel, "method": f.Method}
		for _, c := range f.Cells {
			x, drawn := g.axis(c, along)
			if !drawn || !plot.Where.Match(names, func(column string) (float64, bool) { return g.number(c, column) }) {
				continue
			}
			place := fmt.Sprintf("%q %v", f.Method, x)
			for _, column := range append(plot.By.Texts(), plot.Facet.Value) {
				value, _ := g.number(c, column)
				place += fmt.Sprintf(" %v", value)
			}
			here := lineCell{p.Work(f.Method, c), c}
			if other, taken := seen[place]; taken && other.work != here.work {
				return configs.Errorf(plot.Pos, "plot %q has several cells of method %q at %s = %s%s", plot.ID, f.Method, along, plain.Number(x), p.difference(plot, g, c, other.cell, along))
			}
			seen[place] = here
		}
	}
	return nil
}

// axis is a cell's value along a line: the size that its method uses, else that of
// the grid.
func (g *Group) axis(c Cell, column string) (float64, bool) {
	if size := c.Sizes.Get(column); size > 0 {
		return float64(size), true
	}
	return g.number(c, column)
}

// difference says what tells two cells at one place apart, and what to do.
func (p *Plan) difference(plot configs.Plot, g *Group, a, b Cell, along string) string {
	var differ []string
	for _, name := range append(p.Spec.Grid.Names(), sizes.Names...) {
		x, _ := g.number(a, name)
		y, _ := g.number(b, name)
		if x != y && name != along && !slices.Contains(differ, name) {
			differ = append(differ, name)
		}
	}
	columns := strings.Join(differ, " and ")
	if columns == "" {
		return ", which no variable tells apart; plot another variable"
	}
	advice := fmt.Sprintf(", which differ in %s; add %s to by, fix it in where, or make it the facet", columns, columns)
	if plot.Kind == configs.PlotTrajectory && !plot.Along.Given() {
		return advice + "; points are joined along n unless along names another variable"
	}
	return advice
}
