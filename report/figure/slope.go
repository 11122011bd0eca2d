package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// slopeGroup is one group of a slope claim as a figure shows it.
type slopeGroup struct {
	name   string // what tells it from the other groups of a figure; "" where it is alone
	points []claims.Point
	claims.Verdict
}

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

// slopeChart draws one or several groups of a slope claim, each with a drawable point: the
// measured points, the fitted and the claimed line, and the floor.
func slopeChart(title string, groups []slopeGroup) Chart {
	first := groups[0]
	p := Panel{X: Axis{Label: plain.Text(first.Over), Log: true}, Y: Axis{Label: plain.Text(first.Of), Log: true}}
	var compared []Series
	for i, g := range groups {
		measured := styled(i, g.groupText())
		fitted := Series{Name: "fitted", Colour: measured.Colour, Width: 1}
		claimed := Series{Name: "claimed slope", Colour: measured.Colour, Width: 1, Dashes: []vg.Length{3.5, 2}}
		measured.Width, measured.Interval, measured.Points = 0, bars, g.measured()
		if len(groups) == 1 {
			measured.Name, measured.Interval = g.meanText(), band
			fitted.Name, claimed.Name, claimed.Colour = "fitted slope "+slopeText(g.Verdict), "claimed slope "+claimedFigure(g.Verdict), red
		}
		fitted.Points = g.through(func(q claims.Point) float64 { return q.Fit })
		claimed.Points = g.through(func(q claims.Point) float64 { return q.Theory })
		p.Series = append(p.Series, measured)
		if floor := g.through(func(q claims.Point) float64 { return floorOf(q) }); len(floor) > 0 {
			compared = append(compared, floorSeries(floor))
		}
		if len(groups) == 1 {
			bars := measured
			bars.Name, bars.Interval, bars.Shape = "", "bars", ""
			p.Series = append(p.Series, bars)
		}
		for _, line := range []Series{fitted, claimed} {
			if len(line.Points) > 1 {
				compared = append(compared, line)
			}
		}
	}
	p.Series = append(p.Series, compared...)
	return newChart("", title, []Panel{p})
}

// floorSeries is the floor below a line.
func floorSeries(points []Point) Series {
	return Series{Name: floorName, Colour: quiet, Width: 0.6, Reach: 1, Points: points}
}

func floorOf(q claims.Point) float64 {
	if q.Floor == nil {
		return math.NaN()
	}
	return *q.Floor
}

// measured are the points with their intervals and their numbers.
func (g slopeGroup) measured() []Point {
	var points []Point
	name := g.name
	if name == "" {
		name = plain.Text(format.PlainWhere(g.Group))
	}
	for i, q := range g.points {
		local := math.NaN()
		if q.Local != nil && i > 0 {
			local = *q.Local
		}
		y := estimate{q.Y, q.Low, q.High}
		points = append(points, Point{exactly(q.X), y, lines(name, equation(g.Over, exactly(q.X)), equation(g.Of, y),
			equation("fitted", exactly(q.Fit)), equation("claimed", exactly(q.Theory)), equation("floor", exactly(floorOf(q))), equation("local slope", exactly(local)))})
	}
	return points
}

// through are the points of a line through a value of the points, where it is positive.
func (g slopeGroup) through(value func(claims.Point) float64) []Point {
	var points []Point
	for _, q := range g.points {
		if v := value(q); positive(v) {
			points = append(points, Point{X: exactly(q.X), Y: exactly(v)})
		}
	}
	return points
}

func (g slopeGroup) meanText() string {
	if g.Answers > 0 {
		return "answer and its interval"
	}
	if g.Repeats < 2 {
		return "measured"
	}
	return fmt.Sprintf("geometric mean, %s interval", format.Percent(g.Level))
}

// groupText is the group's among several.
func (g slopeGroup) groupText() string {
	return fmt.Sprintf("%s: slope %s, claimed %s", g.name, slopeText(g.Verdict), claimedFigure(g.Verdict))
}

func slopeText(v claims.Verdict) string {
	if math.IsNaN(v.Estimate) {
		return "unknown"
	}
	return format.Minus(strconv.FormatFloat(v.Estimate, 'f', 3, 64)) + v.Factor()
}

// claimedFigure is what v claims, short enough for a legend.
func claimedFigure(v claims.Verdict) string {
	sign := map[string]string{"<=": "≤ ", ">=": "≥ "}[v.Relation]
	return sign + format.Claimed(v) + v.Factor()
}
