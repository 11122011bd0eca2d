package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/report/format"
)

// fewValues is how many values a box is drawn of; fewer are shown each.
const fewValues = 5

// fiveNumbers are what a box shows: quartiles, and whiskers to the farthest
// values within 1.5 times the distance of the quartiles.
type fiveNumbers struct {
	low, q1, median, q3, high float64
	outliers                  []float64
}

// box is Tukey's. Quartiles interpolate between order statistics, with x_(1) at
// 0 and x_(n) at 1 (type 7 of Hyndman and Fan).
func box(values []float64) fiveNumbers {
	sorted := slices.Sorted(slices.Values(values))
	quantile := func(p float64) float64 {
		at := p * float64(len(sorted)-1)
		below := int(at)
		above := min(below+1, len(sorted)-1)
		return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
	}
	b := fiveNumbers{q1: quantile(0.25), median: quantile(0.5), q3: quantile(0.75), low: math.Inf(1), high: math.Inf(-1)}
	reach := 1.5 * (b.q3 - b.q1)
	for _, v := range sorted {
		if v < b.q1-reach || v > b.q3+reach {
			b.outliers = append(b.outliers, v)
			continue
		}
		b.low, b.high = math.Min(b.low, v), math.Max(b.high, v)
	}
	return b
}

// rowChart draws box and bar plots. They lie on their side, so that names have
// room: a row for each value of the plot's column x, values along the axis.
func (d plotted) rowChart() chart {
	var panels []panel
	most := 1
	for _, p := range d.panels {
		drawn := panel{title: p.name, shares: p.shares(), layers: d.rowLayers(p), x: axis{label: d.yName, log: d.Axes.Y.Value == "log", most: 5, fromZero: d.Kind == configs.PlotBar}}
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
		ring := look
		ring.shape = draw.RingGlyph{}
		shape := barOrBox{bars: layer{form: errorBars, look: look, width: 0.7}, area: layer{form: areas, look: look, width: 0.6},
			median: layer{form: rules, look: look, width: 1.6}, dots: layer{form: marks, look: ring, radius: 1.3}}
		slot := 0.8 / float64(len(d.names))
		for _, q := range s.points {
			at := 0.4 - (float64(s.number)+0.5)*slot - float64(q.rows[0])
			name := lines(d.rowName(p, q.rows[0]), d.names[s.number])
			if len(d.names) == 1 {
				name = d.rowName(p, q.rows[0])
			}
			y := estimate{at, at - 0.4*slot, at + 0.4*slot}
			if d.Kind == configs.PlotBar {
				shape.addBar(q, y, lines(name, equation(d.yName, q.y), "mean of "+plain.Count(len(q.values), "repeat")))
			} else {
				shape.addBox(q.values, y, name, d.yName)
			}
		}
		if d.Kind == configs.PlotBar {
			shape.bars.colour = black
			layers = append(layers, shape.area, shape.bars)
		} else {
			layers = append(layers, shape.bars, shape.area, shape.median, shape.dots)
		}
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

// barOrBox is the layers of one series of a bar or box plot.
type barOrBox struct{ bars, area, median, dots layer }

func (b *barOrBox) addBar(q plotPoint, y estimate, text string) {
	b.area.points = append(b.area.points, point{estimate{q.y.value, 0, q.y.value}, y, text})
	b.bars.points = append(b.bars.points, point{x: q.y, y: exactly(y.value)})
}

// addBox adds the box of values at a place in y, or each of a few.
func (b *barOrBox) addBox(values []float64, y estimate, name, quantity string) {
	f := fiveNumbers{outliers: values}
	if len(values) >= fewValues {
		f = box(values)
		text := lines(name, equation("median of "+quantity, exactly(f.median)), fmt.Sprintf("quartiles %s and %s", format.Value(f.q1), format.Value(f.q3)),
			fmt.Sprintf("whiskers %s and %s", format.Value(f.low), format.Value(f.high)), plain.Count(len(values), "repeat"))
		b.area.points = append(b.area.points, point{estimate{f.median, f.q1, f.q3}, y, text})
		b.bars.points = append(b.bars.points, point{x: estimate{f.median, f.low, f.high}, y: exactly(y.value)})
		b.median.points = append(b.median.points, point{x: exactly(f.median), y: y})
	}
	for _, v := range f.outliers {
		b.dots.points = append(b.dots.points, point{exactly(v), exactly(y.value), lines(name, equation(quantity, exactly(v)))})
	}
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
