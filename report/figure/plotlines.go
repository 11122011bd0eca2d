package figure

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// theoryDashes are those of the theory's curves, by number.
var theoryDashes = [][]vg.Length{{3.5, 2}, {1.2, 1.5}, {6, 1.5, 1, 1.5}, {6, 2, 2, 2}}

// markDashes are those of the lines of reference values, by label.
var markDashes = [][]vg.Length{{1, 1.5}, {6, 2}, {6, 1.5, 1, 1.5}, nil}

const (
	fewPoints = 12 // points of a trajectory that are marked each
	frontName = "front of the means"
)

// chart draws a panel for each data set, kernel and value of the facet. A bar plot has a row of
// bars for each value of its column x; bars lie on their side, so that names have room.
func (d plotted) chart() Chart {
	var panels []Panel
	for _, p := range d.panels {
		drawn := Panel{Title: p.name, Shares: p.shares(), X: Axis{Label: d.xName, Log: d.Axes.X == "log"}, Y: Axis{Label: d.yName, Log: d.Axes.Y == "log"}}
		if d.Rows() {
			drawn.X, drawn.Y = Axis{Label: d.yName, Zero: true}, Axis{Names: lists.Map(p.rows, d.rowName)}
		}
		for _, dashed := range []bool{false, true} { // which leaves what lies below to be seen
			for _, s := range p.seriesOf(measured) {
				if d.exact[s.number] == dashed {
					drawn.Series = append(drawn.Series, d.measured(p, s)...)
				}
			}
		}
		for _, s := range p.seriesOf(theory) {
			drawn.Series = append(drawn.Series, Series{Name: d.theories[s.curve], Colour: styled(d.looks[s.number], "").Colour, Width: 0.8, Reach: 1, Dashes: theoryDashes[s.curve], Points: s.drawn(nil)})
		}
		for _, s := range p.seriesOf(floor) {
			drawn.Series = append(drawn.Series, floorSeries(s.drawn(nil)))
		}
		for _, s := range p.seriesOf(mark) {
			drawn.Series = append(drawn.Series, d.mark(s))
		}
		if d.Kind == configs.PlotPareto {
			drawn.Series = append(drawn.Series, frontSeries(p))
		}
		if text := d.bandText(); text != "" {
			key := Series{Name: text, Colour: quiet, Interval: bars, Reach: 3}
			if d.Kind == configs.PlotLine || d.Kind == configs.PlotTrajectory {
				key.Interval = band
			}
			drawn.Series = append(drawn.Series, key)
		}
		panels = append(panels, drawn)
	}
	c := newChart(d.Size, cmp.Or(d.Title, d.ID), panels)
	if d.Rows() && len(d.names) > 1 {
		c.PanelHeight += (c.PanelHeight - 45) * vg.Length(len(d.names)-1) / 2
	}
	return c
}

// rowName is a value of the column of a bar plot, after the column where it is no name.
func (d plotted) rowName(value string) string {
	if named(d.X.Text) {
		return plain.Text(value)
	}
	return plain.Text(d.X.Text + " = " + value)
}

// measured draws a line: its means with a band or bars, a mark at each cell, or a bar from 0.
func (d plotted) measured(p plotPanel, s plotSeries) []Series {
	drawn := styled(d.looks[s.number], d.names[s.number])
	drawn.Points = s.drawn(func(q plotPoint) string { return d.reading(p, s, q) })
	if d.exact[s.number] {
		drawn.Dashes = []vg.Length{5, 3} // others lie on its line where they are good
	}
	switch {
	case d.Rows():
		return d.bars(s, drawn)
	case d.Kind == configs.PlotPareto:
		drawn.Width, drawn.Interval = 0, bars
	case d.Kind == configs.PlotTrajectory && len(drawn.Points) > fewPoints:
		drawn.Shape, drawn.Interval = "", band
	case len(drawn.Points) == 1:
		drawn.Interval = bars
	default:
		drawn.Interval = band
	}
	if drawn.Interval == band && !slices.IsSortedFunc(drawn.Points, byX) {
		drawn.Interval = bars
	}
	means := drawn
	means.Interval = ""
	intervals := drawn
	intervals.Width, intervals.Dashes, intervals.Shape, intervals.Reach = 0, nil, "", 1
	for i := range means.Points { // the axes show all means, and intervals up to a decade beyond
		means.Points = slices.Clone(means.Points)
		means.Points[i].X, means.Points[i].Y = exactly(means.Points[i].X.value), exactly(means.Points[i].Y.value)
	}
	return []Series{means, intervals}
}

