package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// drawable picks the points of v that log–log axes can show. The note says what
// is left out and why; it is empty when nothing is.
func drawable(v claims.Verdict) (points []claims.Point, note string) {
	var dropped []string
	for _, p := range v.Points {
		if positive(p.X) && positive(p.Y) {
			points = append(points, p)
			continue
		}
		dropped = append(dropped, fmt.Sprintf("%s = %s (value %s)", v.Over, format.Number(p.X), format.Number(p.Y)))
	}
	if len(dropped) > 0 {
		note = fmt.Sprintf("Not in the figure, since log axes have no place for it: %s.", strings.Join(dropped, ", "))
	}
	return points, note
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 0) }

// slopeFigure draws verdicts of a slope claim, each with a drawable point, and says what is
// drawn. Their legend leaves out what they share.
func slopeFigure(title string, verdicts []claims.Verdict, shared results.Key, l Labels) Figure {
	v := verdicts[0]
	var repeats tally
	for _, v := range verdicts {
		repeats.count(max(v.Repeats, v.Answers))
	}
	shows := fmt.Sprintf("Marks are geometric means over %s; bars are their %s intervals", repeats, format.Percent(v.Level))
	switch {
	case v.Answers > 0:
		shows = "Bars go from the largest value that fails to the least that holds; marks are their geometric means"
	case repeats.most < 2:
		shows = "Marks are single repeats"
	}
	f := Figure{
		Alt:   plain.Text(fmt.Sprintf("%s against %s, log-log: %s", l.named(v.Of), l.named(v.Over), title)),
		Says:  l.Sentence(v.Says),
		Shows: shows + ". Only the slope is claimed, not the height of its line.",
		Chart: slopeChart(title, verdicts, shared).labelled(l),
	}
	f.Chart.Describe = f.Shows
	return f
}

// slopeChart has the measured points of each verdict, the fitted and the claimed line, and the
// floor.
func slopeChart(title string, verdicts []claims.Verdict, shared results.Key) Chart {
	p := Panel{X: Axis{Label: plain.Text(verdicts[0].Over), Log: true}, Y: Axis{Label: plain.Text(verdicts[0].Of), Log: true}}
	var compared []Series
	for i, v := range verdicts {
		name := plain.Text(format.PlainWhere(format.Without(v.Group, shared)))
		if name == "" && len(verdicts) > 1 {
			name = "this group"
		}
		points := styled(i, strings.TrimPrefix(name+": "+slopeText(v), ": "))
		points.Width, points.Interval = 0, bars
		fitted := Series{Name: "fitted", Colour: points.Colour, Width: 1}
		claimed := Series{Name: "claimed slope", Colour: points.Colour, Width: 1, Dashes: dashes[0]}
		if len(verdicts) == 1 {
			claimed.Colour = red
		}
		floor := floorSeries()

		for k, q := range v.Points {
			least, local := math.NaN(), math.NaN()
			if q.Floor != nil {
				least = *q.Floor
			}
			if q.Local != nil && k > 0 {
				local = *q.Local
			}
			x, y := exactly(q.X), estimate{q.Y, q.Low, q.High}
			text := lines(plain.Text(format.PlainWhere(v.Group)), equation(v.Over, x), equation(v.Of, y),
				equation("fitted", exactly(q.Fit)), equation("claimed", exactly(q.Theory)), equation("floor", exactly(least)), equation("local slope", exactly(local)))
			points.Points = append(points.Points, Point{X: x, Y: y, Text: text})

			for _, line := range []struct {
				*Series
				y float64
			}{{&fitted, q.Fit}, {&claimed, q.Theory}, {&floor, least}} {
				if positive(line.y) {
					line.Points = append(line.Points, Point{X: x, Y: exactly(line.y)})
				}
			}
		}
		p.Series = append(p.Series, points)
		for _, line := range []Series{floor, fitted, claimed} {
			if len(line.Points) > 1 {
				compared = append(compared, line)
			}
		}
	}
	p.Series = append(p.Series, compared...)
	return newChart("", title, []Panel{p})
}

// slopeText is the slope that was found and the one that is claimed, where they are known.
func slopeText(v claims.Verdict) string {
	text := "slope unknown"
	if !math.IsNaN(v.Estimate) {
		text = "slope " + format.Minus(strconv.FormatFloat(v.Estimate, 'f', 3, 64)) + v.Factor()
	}
	if !math.IsNaN(v.Target) {
		sign := map[string]string{"<=": "≤ ", ">=": "≥ "}[v.Relation]
		text += ", claimed " + sign + format.Claimed(v) + v.Factor()
	}
	return text
}
