package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// layer is points that a panel shows in one way.
type layer struct {
	role   role
	form   form
	points []point
	names  []string // of the legend, see [layer.named]
	// reach is by how many lengths of its axes, or factors of their ends, the layer may
	// widen them; 0 for a layer that they show whole.
	reach float64

	look
	width   vg.Length // of lines
	dashes  []vg.Length
	radius  vg.Length  // of marks
	corners []vg.Point // of spots
	paints  []paint    // of fields, one each
}

const (
	lineWidth = vg.Length(1)
	hairline  = vg.Length(0.5)
	fieldGap  = vg.Length(0.6) // of a heat map
)

func markLayer(l look, points []point) layer {
	return layer{form: marks, points: points, look: l, radius: 1.9}
}

func floorLayer(points []point) layer {
	return layer{role: floor, points: points, reach: 1, look: look{colour: grey}, width: 0.6}
}

// role is what points are in a figure.
type role string

const (
	measured role = "measured"
	theory   role = "theory"
	floor    role = "floor" // below which nothing can lie
	mark     role = "mark"  // a reference value
)

// form is how the points of a layer are drawn.
type form int

const (
	line      form = iota // joined, in their order
	band                  // the area between their intervals in y
	errorBars             // their intervals in x and in y, with caps
	marks                 // a mark at each
	spots                 // the same as one filled path: thousands of them stay a small file
	rules                 // a line from end to end of their intervals
	areas                 // a rectangle over both intervals
	fields                // the same without an outline, each in a colour of its own; width is the gap between them
	hatched               // the same in hatching
	crossed               // a cross in its middle
)

// point is an estimate in both coordinates. An infinite coordinate is the end of its
// axis.
type point struct {
	x, y estimate
	text string // the numbers that it stands for, for readers that point at it
}

// paint is how a field is drawn: its colour, and its number in the colour of its ink.
type paint struct {
	fill, ink color.NRGBA
	number    string
}

// estimate is a value with the ends of its interval; NaN where there is none.
type estimate struct{ value, low, high float64 }

// exactly is a value without an interval.
func exactly(v float64) estimate { return estimate{v, math.NaN(), math.NaN()} }

// bounded says whether e has an interval.
func (e estimate) bounded() bool { return !math.IsNaN(e.low) && !math.IsNaN(e.high) }

// shown are the values of a coordinate that the layer draws.
func (l layer) shown(e estimate) []float64 {
	switch l.form {
	case line, marks, spots:
		return []float64{e.value}
	case areas, fields, hatched, crossed:
		return []float64{e.low, e.high}
	}
	return []float64{e.value, e.low, e.high}
}

func (l layer) style() draw.LineStyle {
	return draw.LineStyle{Color: l.colour, Width: l.width, Dashes: l.dashes}
}

// onAxis maps a coordinate to the canvas, and what the axis has no place for to its
// end.
func onAxis(axis plot.Axis, to func(float64) vg.Length, low, high vg.Length) func(float64) vg.Length {
	_, log := axis.Scale.(plot.LogScale)
	return func(v float64) vg.Length {
		switch {
		case math.IsInf(v, 1):
			return high
		case math.IsInf(v, -1), log && v <= 0:
			return low
		}
		return to(v)
	}
}

// Plot draws the layer. It is a [plot.Plotter].
func (l layer) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	x, y := onAxis(p.X, toX, c.Min.X, c.Max.X), onAxis(p.Y, toY, c.Min.Y, c.Max.Y)
	insideX := func(v float64) vg.Length { return min(max(x(v), c.Min.X), c.Max.X) }
	insideY := func(v float64) vg.Length { return min(max(y(v), c.Min.Y), c.Max.Y) }
	rectangle := func(q point) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: insideX(q.x.low), Y: insideY(q.y.low)}, Max: vg.Point{X: insideX(q.x.high), Y: insideY(q.y.high)}}
	}
	places := lists.Map(l.points, func(q point) vg.Point { return vg.Point{X: x(q.x.value), Y: y(q.y.value)} })
	switch l.form {
	case line:
		c.StrokeLines(l.style(), c.ClipLinesXY(places)...)
	case marks:
		for _, at := range places {
			c.DrawGlyph(draw.GlyphStyle{Color: l.colour, Radius: l.radius, Shape: l.shape}, at)
		}
	case band:
		l.band(c, x, insideY)
	case errorBars, rules:
		for i, q := range l.points {
			if at := places[i].X; q.y.bounded() && c.ContainsX(at) {
				l.stroke(c, vg.Point{X: at, Y: insideY(q.y.low)}, vg.Point{X: at, Y: insideY(q.y.high)})
			}
			if at := places[i].Y; q.x.bounded() && c.ContainsY(at) {
				l.stroke(c, vg.Point{X: insideX(q.x.low), Y: at}, vg.Point{X: insideX(q.x.high), Y: at})
			}
		}
	case areas:
		for _, q := range l.points {
			r := rectangle(q)
			outline := append(corners(r), r.Min)
			c.FillPolygon(tint(l.colour), outline)
			c.StrokeLines(l.style(), outline)
		}
	case fields:
		all := lists.Map(l.points, rectangle)
		l.drawFields(c, all)
	case hatched:
		for _, q := range l.points {
			l.drawHatched(c, rectangle(q))
		}
	case crossed:
		for _, q := range l.points {
			l.drawCrossed(c, rectangle(q))
		}
	case spots:
		c.SetColor(l.colour)
		c.Fill(l.spots(places))
	}
}

