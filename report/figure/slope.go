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
	look
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

// slopeChart draws one or several groups of a slope claim; each has a drawable
// point at least.
func slopeChart(title string, groups []slopeGroup) chart {
	first := groups[0]
	p := panel{x: axis{label: plain.Text(first.Over), log: true, most: 6}, y: axis{label: plain.Text(first.Of), log: true, most: 6}}
	var floors, lines, marked []layer
	for _, g := range groups {
		floors = append(floors, g.floor())
		if len(groups) == 1 {
			lines = append(lines, layer{form: band, points: g.measured(), look: g.look}.named(g.meanText()))
			lines = append(lines, g.fitted().named(g.fittedText()), g.claimed().named(g.claimedText()))
			marked = all(g.marks(), g.meanText())
		} else {
			lines = append(lines, g.fitted().named(g.groupText(), fittedKey), g.claimed().named(g.groupText(), claimedKey))
			marked = append(marked, all(g.marks(), g.groupText())...)
		}
		for _, q := range g.points {
			p.x.positions = append(p.x.positions, q.X)
		}
	}
	p.layers = append(append(floors, lines...), marked...)
	panels := []panel{p}
	scale(panels, figureWidth)
	if len(groups) == 1 {
		return sizedChart("", title, panels, append(first.legend(), floorEntry(panels)...))
	}
	var legend []entry
	black := slopeGroup{look: look{colour: black}, name: "all"}
	for _, g := range groups {
		legend = append(legend, entry{g.groupText(), append([]layer{g.fitted()}, g.marks()[1:]...)})
		black.points = append(black.points, g.points...)
	}
	keys := append(lineEntry(fittedKey, black.fitted()), lineEntry(claimedKey, black.claimed())...)
	return sizedChart("", title, panels, legend, append(keys, floorEntry(panels)...))
}

// measured are the points with their intervals and their numbers.
func (g slopeGroup) measured() []point {
	var points []point
	name := g.name
	if name == "" {
		name = plain.Text(format.PlainWhere(g.Group))
	}
	for i, q := range g.points {
		floor, local := "", ""
		if q.Floor != nil {
			floor = equation("floor", exactly(*q.Floor))
		}
		if q.Local != nil && i > 0 {
			local = equation("local slope", exactly(*q.Local))
		}
		y := estimate{q.Y, q.Low, q.High}
		points = append(points, point{exactly(q.X), y, lines(name, equation(g.Over, exactly(q.X)), equation(g.Of, y),
			equation("fitted", exactly(q.Fit)), equation("claimed", exactly(q.Theory)), floor, local)})
	}
	return points
}

// through joins a value of the points where it is positive.
func (g slopeGroup) through(l layer, value func(claims.Point) float64) layer {
	for _, q := range g.points {
		if v := value(q); positive(v) {
			l.points = append(l.points, point{x: exactly(q.X), y: exactly(v)})
		}
	}
	return l
}

func (g slopeGroup) floor() layer {
	return g.through(floorLayer(nil), func(q claims.Point) float64 {
		if q.Floor == nil {
			return 0
		}
		return *q.Floor
	})
}

func (g slopeGroup) fitted() layer {
	return g.through(layer{look: g.look, width: lineWidth}, func(q claims.Point) float64 { return q.Fit })
}

func (g slopeGroup) claimed() layer {
	l := layer{look: g.look, width: lineWidth, dashes: []vg.Length{3.5, 2}}
	if g.name == "" {
		l.colour = red
	}
	return g.through(l, func(q claims.Point) float64 { return q.Theory })
}

// marks are the means over their intervals.
func (g slopeGroup) marks() []layer {
	points := g.measured()
	return []layer{{form: errorBars, points: points, look: g.look, width: 0.8}, markLayer(g.look, points)}
}

// legend is that of the group alone.
func (g slopeGroup) legend() []entry {
	entries := []entry{{g.meanText(), append([]layer{{form: band, look: g.look}}, g.marks()...)}}
	entries = append(entries, lineEntry(g.fittedText(), g.fitted())...)
	return append(entries, lineEntry(g.claimedText(), g.claimed())...)
}

// What the legend says of several groups' lines.
const fittedKey, claimedKey = "fitted", "claimed slope"

func (g slopeGroup) meanText() string {
	if g.Answers > 0 {
		return "answer and its interval"
	}
	if g.Repeats < 2 {
		return "measured"
	}
	return fmt.Sprintf("geometric mean, %s interval", format.Percent(g.Level))
}

func (g slopeGroup) fittedText() string { return "fitted slope " + slopeText(g.Verdict) }

func (g slopeGroup) claimedText() string { return "claimed slope " + claimedFigure(g.Verdict) }

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
