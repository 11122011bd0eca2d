package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/internal/claims"
	"mercer/report/format"
)

// series is one group of a slope claim as a figure shows it.
type series struct {
	look
	name   string // what tells it from the other groups of a figure
	points []claims.Point
	claims.Verdict
}

var (
	dashes    = []vg.Length{3.5, 2}
	lineWidth = vg.Length(1)
	radius    = vg.Length(1.9)
	capWidth  = vg.Length(3.5)
)

// drawable picks the points of v that log–log axes can show. The note says what
// is left out and why; it is empty when nothing is.
func drawable(v claims.Verdict) (points []claims.Point, note string) {
	var dropped []string
	for _, p := range v.Points {
		if !positive(p.X) || !positive(p.Y) {
			dropped = append(dropped, fmt.Sprintf("%s = %s (value %s)", v.Over, format.Number(p.X), format.Number(p.Y)))
			continue
		}
		if !positive(p.Low) || p.Low > p.Y {
			p.Low = p.Y
		}
		if !positive(p.High) || p.High < p.Y {
			p.High = p.Y
		}
		points = append(points, p)
	}
	if len(dropped) > 0 {
		note = fmt.Sprintf("Not in the figure, since log axes have no place for it: %s.", strings.Join(dropped, ", "))
	}
	return points, note
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 0) }

// slopeChart draws one or several groups of a slope claim; each has a drawable
// point at least.
func slopeChart(title string, groups []series) chart {
	first := groups[0]
	x, y := extent(groups)
	var p panel
	var positions []float64
	p.layers = append(p.layers, floorLayer(groups))
	for _, s := range groups {
		if len(groups) == 1 {
			p.layers = append(p.layers, bandLayer(s))
		}
		p.layers = append(p.layers, fittedLayer(s), claimedLayer(s), markLayer(s))
		for _, q := range s.points {
			positions = append(positions, q.X)
		}
	}
	p.x = logAxis(format.Printable(first.Over), x, positions)
	p.readings = slopeReadings(groups)
	p.y = axis{label: format.Printable(first.Of), span: y, log: true, ticks: logTicks(y, 6)}
	legend := combinedLegend(groups)
	if len(groups) == 1 {
		legend = [][]entry{singleLegend(first)}
	}
	describe := fmt.Sprintf("Log-log plot of %s against %s: measured means with intervals, the fitted line, the claimed slope and the floor.", first.Of, first.Over)
	return single(title, describe, p, legend)
}

// extent is the range of the axes: all that is measured, fitted and claimed,
// and the floor as far as it does not more than double the height of the rest.
func extent(groups []series) (x, y span) {
	x, y = span{math.Inf(1), 0}, span{math.Inf(1), 0}
	include := func(s *span, v float64) {
		if positive(v) {
			s.low, s.high = math.Min(s.low, v), math.Max(s.high, v)
		}
	}
	for _, s := range groups {
		for _, p := range s.points {
			include(&x, p.X)
			for _, v := range []float64{p.Y, p.Low, p.High, p.Fit, p.Theory} {
				include(&y, v)
			}
		}
	}
	lowest := y.low / math.Max(10, y.high/y.low)
	for _, s := range groups {
		for _, p := range s.points {
			if p.Floor != nil && *p.Floor >= lowest {
				include(&y, *p.Floor)
			}
		}
	}
	return x.pad(0.05), y.pad(0.06)
}

// path is the line through value at the points where it is positive.
func path(s series, x, y func(float64) vg.Length, value func(claims.Point) float64) []vg.Point {
	var line []vg.Point
	for _, p := range s.points {
		if v := value(p); positive(v) {
			line = append(line, vg.Point{X: x(p.X), Y: y(v)})
		}
	}
	return line
}

func bandLayer(s series) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		area := path(s, x, y, func(p claims.Point) float64 { return p.Low })
		upper := path(s, x, y, func(p claims.Point) float64 { return p.High })
		for i := len(upper) - 1; i >= 0; i-- {
			area = append(area, upper[i])
		}
		if len(s.points) > 1 {
			c.FillPolygon(translucent(s.colour), area)
		}
	}
}

func claimedLayer(s series) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		line := path(s, x, y, func(p claims.Point) float64 { return p.Theory })
		c.StrokeLines(s.claimedStyle(), line)
	}
}

func fittedLayer(s series) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		line := path(s, x, y, func(p claims.Point) float64 { return p.Fit })
		c.StrokeLines(draw.LineStyle{Color: s.colour, Width: lineWidth}, line)
	}
}

func (s series) claimedStyle() draw.LineStyle {
	style := draw.LineStyle{Color: s.colour, Width: lineWidth, Dashes: dashes}
	if s.name == "" { // alone in its figure
		style.Color = red
	}
	return style
}

var floorStyle = draw.LineStyle{Color: grey, Width: 0.6}

// floorLayer draws the floor of each group, clipped to the axes, and the same
// floor once.
func floorLayer(groups []series) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		drawn := map[string]bool{}
		for _, s := range groups {
			line := path(s, x, y, func(p claims.Point) float64 {
				if p.Floor == nil {
					return 0
				}
				return *p.Floor
			})
			if id := fmt.Sprint(line); len(line) > 0 && !drawn[id] {
				drawn[id] = true
				c.StrokeLines(floorStyle, c.ClipLinesY(line)...)
			}
		}
	}
}

// markLayer draws means and, where they are wider than the mark, whiskers.
func markLayer(s series) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for _, p := range s.points {
			s.mark(c, vg.Point{X: x(p.X), Y: y(p.Y)}, y(p.Low), y(p.High))
		}
	}
}

