package figure

import (
	"fmt"
	"math"
	"slices"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// OfAnswers draws the least values that targets ask for, one figure for each pair of
// variables: a bar from the largest value told to fail to the least told to hold, with a
// mark at their geometric mean. A bar with one end alone goes on to the axis' end.
func OfAnswers(answers []claims.Answer, taken map[string]bool) []Figure {
	type axes struct{ find, over string }
	var order []axes
	figures := map[axes][]claims.Answer{}
	for _, a := range answers {
		at := axes{a.Find, a.Over}
		if a.Open || a.Fails == nil && a.Holds == nil {
			continue
		}
		if figures[at] == nil {
			order = append(order, at)
		}
		figures[at] = append(figures[at], a)
	}
	var all []Figure
	for _, at := range order {
		title := fmt.Sprintf("least %s against %s", at.find, at.over)
		all = append(all, Figure{Path: FigurePath(taken, "target", at.find+"-"+at.over), Alt: title, Chart: answersChart(title, figures[at])})
	}
	return all
}

// answersChart draws answers about the same two variables.
func answersChart(title string, answers []claims.Answer) chart {
	first := answers[0]
	p := panel{x: axis{label: plain.Text(first.Over), log: true, most: 6}, y: axis{label: "least " + plain.Text(first.Find), log: true, most: 6}}
	var legend []entry
	series := map[string][]claims.Answer{}
	var names []string
	for _, a := range answers {
		name := a.Target
		if where := format.ShortWhere(a.Group); where != "" {
			name += " " + where
		}
		if series[name] == nil {
			names = append(names, name)
		}
		series[name] = append(series[name], a)
	}
	for i, name := range names {
		look, dashes := seriesLook(i)
		var found, theory []point
		for _, a := range series[name] {
			found = append(found, answerPoint(name, a))
			if a.Theory != nil && *a.Theory > 0 {
				theory = append(theory, point{x: exactly(a.At), y: exactly(*a.Theory)})
			}
			p.x.positions = append(p.x.positions, a.At)
		}
		slices.SortFunc(found, func(a, b point) int { return int(math.Copysign(1, a.x.value-b.x.value)) })
		joined := layer{points: silent(found), look: look, width: lineWidth, dashes: dashes}
		bars := layer{form: errorBars, points: silent(found), look: look, width: lineWidth}
		dots := markLayer(look, found)
		p.layers = append(p.layers, joined, bars, dots)
		legend = append(legend, entry{name, []layer{joined, dots}})
		if len(theory) > 1 {
			curve := layer{role: "theory", points: theory, look: look, width: 0.8, dashes: theoryDashes[0], reach: 1}
			p.layers = append(p.layers, curve)
			legend = append(legend, entry{name + ": " + series[name][0].Curve, []layer{curve}})
		}
	}
	panels := []panel{p}
	scale(panels, figureWidth)
	describe := fmt.Sprintf("Log-log plot of the least %s against %s: intervals from the largest value told to fail to the least told to hold.", first.Find, first.Over)
	return columnChart(title, describe, panels, legend)
}

// answerPoint is an answer with its interval; an end that is not known is that of the
// axis.
func answerPoint(name string, a claims.Answer) point {
	low, high := math.Inf(-1), math.Inf(1)
	if a.Fails != nil {
		low = *a.Fails
	}
	if a.Holds != nil {
		high = *a.Holds
	}
	value := math.Sqrt(low * high)
	switch {
	case a.Fails == nil:
		value = high
	case a.Holds == nil:
		value = low
	}
	return point{exactly(a.At), estimate{value, low, high}, lines(name, equation(a.Over, exactly(a.At)), a.Interval())}
}
