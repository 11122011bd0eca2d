package figure

import (
	"cmp"
	"math"

	"gonum.org/v1/plot/vg"

	"mercer/internal/plain"
)

// rowChart draws a bar plot. Bars lie on their side, so that names have room: a row for
// each value of the plot's column x, values along the axis.
func (d plotted) rowChart() chart {
	var panels []panel
	most := 1
	for _, p := range d.panels {
		drawn := panel{title: p.name, shares: p.shares(), layers: d.rowLayers(p), x: axis{label: d.yName, most: 5, fromZero: true}}
		for row := range p.rows {
			drawn.y.names = append(drawn.y.names, d.rowName(p, row))
		}
		panels = append(panels, drawn)
		most = max(most, len(p.rows))
	}
	width, columns := widthOf(d.Size, len(panels)), 1
	height := vg.Length(most)*max(15, 9*vg.Length(len(d.names))+5) + 40
	if len(panels) > 1 {
		height += titleHeight
		if width == pageWidth {
			columns = 2
		}
	}
	scale(panels, width/vg.Length(columns))
	return newChart(cmp.Or(d.Title, d.ID), width, panels, columns, height, d.rowLegend(), d.keys(panels))
}

// rowName is a value of the column, with its name where it is no name.
func (d plotted) rowName(p plotPanel, row int) string {
	if d.X.Text == "method" || d.X.Text == "dataset" || d.X.Text == "kernel" {
		return plain.Text(p.rows[row])
	}
	return plain.Text(d.X.Text + " = " + p.rows[row])
}

// rowLayers draw the rows of a panel, the series of each row below each other, and
// reference values at their rows, or across all.
func (d plotted) rowLayers(p plotPanel) []layer {
	var layers []layer
	for _, s := range p.seriesOf(measured) {
		look, _ := d.look(s.number)
		bars, whiskers := layer{form: areas, look: look, width: 0.6}, layer{form: errorBars, look: look, width: 0.7}
		whiskers.colour = black
		slot := 0.8 / float64(len(d.names))
		for _, q := range s.points {
			at := 0.4 - (float64(s.number)+0.5)*slot - float64(q.rows[0])
			name := lines(d.rowName(p, q.rows[0]), d.names[s.number])
			if len(d.names) == 1 {
				name = d.rowName(p, q.rows[0])
			}
			text := lines(name, equation(d.yName, q.y), "mean of "+plain.Count(len(q.values), "repeat"))
			bars.points = append(bars.points, point{estimate{q.y.value, 0, q.y.value}, estimate{at, at - 0.4*slot, at + 0.4*slot}, text})
			whiskers.points = append(whiskers.points, point{x: q.y, y: exactly(at)})
		}
		layers = append(layers, bars, whiskers)
	}
	for _, s := range p.seriesOf(mark) {
		l := d.markLayer(s.label, s.points[0])
		l.width = 1
		text := lines(s.label, equation(d.yName, s.points[0].y))
		rows := s.points[0].rows
		if rows == nil {
			l.points = append(l.points, point{s.points[0].y, estimate{math.NaN(), math.Inf(-1), math.Inf(1)}, text})
		}
		for _, row := range rows {
			at := -float64(row)
			l.points = append(l.points, point{s.points[0].y, estimate{at, at - 0.5, at + 0.5}, text})
		}
		layers = append(layers, l)
	}
	return layers
}

func (d plotted) rowLegend() []entry {
	if len(d.names) == 1 { // the rows have names
		return nil
	}
	var entries []entry
	for i, name := range d.names {
		look, _ := d.look(i)
		entries = append(entries, entry{name, []layer{{form: areas, look: look, width: 0.6}}})
	}
	return entries
}
