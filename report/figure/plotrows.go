package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/configs"
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
	ranges := d.rowRanges()
	width := figureWidth
	if len(d.panels) > 1 {
		width = pageWidth / 2
	}
	most := 1
	for _, p := range d.panels {
		r := ranges[d.shares(p)]
		drawn := panel{title: p.name, x: newAxis(d.yName, *r, nil, 5), y: rowAxis(d.rowNames(p), width)}
		if d.Kind == configs.PlotBar && r.low == 0 { // bars stand on the axis
			drawn.x.span.low = 0
		}
		drawn.layers, drawn.readings = []layer{d.rowLayer(p)}, d.rowReadings(p)
		panels = append(panels, drawn)
		most = max(most, len(p.rows))
	}
	describe := fmt.Sprintf("Plot of %s for each %s.", d.yName, d.xName)
	c := arranged(cmp.Or(d.Title, d.ID), describe, panels, d.rowLegend())
	if c.columns > 1 {
		c.columns = 2
	}
	c.panelHeight = vg.Length(most)*d.rowHeight() + 40
	if len(panels) > 1 {
		c.panelHeight += titleHeight
	}
	return c
}

func (d plotted) rowHeight() vg.Length { return max(15, 9*vg.Length(len(d.names))+5) }

// rowNames are the values of the column, with its name where it is no name.
func (d plotted) rowNames(p plotPanel) []string {
	names := make([]string, len(p.rows))
	for i, row := range p.rows {
		names[i] = format.Printable(row)
		if d.X != "method" && d.X != "dataset" && d.X != "kernel" {
			names[i] = format.Printable(d.X + " = " + row)
		}
	}
	return names
}

func (d plotted) rowRanges() map[string]*extentOf {
	all := map[string]*extentOf{}
	other := map[string][]float64{}
	for _, p := range d.panels {
		id := d.shares(p)
		if all[id] == nil {
			all[id] = &extentOf{log: d.Axes.Y == "log"}
		}
		for _, l := range p.lines {
			for _, q := range l.points {
				if d.Kind == configs.PlotBar {
					all[id].include(0, q.y.value, q.y.low, q.y.high)
				} else {
					all[id].include(q.values...)
				}
			}
		}
		for _, m := range p.marks {
			other[id] = append(other[id], *m.y)
		}
	}
	for id, r := range all {
		r.extendWithin(other[id]...)
	}
	return all
}

// rowLayer draws the rows of a panel, the series of each row below each other.
func (d plotted) rowLayer(p plotPanel) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for _, l := range p.lines {
			look, _ := seriesLook(l.series)
			for _, q := range l.points {
				center, half := d.row(l, q)
				at := rowPlace{x: x, center: y(center), half: y(center+half) - y(center)}
				if d.Kind == configs.PlotBar {
					at.bar(c, q.y, look)
				} else {
					at.box(c, q.values, look)
				}
			}
		}
		d.drawRowMarks(c, p, x, y)
	}
}

// row is the center of a box or bar and half its height, along the axis of the
// rows.
func (d plotted) row(l plotLine, q plotPoint) (center, half float64) {
	slot := 0.8 / float64(len(d.names))
	return 0.4 - (float64(l.series)+0.5)*slot - float64(q.row), 0.4 * slot
}

// rowPlace is where one box or bar is drawn.
type rowPlace struct {
	x            func(float64) vg.Length
	center, half vg.Length
}

func (r rowPlace) rectangle(from, to float64, half vg.Length) []vg.Point {
	return []vg.Point{{X: r.x(from), Y: r.center - half}, {X: r.x(to), Y: r.center - half},
		{X: r.x(to), Y: r.center + half}, {X: r.x(from), Y: r.center + half}, {X: r.x(from), Y: r.center - half}}
}

func (r rowPlace) across(c *draw.Canvas, style draw.LineStyle, v float64, half vg.Length) {
	c.StrokeLine2(style, r.x(v), r.center-half, r.x(v), r.center+half)
}

func (r rowPlace) bar(c *draw.Canvas, e estimate, look look) {
	area := r.rectangle(0, e.value, r.half)
	c.FillPolygon(tint(look.colour), area)
	c.StrokeLines(draw.LineStyle{Color: look.colour, Width: 0.6}, area)
	if format.Finite(e.low) && format.Finite(e.high) {
		style := draw.LineStyle{Color: black, Width: 0.7}
		c.StrokeLine2(style, r.x(e.low), r.center, r.x(e.high), r.center)
		r.across(c, style, e.low, r.half/2)
		r.across(c, style, e.high, r.half/2)
	}
}

