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

// seriesLook tells up to maxSeries series apart: by colour and shape, and beyond
// the number of colours by dashes too.
func seriesLook(i int) (look, []vg.Length) {
	round := i / len(looks)
	l := look{looks[i%len(looks)].colour, looks[(i+round)%len(looks)].shape}
	return l, [][]vg.Length{nil, {5, 1.5}}[round%2]
}

// markStyles are those of reference values, by label.
var markStyles = []draw.LineStyle{
	{Color: black, Width: 0.7, Dashes: []vg.Length{1, 1.5}},
	{Color: black, Width: 0.7, Dashes: []vg.Length{6, 2}},
	{Color: black, Width: 0.7, Dashes: []vg.Length{6, 1.5, 1, 1.5}},
	{Color: grey, Width: 0.7},
}

// theoryDashes are those of the theory's curves, by number.
var theoryDashes = [][]vg.Length{{3.5, 2}, {1.2, 1.5}, {6, 1.5, 1, 1.5}, {6, 2, 2, 2}}

// frontStyle is that of a Pareto front.
var frontStyle = draw.LineStyle{Color: grey, Width: 0.8, Dashes: []vg.Length{2, 1.5}}

// fewPoints is how many points of a trajectory are marked each.
const fewPoints = 12

// lineChart draws line, trajectory and pareto plots.
func (d plotted) lineChart() chart {
	var panels []panel
	ranges := d.ranges()
	for _, p := range d.panels {
		r := ranges[d.shares(p)]
		most := 6
		if len(d.panels) > 1 {
			most = 5
		}
		drawn := panel{title: p.name, x: newAxis(d.xName, r.x, d.positions(p), most), y: newAxis(d.yName, r.y, nil, 6)}
		drawn.layers, drawn.readings = d.lineLayers(p), d.lineReadings(p, drawn.x, drawn.y)
		panels = append(panels, drawn)
	}
	describe := fmt.Sprintf("Plot of %s against %s.", d.yName, d.xName)
	return arranged(cmp.Or(d.Title, d.ID), describe, panels, d.lineLegend(ranges))
}

// arranged lays panels out: one fills a column, several share the width of a
// page.
func arranged(title, describe string, panels []panel, legend [][]entry) chart {
	if len(panels) == 1 {
		return single(title, describe, panels[0], legend)
	}
	columns := 3
	if len(panels) == 2 || len(panels) == 4 {
		columns = 2
	}
	for i := range panels { // the first of its row says it
		if i%columns > 0 && panels[i].y.label == panels[i-i%columns].y.label {
			panels[i].y.label = ""
		}
	}
	return chart{title: title, describe: describe, width: pageWidth, panels: panels, columns: columns,
		panelHeight: 56 * vg.Millimeter, legend: legend}
}

// ranges of a panel's axes.
type ranges struct{ x, y extentOf }

// shares names the panels that have the same axes: those of one data set and
// kernel, whose numbers can be compared.
func (d plotted) shares(p plotPanel) string {
	id := ""
	for _, c := range p.at {
		if c.Name == "dataset" || c.Name == "kernel" {
			id += c.Name + "=" + c.Value + " "
		}
	}
	return id
}

// ranges are those of all means, with the bands, and then what is drawn for
// comparison, as far as they leave room.
func (d plotted) ranges() map[string]*ranges {
	all := map[string]*ranges{}
	bandX, bandY, otherX, otherY := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	for _, p := range d.panels {
		id := d.shares(p)
		r := all[id]
		if r == nil {
			r = &ranges{extentOf{log: d.Axes.X == "log"}, extentOf{log: d.Axes.Y == "log"}}
			all[id] = r
		}
		for _, l := range p.lines {
			for _, q := range l.points {
				r.x.include(q.x.value)
				r.y.include(q.y.value)
				bandX[id] = append(bandX[id], q.x.low, q.x.high)
				bandY[id] = append(bandY[id], q.y.low, q.y.high)
			}
			for _, c := range l.theory {
				otherY[id] = append(otherY[id], ordinates(c.points)...)
			}
			otherY[id] = append(otherY[id], ordinates(l.floor)...)
		}
		for _, m := range p.marks {
			if m.x != nil {
				otherX[id] = append(otherX[id], *m.x)
			}
			if m.y != nil {
				otherY[id] = append(otherY[id], *m.y)
			}
		}
	}
	for id, r := range all {
		r.x.extendWithin(bandX[id]...)
		r.y.extendWithin(bandY[id]...)
		r.x.extendWithin(otherX[id]...)
		r.y.extendWithin(otherY[id]...)
	}
	return all
}