// reading is the numbers of a point.
func (d plotted) reading(p plotPanel, s plotSeries, q plotPoint) string {
	name, where, front, x := d.names[s.number], "", "", equation(d.xName, q.x)
	if p.name != "" {
		name += ", " + p.name
	}
	if d.Kind != configs.PlotLine {
		where = plain.Text(format.PlainWhere(q.cell))
	}
	if d.Rows() {
		where, x = d.rowName(p.rows[q.rows[0]]), ""
	}
	if q.front {
		front = "on the front"
	}
	return lines(name, where, x, equation(d.yName, q.y), "mean of "+plain.Count(len(q.values), "repeat"), front)
}

// bars are the bars of a series, and their intervals. The series of a row lie below each other.
func (d plotted) bars(s plotSeries, drawn Series) []Series {
	drawn.Shape, drawn.Width, drawn.Interval = "", 0, boxes
	whiskers := Series{Colour: ink, Interval: bars}
	slot := 0.8 / float64(len(d.names))
	for i, q := range s.points {
		at := 0.4 - (float64(s.number)+0.5)*slot - float64(q.rows[0])
		drawn.Points[i].X, drawn.Points[i].Y = estimate{q.y.value, 0, q.y.value}, estimate{at, at - 0.4*slot, at + 0.4*slot}
		whiskers.Points = append(whiskers.Points, Point{X: q.y, Y: exactly(at)})
	}
	if len(d.names) == 1 { // the rows have names
		drawn.Name = ""
	}
	return []Series{drawn, whiskers}
}

// mark draws a reference value: a cross, a line from end to end of the axis, or a stroke at
// rows of a bar plot.
func (d plotted) mark(s plotSeries) Series {
	q := s.points[0]
	text := lines(s.label, equation(d.xName, q.x), equation(d.yName, q.y))
	number := slices.IndexFunc(d.Marks, func(m configs.Mark) bool { return plain.Text(m.Label) == s.label })
	drawn := Series{Name: s.label, Colour: ink, Width: 0.8, Dashes: markDashes[number%len(markDashes)], Reach: 1}
	switch {
	case d.Rows() && q.rows != nil:
		drawn.Width, drawn.Interval = 0, bars
		for _, row := range q.rows {
			at := -float64(row)
			drawn.Points = append(drawn.Points, Point{exactly(q.y.value), estimate{at, at - 0.5, at + 0.5}, text})
		}
	case d.Rows():
		drawn.Points = across(Point{exactly(q.y.value), exactly(math.NaN()), text})
	case plain.Finite(q.x.value) && plain.Finite(q.y.value):
		drawn.Width, drawn.Shape, drawn.Radius, drawn.Reach = 0, plus, 3, 3
		drawn.Points = []Point{{q.x, q.y, text}}
	default:
		drawn.Points = across(Point{exactly(q.x.value), exactly(q.y.value), text})
	}
	return drawn
}

// across are the ends of a line over the whole axis that a point says nothing about.
func across(q Point) []Point {
	from, to := q, q
	for i, e := range []*estimate{&from.X, &from.Y} {
		if math.IsNaN(e.value) {
			*e, *[]*estimate{&to.X, &to.Y}[i] = exactly(math.Inf(-1)), exactly(math.Inf(1))
		}
	}
	return []Point{from, to}
}

