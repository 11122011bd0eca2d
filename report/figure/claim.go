package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// maxCombined is how many groups one figure has, each with a fitted and a claimed
// line.
const maxCombined = 6

// OfClaim are the figures of a claim about slopes, under names that are not taken: one for each few
// groups. Other claims have none: their tables have the intervals. A note on values without a place
// stands without a figure too.
func OfClaim(id string, verdicts []claims.Verdict, taken map[string]bool, l Labels) (all []Figure) {
	var slopes []claims.Verdict
	var dropped []string
	for _, v := range verdicts {
		points, beyond := drawable(v)
		dropped = append(dropped, beyond...)
		if v.Points = points; len(points) > 0 {
			slopes = append(slopes, v)
		}
	}

	charts := max(1, (len(slopes)+maxCombined-1)/maxCombined)
	for part := range slices.Chunk(slopes, max(1, (len(slopes)+charts-1)/charts)) {
		f := slopeFigure(id, part, format.SharedBy(verdicts), l)
		f.Path = FigurePath(taken, id)
		all = append(all, f)
	}
	if len(dropped) > 0 {
		if len(all) == 0 {
			all = []Figure{{}}
		}
		all[0].Note = fmt.Sprintf("Not in the figure, since log axes have no place for it: %s.", strings.Join(dropped, ", "))
	}
	return all
}

// drawable picks the points of v that log–log axes can show, and names the others.
func drawable(v claims.Verdict) (points []claims.Point, beyond []string) {
	for _, p := range v.Points {
		if positive(p.X) && positive(p.Y) {
			points = append(points, p)
		} else {
			beyond = append(beyond, fmt.Sprintf("%s = %s (value %s)", v.Over, format.Number(p.X), format.Number(p.Y)))
		}
	}
	return points, beyond
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 0) }

// slopeFigure draws verdicts of a slope claim, each with a drawable point, and says what is
// drawn. Their legend leaves out what they share.
func slopeFigure(id string, verdicts []claims.Verdict, shared results.Key, l Labels) Figure {
	v := verdicts[0]
	var repeats tally
	for _, v := range verdicts {
		repeats.count(v.Repeats)
	}
	shows := fmt.Sprintf("Marks are geometric means over %s; bars are their %s intervals", repeats, format.Percent(v.Level))
	switch {
	case repeats.most < 2:
		shows = "Marks are single repeats"
	}
	f := Figure{
		Alt:   plain.Text(fmt.Sprintf("%s against %s, log-log: %s", l.named(v.Of), l.named(v.Over), id)),
		Says:  l.Sentence(v.Says),
		Shows: shows + ". Only the slope is claimed, not the height of its line.",
		Chart: slopeChart(id, verdicts, shared).labelled(l),
	}
	f.Chart.Describe = f.Shows
	return f
}

// slopeChart has the measured points of each verdict, the fitted and the claimed line, and the
// floor.
func slopeChart(title string, verdicts []claims.Verdict, shared results.Key) Chart {
	p := Panel{X: Axis{Label: plain.Text(verdicts[0].Over), Log: true}, Y: Axis{Label: plain.Text(verdicts[0].Of), Log: true}}
	var lines []Series
	for i, v := range verdicts {
		name := plain.Text(format.PlainWhere(format.Without(v.Group, shared)))
		points := styled(i, strings.TrimPrefix(name+": "+slopeText(v), ": "))
		points.Width, points.Interval = 0, bars
		floor := floorSeries()
		fitted := Series{Name: "fitted", Colour: points.Colour, Width: 1}
		claimed := Series{Name: "claimed slope", Colour: points.Colour, Width: 1, Dashes: dashes[0]}
		if len(verdicts) == 1 {
			claimed.Colour = red
		}

		for _, q := range v.Points {
			x, y := exactly(q.X), estimate{q.Y, q.Low, q.High}
			text := joined(plain.Text(format.PlainWhere(v.Group)), equation(v.Over, x), equation(v.Of, y),
				equation("fitted", exactly(q.Fit)), equation("claimed", exactly(q.Theory)))
			points.Points = append(points.Points, Point{X: x, Y: y, Text: text})
			fitted.add(q.X, q.Fit)
			claimed.add(q.X, q.Theory)
			if q.Floor != nil {
				floor.add(q.X, *q.Floor)
			}
		}
		p.Series, lines = append(p.Series, points), append(lines, floor, fitted, claimed)
	}
	for _, line := range lines {
		if len(line.Points) > 1 {
			p.Series = append(p.Series, line)
		}
	}
	return newChart(title, []Panel{p})
}

// add adds a point to a line on log axes, if these have a place for it.
func (s *Series) add(x, y float64) {
	if positive(y) {
		s.Points = append(s.Points, Point{X: exactly(x), Y: exactly(y)})
	}
}

// slopeText is the slope that was found and the one that is claimed, where they are known.
func slopeText(v claims.Verdict) string {
	text := "slope unknown"
	if !math.IsNaN(v.Estimate) {
		text = "slope " + format.Minus(strconv.FormatFloat(v.Estimate, 'f', 3, 64))
	}
	if !math.IsNaN(v.Target) {
		sign := map[string]string{"<=": "≤ ", ">=": "≥ "}[v.Relation]
		text += ", claimed " + sign + format.Claimed(v)
	}
	return text
}