func (s series) mark(c *draw.Canvas, at vg.Point, low, high vg.Length) {
	if high-low > 2*radius {
		style := draw.LineStyle{Color: s.colour, Width: 0.8}
		c.StrokeLine2(style, at.X, low, at.X, high)
		c.StrokeLine2(style, at.X-capWidth/2, low, at.X+capWidth/2, low)
		c.StrokeLine2(style, at.X-capWidth/2, high, at.X+capWidth/2, high)
	}
	c.DrawGlyph(draw.GlyphStyle{Color: s.colour, Radius: radius, Shape: s.shape}, at)
}

func singleLegend(s series) []entry {
	measured := func(c *draw.Canvas) {
		c.FillPolygon(translucent(s.colour), []vg.Point{{X: c.Min.X, Y: c.Center().Y - 3.5}, {X: c.Max.X, Y: c.Center().Y - 3.5},
			{X: c.Max.X, Y: c.Center().Y + 3.5}, {X: c.Min.X, Y: c.Center().Y + 3.5}})
		s.mark(c, c.Center(), c.Center().Y-3.5, c.Center().Y+3.5)
	}
	mean := fmt.Sprintf("geometric mean, %s interval", format.Percent(s.Level))
	if s.Repeats < 2 {
		mean = "measured"
	}
	legend := []entry{{measured, mean}}
	if hasLine(s, func(p claims.Point) float64 { return p.Fit }) {
		legend = append(legend, entry{stroke(draw.LineStyle{Color: s.colour, Width: lineWidth}), "fitted slope " + format.Minus(slopeText(s.Verdict))})
	}
	if hasLine(s, func(p claims.Point) float64 { return p.Theory }) {
		legend = append(legend, entry{stroke(s.claimedStyle()), "claimed slope " + claimedFigure(s.Verdict)})
	}
	if hasFloor([]series{s}) {
		legend = append(legend, entry{stroke(floorStyle), floorText([]series{s})})
	}
	return legend
}

func combinedLegend(groups []series) [][]entry {
	var legend []entry
	fitted, claimed := false, false
	for _, s := range groups {
		icon := func(c *draw.Canvas) {
			stroke(draw.LineStyle{Color: s.colour, Width: lineWidth})(c)
			s.mark(c, c.Center(), c.Center().Y, c.Center().Y)
		}
		text := fmt.Sprintf("%s: slope %s, claimed %s", s.name, format.Minus(slopeText(s.Verdict)), claimedFigure(s.Verdict))
		legend = append(legend, entry{icon, text})
		fitted = fitted || hasLine(s, func(p claims.Point) float64 { return p.Fit })
		claimed = claimed || hasLine(s, func(p claims.Point) float64 { return p.Theory })
	}
	var keys []entry
	if fitted {
		keys = append(keys, entry{stroke(draw.LineStyle{Color: black, Width: lineWidth}), "fitted"})
	}
	if claimed {
		keys = append(keys, entry{stroke(draw.LineStyle{Color: black, Width: lineWidth, Dashes: dashes}), "claimed"})
	}
	if hasFloor(groups) {
		keys = append(keys, entry{stroke(floorStyle), floorText(groups)})
	}
	return [][]entry{legend, keys}
}

func stroke(style draw.LineStyle) func(*draw.Canvas) {
	return func(c *draw.Canvas) {
		c.StrokeLine2(style, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
	}
}

// hasLine says whether at least two points have a positive value.
func hasLine(s series, value func(claims.Point) float64) bool {
	count := 0
	for _, p := range s.points {
		if positive(value(p)) {
			count++
		}
	}
	return count > 1
}

func hasFloor(groups []series) bool {
	for _, s := range groups {
		if hasLine(s, func(p claims.Point) float64 {
			if p.Floor == nil {
				return 0
			}
			return *p.Floor
		}) {
			return true
		}
	}
	return false
}

// floorText says where the floor is when the axis does not reach down to it.
func floorText(groups []series) string {
	_, y := extent(groups)
	seen, below := false, false
	for _, s := range groups {
		for _, p := range s.points {
			if p.Floor != nil && positive(*p.Floor) {
				seen = seen || y.holds(*p.Floor)
				below = below || !y.holds(*p.Floor)
			}
		}
	}
	switch {
	case seen && below:
		return "floor, in part below the axis"
	case below:
		return "floor: below the axis"
	}
	return "floor"
}

func slopeText(v claims.Verdict) string {
	if math.IsNaN(v.Estimate) {
		return "unknown"
	}
	return strconv.FormatFloat(v.Estimate, 'f', 3, 64)
}

// claimedFigure is what v claims, short enough for a legend.
func claimedFigure(v claims.Verdict) string {
	sign := map[string]string{"<=": "≤ ", ">=": "≥ "}[v.Relation]
	text := sign + format.Minus(format.Number(v.Target))
	if v.Relation == "=" && v.Within > 0 {
		text += " ± " + format.Number(v.Within)
	}
	return text
}

// slopeReadings are those of a slope claim's points.
func slopeReadings(groups []series) []reading {
	var all []reading
	for _, s := range groups {
		name := s.name
		if name == "" {
			name = format.Printable(format.PlainWhere(s.Group))
		}
		for i, p := range s.points {
			local, floor := "", ""
			if p.Local != nil && i > 0 {
				local = equation("local slope", *p.Local, math.NaN(), math.NaN())
			}
			if p.Floor != nil {
				floor = equation("floor", *p.Floor, math.NaN(), math.NaN())
			}
			all = append(all, readingAt(p.X, p.Y, name, equation(s.Over, p.X, math.NaN(), math.NaN()),
				equation(s.Of, p.Y, p.Low, p.High), equation("fitted", p.Fit, math.NaN(), math.NaN()),
				equation("claimed", p.Theory, math.NaN(), math.NaN()), floor, local))
		}
	}
	return all
}
