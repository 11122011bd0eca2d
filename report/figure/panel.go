package figure

import (
	"iter"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is a pair of axes with what is drawn on them in order.
type panel struct {
	title  string
	shares string // panels with the same name have the same ranges
	x, y   axis
	layers []layer
}

// points are those of layers that a condition picks.
func (p panel) points(pick func(layer) bool) iter.Seq2[layer, point] {
	return func(yield func(layer, point) bool) {
		for _, l := range p.layers {
			for _, q := range l.points {
				if pick(l) && !yield(l, q) {
					return
				}
			}
		}
	}
}

// scale gives the axes of panels their ranges and ticks. Panels that share their
// axes have the same.
func scale(panels []panel, width vg.Length) {
	type extents struct{ x, y extent }
	whole, all := map[string]extents{}, map[string]extents{}
	for _, p := range panels {
		e, known := whole[p.shares]
		if !known {
			e = extents{extent{log: p.x.log}, extent{log: p.y.log}}
		}
		for l, q := range p.points(func(l layer) bool { return l.reach == 0 }) {
			e.x.include(l.shown(q.x)...)
			e.y.include(l.shown(q.y)...)
		}
		whole[p.shares], all[p.shares] = e, e
	}
	for _, p := range panels {
		e := all[p.shares]
		for l, q := range p.points(func(l layer) bool { return l.reach > 0 }) {
			e.x.include(whole[p.shares].x.near(l.reach, l.shown(q.x))...)
			e.y.include(whole[p.shares].y.near(l.reach, l.shown(q.y))...)
		}
		all[p.shares] = e
	}
	for i := range panels {
		p, e := &panels[i], all[panels[i].shares]
		p.x.fit(e.x, width)
		p.y.fit(e.y, width)
	}
}

// side is the room for the label of an axis.
func side() vg.Length { return textStyle(labelSize).Height("0") + 4 }

// draw draws the title, the axes with their labels, and the layers.
func (p panel) draw(canvas draw.Canvas, r room) {
	area := p.inner(canvas, r)
	drawn := p.plot()
	drawn.Draw(area)
	inner := drawn.DataCanvas(area)

	label := textStyle(labelSize)
	label.XAlign, label.YAlign = draw.XCenter, draw.YBottom
	depth := label.FontExtents().Descent
	center := inner.Center()
	width := canvas.Size().X
	title := labelLines(p.title, width)
	for i, line := range title {
		row := vg.Length(r.title - len(title) + i + 1)
		x := centred(label.Width(line), center.X, canvas.Min.X, canvas.Max.X)
		canvas.FillText(label, vg.Point{X: x, Y: canvas.Max.Y - row*titleHeight + 3 + depth}, line)
	}
	for i, line := range labelLines(p.x.label, width) {
		x := centred(label.Width(line), center.X, canvas.Min.X, canvas.Max.X)
		canvas.FillText(label, vg.Point{X: x, Y: canvas.Min.Y + margin + depth + further(r.x-i)}, line)
	}
	left := p.beside(canvas, r)
	beside := labelLines(p.y.label, left.Size().Y)
	label.Rotation = math.Pi / 2
	for i, line := range beside {
		y := centred(label.Width(line), center.Y, left.Min.Y, left.Max.Y)
		x := canvas.Min.X + margin + side() + further(r.y) - further(len(beside)-i) - 4 - depth
		canvas.FillText(label, vg.Point{X: x, Y: y}, line)
	}
}

// plot is the panel without labels and legend.
func (p panel) plot() *plot.Plot {
	drawn := plot.New()
	drawn.BackgroundColor = nil
	grid := plotter.NewGrid()
	line := draw.LineStyle{Color: faint, Width: hairline}
	for _, a := range []struct {
		axis
		to   *plot.Axis
		grid *draw.LineStyle
	}{{p.x, &drawn.X, &grid.Vertical}, {p.y, &drawn.Y, &grid.Horizontal}} {
		a.to.Min, a.to.Max = a.span.low, a.span.high
		a.to.Tick.Marker = plot.ConstantTicks(a.ticks)
		if a.log {
			a.to.Scale = plot.LogScale{}
		}
		*a.grid = line
		a.to.Tick.Length = 4
		switch {
		case a.names != nil: // they need neither
			a.grid.Color = nil
			a.to.Tick.Length = 0
		case a.plain:
			a.grid.Color = nil
			a.to.Tick.Length = 2
		}
		a.to.Padding = 0
		a.to.Width, a.to.Tick.Width = hairline, hairline
		style := textStyle(tickSize)
		style.XAlign, style.YAlign = a.to.Tick.Label.XAlign, a.to.Tick.Label.YAlign
		a.to.Tick.Label, a.to.Label.TextStyle = style, style
	}
	drawn.Add(grid)
	for _, l := range p.layers {
		drawn.Add(l)
	}
	return drawn
}

// room is how many lines the title, the label of x and the label of y have in the panel
// with most of them.
type room struct{ title, x, y int }

// beside is a panel's canvas without its title and the label of x.
func (p panel) beside(canvas draw.Canvas, r room) draw.Canvas {
	return draw.Crop(canvas, 0, 0, side()+further(r.x), -vg.Length(r.title)*titleHeight)
}

// inner is a panel's canvas less its labels and title.
func (p panel) inner(canvas draw.Canvas, r room) draw.Canvas {
	left := side() + further(r.y)
	if p.y.names != nil { // they say it
		left = 0
	}
	return draw.Crop(p.beside(canvas, r), margin+left, -margin, margin, 0)
}