func (r rowPlace) box(c *draw.Canvas, values []float64, look look) {
	dot := draw.GlyphStyle{Color: look.colour, Radius: 1.3, Shape: draw.RingGlyph{}}
	if len(values) < fewValues {
		for _, v := range values {
			c.DrawGlyph(dot, vg.Point{X: r.x(v), Y: r.center})
		}
		return
	}
	b := box(values)
	thin := draw.LineStyle{Color: look.colour, Width: 0.7}
	c.FillPolygon(tint(look.colour), r.rectangle(b.q1, b.q3, r.half))
	c.StrokeLines(thin, r.rectangle(b.q1, b.q3, r.half))
	c.StrokeLine2(thin, r.x(b.low), r.center, r.x(b.q1), r.center)
	c.StrokeLine2(thin, r.x(b.q3), r.center, r.x(b.high), r.center)
	r.across(c, thin, b.low, r.half/2)
	r.across(c, thin, b.high, r.half/2)
	r.across(c, draw.LineStyle{Color: look.colour, Width: 1.6}, b.median, r.half)
	for _, v := range b.outliers {
		c.DrawGlyph(dot, vg.Point{X: r.x(v), Y: r.center})
	}
}

// drawRowMarks draws reference values at their rows, or across all.
func (d plotted) drawRowMarks(c *draw.Canvas, p plotPanel, x, y func(float64) vg.Length) {
	for _, m := range p.marks {
		style := d.markStyle(m.label)
		style.Width = 1
		at := x(*m.y)
		if at < c.Min.X || at > c.Max.X {
			continue
		}
		if m.rows == nil {
			c.StrokeLine2(style, at, c.Min.Y, at, c.Max.Y)
		}
		for _, row := range m.rows {
			c.StrokeLine2(style, at, y(-float64(row)-0.5), at, y(-float64(row)+0.5))
		}
	}
}

func (d plotted) rowLegend() [][]entry {
	var series []entry
	for i, name := range d.names {
		look, _ := seriesLook(i)
		series = append(series, entry{func(c *draw.Canvas) {
			area := rowPlace{x: func(v float64) vg.Length { return c.Min.X + vg.Length(v)*iconWidth }, center: c.Center().Y}.rectangle(0, 1, 3)
			c.FillPolygon(tint(look.colour), area)
			c.StrokeLines(draw.LineStyle{Color: look.colour, Width: 0.6}, area)
		}, name})
	}
	if len(d.names) == 1 { // the rows have names
		series = nil
	}
	keys := d.markEntries()
	if band := d.bandText(); band != "" {
		keys = append(keys, entry{stroke(draw.LineStyle{Color: black, Width: 0.7}), band})
	}
	return [][]entry{series, keys}
}

// rowReadings are those of a panel of a box or bar plot.
func (d plotted) rowReadings(p plotPanel) []reading {
	var all []reading
	for _, l := range p.lines {
		for _, q := range l.points {
			center, half := d.row(l, q)
			r := reading{0, q.y.value, center - half, center + half, ""}
			lines := []string{d.rowNames(p)[q.row]}
			if len(d.names) > 1 {
				lines = append(lines, d.names[l.series])
			}
			switch {
			case d.Kind == configs.PlotBar:
				lines = append(lines, equation(d.yName, q.y.value, q.y.low, q.y.high), "mean of "+format.Count(len(q.values), "repeat"))
			case len(q.values) < fewValues:
				for _, v := range q.values {
					all = append(all, readingAt(v, center, append(slices.Clone(lines), equation(d.yName, v, math.NaN(), math.NaN()))...))
				}
				continue
			default:
				b := box(q.values)
				for _, v := range b.outliers {
					all = append(all, readingAt(v, center, append(slices.Clone(lines), equation(d.yName, v, math.NaN(), math.NaN()))...))
				}
				r.x0, r.x1 = b.low, b.high
				lines = append(lines, equation("median of "+d.yName, b.median, math.NaN(), math.NaN()),
					fmt.Sprintf("quartiles %s and %s", format.Value(b.q1), format.Value(b.q3)),
					fmt.Sprintf("whiskers %s and %s", format.Value(b.low), format.Value(b.high)), format.Count(len(q.values), "repeat"))
			}
			r.text = strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
			all = append(all, r)
		}
	}
	for _, m := range p.marks {
		rows := m.rows
		low, high := 0.5-float64(len(p.rows)), 0.5
		text := m.label + "\n" + equation(d.yName, *m.y, math.NaN(), math.NaN())
		if rows == nil {
			all = append(all, reading{*m.y, *m.y, low, high, text})
		}
		for _, row := range rows {
			all = append(all, reading{*m.y, *m.y, -float64(row) - 0.5, 0.5 - float64(row), text})
		}
	}
	return all
}