func ordinates(points []xy) []float64 {
	out := make([]float64, len(points))
	for i, p := range points {
		out[i] = p.y
	}
	return out
}

// positions are the values of a grid variable, where these are on the x axis.
func (d plotted) positions(p plotPanel) []float64 {
	if d.Kind != configs.PlotLine {
		return nil
	}
	var at []float64
	for _, l := range p.lines {
		for _, q := range l.points {
			at = append(at, q.x.value)
		}
	}
	return at
}

// lineLayers draw what is for comparison first, then bands, lines and marks.
func (d plotted) lineLayers(p plotPanel) []layer {
	layers := []layer{func(c *draw.Canvas, x, y func(float64) vg.Length) {
		seen := map[string]bool{}
		for _, l := range p.lines {
			line := place(l.floor, x, y)
			if id := fmt.Sprint(line); len(line) > 1 && !seen[id] {
				seen[id] = true
				c.StrokeLines(floorStyle, c.ClipLinesXY(line)...)
			}
		}
		d.drawMarks(c, p.marks, x, y)
		if d.Kind == configs.PlotPareto {
			drawFront(c, p, x, y)
		}
	}}
	for _, l := range p.lines {
		layers = append(layers, d.bandLayer(l))
	}
	for _, l := range p.lines {
		layers = append(layers, d.seriesLayer(l))
	}
	return layers
}

func place(points []xy, x, y func(float64) vg.Length) []vg.Point {
	line := make([]vg.Point, len(points))
	for i, p := range points {
		line[i] = vg.Point{X: x(p.x), Y: y(p.y)}
	}
	return line
}

func (d plotted) bandLayer(l plotLine) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		if d.Kind == configs.PlotPareto {
			return // whiskers, with the marks
		}
		var upper, lower []vg.Point
		for _, p := range l.points {
			if format.Finite(p.y.low) && format.Finite(p.y.high) {
				at := x(p.x.value)
				upper = append(upper, vg.Point{X: at, Y: clamped(p.y.high, d.Axes.Y == "log", c.Min.Y, c.Max.Y, y)})
				lower = append(lower, vg.Point{X: at, Y: clamped(p.y.low, d.Axes.Y == "log", c.Min.Y, c.Max.Y, y)})
			}
		}
		if len(upper) > 1 {
			slices.Reverse(lower)
			look, _ := seriesLook(l.series)
			c.FillPolygon(translucent(look.colour), append(upper, lower...))
		}
	}
}

// seriesLayer draws a line with its curves and marks.
func (d plotted) seriesLayer(l plotLine) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		look, dash := seriesLook(l.series)
		for _, curve := range l.theory {
			style := draw.LineStyle{Color: look.colour, Width: 0.8, Dashes: theoryDashes[curve.number]}
			c.StrokeLines(style, c.ClipLinesXY(place(curve.points, x, y))...)
		}
		var line []vg.Point
		for _, p := range l.points {
			line = append(line, vg.Point{X: x(p.x.value), Y: y(p.y.value)})
		}
		if d.Kind != configs.PlotPareto {
			c.StrokeLines(draw.LineStyle{Color: look.colour, Width: lineWidth, Dashes: dash}, line)
		}
		for i, p := range l.points {
			if d.Kind == configs.PlotPareto || len(l.points) == 1 {
				d.whiskers(c, p, line[i], look, x, y)
			}
			if d.Kind != configs.PlotTrajectory || len(l.points) <= fewPoints {
				c.DrawGlyph(draw.GlyphStyle{Color: look.colour, Radius: radius, Shape: look.shape}, line[i])
			}
		}
	}
}