// frontSeries joins the points of a front by the steps of what they reach.
func frontSeries(p plotPanel) Series {
	var front []plotPoint
	for _, s := range p.seriesOf(measured) {
		front = append(front, lists.Where(s.points, func(q plotPoint) bool { return q.front })...)
	}
	slices.SortFunc(front, func(a, b plotPoint) int { return cmp.Compare(a.x.value, b.x.value) })
	drawn := Series{Name: frontName, Colour: quiet, Width: 0.8, Reach: 1, Dashes: []vg.Length{2, 1.5}}
	before := math.Inf(1)
	for _, q := range front {
		drawn.Points = append(drawn.Points, Point{X: exactly(q.x.value), Y: exactly(before)}, Point{X: exactly(q.x.value), Y: exactly(q.y.value)})
		before = q.y.value
	}
	drawn.Points = append(drawn.Points, Point{X: exactly(math.Inf(1)), Y: exactly(before)})
	return drawn
}

// bandText says what intervals are; "" when there are none.
func (d plotted) bandText() string {
	bounded := func(q plotPoint) bool { return q.y.bounded() }
	switch {
	case !d.has(func(s plotSeries) bool { return s.role == measured && slices.ContainsFunc(s.points, bounded) }):
		return ""
	case d.Band == "sd":
		return "standard deviation"
	}
	return "95 % t interval"
}

// chart draws the points of a scatter plot: a panel for each cloud, with axes of the same
// length in each, so that shapes keep their form.
func (s scattered) chart() Chart {
	var panels []Panel
	for _, c := range s.clouds {
		letter := "z"
		if c.input {
			letter = "x"
		}
		p := Panel{Title: c.name, Shares: c.name, Square: true, X: Axis{Label: letter + "1"}, Y: Axis{Label: letter + "2"}}
		p.X.Span, p.Y.Span = squared(c.points)
		p.Series = make([]Series, max(1, len(s.classes)))
		for i := range p.Series {
			p.Series[i] = styled(i, "")
			if len(s.classes) > 0 && len(s.classes) <= maxSeries {
				p.Series[i].Name = "class " + strconv.Itoa(s.classes[i])
			}
			p.Series[i].Width, p.Series[i].Radius, p.Series[i].Hollow = 0, 0.8, false
		}
		for i, q := range c.points {
			class, text := 0, ""
			if c.class != nil {
				class, _ = slices.BinarySearch(s.classes, c.class[i])
				text = "class " + strconv.Itoa(c.class[i])
			}
			to := &p.Series[class]
			to.Points = append(to.Points, Point{exactly(q[0]), exactly(second(q)), lines(c.name, text, equation(p.X.Label, exactly(q[0])), equation(p.Y.Label, exactly(q[1])))})
		}
		panels = append(panels, p)
	}
	c := newChart(s.Size, cmp.Or(s.Title, s.ID), panels)
	c.Columns = min(len(panels), max(1, int(c.Width/smallHeight)))
	c.PanelHeight = c.Width/vg.Length(c.Columns) + 6
	return c
}

// squared are the spans of two coordinates, with the same length in both.
func squared(points [][2]float64) (x, y [2]float64) {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		for i, v := range []float64{p[0], second(p)} {
			low[i], high[i] = min(low[i], v), max(high[i], v)
		}
	}
	half := 0.55 * max(high[0]-low[0], high[1]-low[1])
	if half == 0 {
		half = 0.5
	}
	around := func(i int) [2]float64 { return [2]float64{(low[i]+high[i])/2 - half, (low[i]+high[i])/2 + half} }
	return around(0), around(1)
}

// second is a point's second coordinate, 0 where it has one alone.
func second(p [2]float64) float64 {
	if math.IsNaN(p[1]) {
		return 0
	}
	return p[1]
}
