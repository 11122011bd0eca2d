package figure

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"mercer/configs"
	"mercer/report/format"
)

// reading is a mark of a panel and the numbers that it stands for, all digits of
// them, for readers that point at it.
type reading struct {
	x0, x1, y0, y1 float64 // in the coordinates of the axes
	text           string  // lines
}

// readingAt is a reading at a point.
func readingAt(x, y float64, lines ...string) reading {
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	return reading{x, x, y, y, strings.Join(lines, "\n")}
}

// Placed is where in the SVG a reading is, in the units of its viewBox, from its
// upper left corner.
type Placed struct {
	x, y, width, height float64
	text                string
}

// MarshalJSON writes an array, to a hundredth of a point.
func (p Placed) MarshalJSON() ([]byte, error) {
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	return json.Marshal([]any{round(p.x), round(p.y), round(p.width), round(p.height), p.text})
}

// Readings are those of all panels that lie on their axes.
func (c chart) Readings() []Placed {
	var all []Placed
	rows, titleRows := len(c.rows()), c.titleRows()
	whole := c.heightWith(rows)
	canvas := draw.New(vgsvg.New(c.width, whole))
	for i, area := range c.areas(canvas, rows) {
		p := c.panels[i]
		drawn := p.plot()
		inner := drawn.DataCanvas(p.inner(area, titleRows))
		x, y := drawn.Transforms(&inner)
		for _, r := range p.readings {
			left := clamped(r.x0, p.x.log, inner.Min.X, inner.Max.X, x)
			right := clamped(r.x1, p.x.log, inner.Min.X, inner.Max.X, x)
			bottom := clamped(r.y0, p.y.log, inner.Min.Y, inner.Max.Y, y)
			top := clamped(r.y1, p.y.log, inner.Min.Y, inner.Max.Y, y)
			left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
			all = append(all, Placed{left.Points(), (whole - top).Points(), (right - left).Points(), (top - bottom).Points(), r.text})
		}
	}
	return all
}

// equation is "name = value", with its band where there is one.
func equation(name string, v, low, high float64) string {
	if !format.Finite(v) {
		return ""
	}
	text := format.Printable(name) + " = " + format.Value(v)
	if format.Finite(low) && format.Finite(high) && low != high {
		text += " [" + format.Value(low) + ", " + format.Value(high) + "]"
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

// cloudReadings are those of the points of a scatter plot's panel.
func cloudReadings(c cloud) []reading {
	all := make([]reading, len(c.points))
	for i, p := range c.points {
		class := ""
		if c.class != nil {
			class = fmt.Sprintf("class %d", c.class[i])
		}
		place := "(" + format.Value(p[0]) + ")"
		if format.Finite(p[1]) {
			place = "(" + format.Value(p[0]) + ", " + format.Value(p[1]) + ")"
		}
		all[i] = readingAt(p[0], second(p), c.name, class, place)
	}
	return all
}