// whiskers draws the bands of a single point in both directions.
func (d plotted) whiskers(c *draw.Canvas, p plotPoint, at vg.Point, look look, x, y func(float64) vg.Length) {
	style := draw.LineStyle{Color: look.colour, Width: 0.6}
	if format.Finite(p.y.low) && format.Finite(p.y.high) {
		c.StrokeLine2(style, at.X, clamped(p.y.low, d.Axes.Y == "log", c.Min.Y, c.Max.Y, y), at.X, clamped(p.y.high, d.Axes.Y == "log", c.Min.Y, c.Max.Y, y))
	}
	if format.Finite(p.x.low) && format.Finite(p.x.high) && d.Kind != configs.PlotLine {
		c.StrokeLine2(style, clamped(p.x.low, d.Axes.X == "log", c.Min.X, c.Max.X, x), at.Y, clamped(p.x.high, d.Axes.X == "log", c.Min.X, c.Max.X, x), at.Y)
	}
}

// drawMarks draws reference values: lines across the panel, and crosses.
func (d plotted) drawMarks(c *draw.Canvas, marks []plotMark, x, y func(float64) vg.Length) {
	for _, m := range marks {
		style := d.markStyle(m.label)
		switch {
		case m.x != nil && m.y != nil:
			at := vg.Point{X: x(*m.x), Y: y(*m.y)}
			if c.Contains(at) {
				c.DrawGlyph(draw.GlyphStyle{Color: black, Radius: 3, Shape: draw.PlusGlyph{}}, at)
			}
		case m.y != nil:
			c.StrokeLines(style, c.ClipLinesY([]vg.Point{{X: c.Min.X, Y: y(*m.y)}, {X: c.Max.X, Y: y(*m.y)}})...)
		default:
			c.StrokeLines(style, c.ClipLinesX([]vg.Point{{X: x(*m.x), Y: c.Min.Y}, {X: x(*m.x), Y: c.Max.Y}})...)
		}
	}
}