// band fills what lies between the intervals of points that have one.
func (l layer) band(c draw.Canvas, x, y func(float64) vg.Length) {
	var upper, lower []vg.Point
	for _, q := range l.points {
		if q.y.bounded() {
			upper = append(upper, vg.Point{X: x(q.x.value), Y: y(q.y.high)})
			lower = append(lower, vg.Point{X: x(q.x.value), Y: y(q.y.low)})
		}
	}
	if len(upper) > 1 {
		slices.Reverse(lower)
		outline := append(upper, lower...)
		c.FillPolygon(translucent(l.colour), outline)
		if l.width > 0 {
			c.StrokeLines(l.style(), append(outline, outline[0]))
		}
	}
}

const capWidth = vg.Length(3.5)

// stroke draws an interval, and the caps of an error bar.
func (l layer) stroke(c draw.Canvas, from, to vg.Point) {
	c.StrokeLines(l.style(), []vg.Point{from, to})
	if l.form == rules {
		return
	}
	side := vg.Point{X: capWidth / 2}
	if from.Y == to.Y {
		side = vg.Point{Y: capWidth / 2}
	}
	for _, end := range []vg.Point{from, to} {
		c.StrokeLines(l.style(), []vg.Point{end.Sub(side), end.Add(side)})
	}
}

func (l layer) spots(places []vg.Point) vg.Path {
	var path vg.Path
	for _, at := range places {
		path.Move(at.Add(l.corners[0]))
		for _, corner := range l.corners[1:] {
			path.Line(at.Add(corner))
		}
		path.Close()
	}
	return path
}

// icon draws the layer as a legend shows it: at a few points of its own.
func (l layer) icon(c draw.Canvas) {
	center := estimate{0.5, 0.2, 0.8}
	l.points = []point{{x: exactly(0.5), y: center}}
	switch l.form {
	case line, band:
		l.points = []point{{x: exactly(0), y: center}, {x: exactly(1), y: center}}
	case areas, hatched, crossed:
		l.points = []point{{x: estimate{0.5, 0, 1}, y: center}}
	case spots:
		l.points = []point{{x: exactly(0.2), y: center}, {x: exactly(0.5), y: center}, {x: exactly(0.8), y: center}}
	}
	unit := plot.New()
	unit.X.Min, unit.X.Max, unit.Y.Min, unit.Y.Max = 0, 1, 0, 1
	l.Plot(c, unit)
}

// over is where a coordinate of the layer's points has its reading.
func (l layer) over(e estimate) (low, high float64) {
	if e.bounded() && l.form >= rules {
		return e.low, e.high
	}
	return e.value, e.value
}

// lines joins what a reader is told of a point, but for what is empty.
func lines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "\n")
}

// equation is "name = value", with its interval where there is one.
func equation(name string, e estimate) string {
	if !plain.Finite(e.value) {
		return ""
	}
	text := plain.Text(name) + " = " + format.Value(e.value)
	if plain.Finite(e.low) && plain.Finite(e.high) && e.low != e.high {
		text += " [" + format.Value(e.low) + ", " + format.Value(e.high) + "]"
	}
	return text
}

// drawFields fills rectangles, and prints all of their numbers where the widest fits.
func (l layer) drawFields(c draw.Canvas, rectangles []vg.Rectangle) {
	style := textStyle(tickSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	room := true
	for i, p := range l.paints {
		c.FillPolygon(p.fill, corners(inset(rectangles[i], l.width/2)))
		size := rectangles[i].Size()
		room = room && style.Width(p.number)+3 <= size.X && vg.Length(tickSize)+2 <= size.Y
	}
	for i, p := range l.paints {
		if room && p.number != "" {
			style.Color = p.ink
			r := rectangles[i]
			center := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y+r.Max.Y)/2 + style.FontExtents().Descent/2}
			c.FillText(style, center, p.number)
		}
	}
}

// drawHatched outlines a rectangle and fills it with diagonals.
func (l layer) drawHatched(c draw.Canvas, r vg.Rectangle) {
	const step = vg.Length(5)
	r = inset(r, fieldGap/2)
	c.StrokeLines(l.style(), append(corners(r), r.Min))
	inside := draw.Canvas{Canvas: c.Canvas, Rectangle: r}
	height := r.Size().Y
	for x := r.Min.X - height + step; x < r.Max.X; x += step {
		c.StrokeLines(l.style(), inside.ClipLinesXY([]vg.Point{{X: x, Y: r.Min.Y}, {X: x + height, Y: r.Max.Y}})...)
	}
}

// drawCrossed draws a cross in the middle of a rectangle.
func (l layer) drawCrossed(c draw.Canvas, r vg.Rectangle) {
	const arm = vg.Length(2.5)
	at := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	c.StrokeLines(l.style(), []vg.Point{{X: at.X - arm, Y: at.Y - arm}, {X: at.X + arm, Y: at.Y + arm}},
		[]vg.Point{{X: at.X - arm, Y: at.Y + arm}, {X: at.X + arm, Y: at.Y - arm}})
}

func inset(r vg.Rectangle, by vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: r.Min.X + by, Y: r.Min.Y + by}, Max: vg.Point{X: r.Max.X - by, Y: r.Max.Y - by}}
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

func byX(a, b point) int { return cmp.Compare(a.x.value, b.x.value) }