// markLabels are those of all marks, in the plot's order.
func (d plotted) markLabels() []string {
	var labels []string
	for _, m := range d.Marks {
		if label := format.Printable(m.Label); !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

func (d plotted) markStyle(label string) draw.LineStyle {
	return markStyles[max(0, slices.Index(d.markLabels(), format.Printable(label)))%len(markStyles)]
}

// drawFront joins the points of a front by the steps of what they reach.
func drawFront(c *draw.Canvas, p plotPanel, x, y func(float64) vg.Length) {
	var front []plotPoint
	for _, l := range p.lines {
		for _, q := range l.points {
			if q.front {
				front = append(front, q)
			}
		}
	}
	slices.SortFunc(front, func(a, b plotPoint) int { return cmp.Compare(a.x.value, b.x.value) })
	var steps []vg.Point
	for i, q := range front {
		at := vg.Point{X: x(q.x.value), Y: y(q.y.value)}
		if i > 0 {
			steps = append(steps, vg.Point{X: at.X, Y: steps[len(steps)-1].Y})
		}
		steps = append(steps, at)
	}
	if len(steps) > 0 {
		steps = append([]vg.Point{{X: steps[0].X, Y: c.Max.Y}}, steps...)
		steps = append(steps, vg.Point{X: c.Max.X, Y: steps[len(steps)-1].Y})
		c.StrokeLines(frontStyle, steps)
	}
}

// lineLegend has the series, and below what else there is to know.
func (d plotted) lineLegend(ranges map[string]*ranges) [][]entry {
	var series, keys []entry
	for i, name := range d.names {
		look, dash := seriesLook(i)
		series = append(series, entry{func(c *draw.Canvas) {
			if d.Kind != configs.PlotPareto {
				stroke(draw.LineStyle{Color: look.colour, Width: lineWidth, Dashes: dash})(c)
			}
			c.DrawGlyph(draw.GlyphStyle{Color: look.colour, Radius: radius, Shape: look.shape}, c.Center())
		}, name})
	}
	for k, label := range d.theories {
		drawn := d.any(func(l plotLine) bool {
			return slices.ContainsFunc(l.theory, func(c plotCurve) bool { return c.number == k })
		})
		if drawn {
			keys = append(keys, entry{stroke(draw.LineStyle{Color: black, Width: 0.8, Dashes: theoryDashes[k]}), label})
		}
	}
	if d.any(func(l plotLine) bool { return len(l.floor) > 1 }) {
		label := "floor"
		for _, p := range d.panels {
			for _, l := range p.lines {
				for _, q := range l.floor {
					if r := ranges[d.shares(p)]; q.y < r.y.low {
						label = "floor, in part below the axis"
					}
				}
			}
		}
		keys = append(keys, entry{stroke(floorStyle), label})
	}
	keys = append(keys, d.markEntries()...)
	if d.Kind == configs.PlotPareto {
		keys = append(keys, entry{stroke(frontStyle), "front of the means"})
	}
	if band := d.bandText(); band != "" {
		keys = append(keys, entry{func(c *draw.Canvas) {
			low, high := c.Center().Y-3, c.Center().Y+3
			if d.Kind == configs.PlotPareto {
				c.StrokeLine2(draw.LineStyle{Color: black, Width: 0.6}, c.Center().X, low, c.Center().X, high)
				return
			}
			c.FillPolygon(translucent(black), []vg.Point{{X: c.Min.X, Y: low}, {X: c.Max.X, Y: low}, {X: c.Max.X, Y: high}, {X: c.Min.X, Y: high}})
		}, band})
	}
	return [][]entry{series, keys}
}

// markEntries are the legend's lines on the marks that some panel has.
func (d plotted) markEntries() []entry {
	var entries []entry
	for _, label := range d.markLabels() {
		drawn, point := false, false
		for _, p := range d.panels {
			for _, m := range p.marks {
				if m.label == label {
					drawn, point = true, point || m.x != nil && m.y != nil
				}
			}
		}
		icon := stroke(d.markStyle(label))
		if point {
			icon = func(c *draw.Canvas) {
				c.DrawGlyph(draw.GlyphStyle{Color: black, Radius: 3, Shape: draw.PlusGlyph{}}, c.Center())
			}
		}
		if drawn {
			entries = append(entries, entry{icon, label})
		}
	}
	return entries
}

func (d plotted) any(is func(plotLine) bool) bool {
	return slices.ContainsFunc(d.panels, func(p plotPanel) bool { return slices.ContainsFunc(p.lines, is) })
}

// bandText says what bands are; "" when there are none.
func (d plotted) bandText() string {
	drawn := d.any(func(l plotLine) bool {
		return slices.ContainsFunc(l.points, func(p plotPoint) bool { return format.Finite(p.y.low) && !math.IsNaN(p.y.high) })
	})
	switch {
	case !drawn:
		return ""
	case d.Band == "sd":
		return "standard deviation"
	}
	return "95 % t interval"
}

// seriesName is what a plot calls a line, with its panel where there are
// several.
func (d plotted) seriesName(p plotPanel, l plotLine) string {
	return strings.Trim(d.names[l.series]+", "+p.name, ", ")
}

// lineReadings are those of a panel of a line, trajectory or pareto plot.
func (d plotted) lineReadings(p plotPanel, x, y axis) []reading {
	var all []reading
	for _, l := range p.lines {
		for _, q := range l.points {
			front := ""
			if q.front {
				front = "on the front"
			}
			all = append(all, readingAt(q.x.value, q.y.value, d.seriesName(p, l), d.cellText(q),
				equation(d.xName, q.x.value, q.x.low, q.x.high), equation(d.yName, q.y.value, q.y.low, q.y.high),
				"mean of "+format.Count(len(q.values), "repeat"), front))
		}
	}
	for _, m := range p.marks {
		r := reading{x.span.low, x.span.high, y.span.low, y.span.high, m.label}
		if m.x != nil {
			r.x0, r.x1 = *m.x, *m.x
			r.text += "\n" + equation(d.xName, *m.x, math.NaN(), math.NaN())
		}
		if m.y != nil {
			r.y0, r.y1 = *m.y, *m.y
			r.text += "\n" + equation(d.yName, *m.y, math.NaN(), math.NaN())
		}
		all = append(all, r)
	}
	return all
}

// cellText is the cell of a point where its axes do not say it.
func (d plotted) cellText(q plotPoint) string {
	if d.Kind == configs.PlotLine {
		return ""
	}
	return format.Printable(format.PlainWhere(q.cell))
}
