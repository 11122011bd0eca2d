package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// OfAnswers draws the least values that targets ask for, one figure for each pair of
// variables: a bar from the largest value that fails to the least that holds, with a
// mark at their geometric mean. A bar with one end alone goes on to the axis' end.
func OfAnswers(answers []claims.Answer, taken map[string]bool, l Labels) []Figure {
	found := lists.Where(answers, func(a claims.Answer) bool { return !a.Open && (a.Fails != nil || a.Holds != nil) })
	var all []Figure
	for _, same := range lists.By(found, func(a claims.Answer) [2]string { return [2]string{a.Find, a.Over} }) {
		title := fmt.Sprintf("least %s against %s", same[0].Find, same[0].Over)
		path := FigurePath(taken, "target-"+same[0].Find+"-"+same[0].Over)
		all = append(all, Figure{Path: path, Alt: title, Shows: "A bar goes from the largest value that fails to the least that holds.", Chart: answersChart(title, same).labelled(l)})
	}
	return all
}

// answersChart draws answers about the same two variables, a panel for each data set, and a
// series for each target and group.
func answersChart(title string, answers []claims.Answer) Chart {
	common := format.Common(lists.Map(answers, func(a claims.Answer) results.Key { return a.Group }))
	dataset := func(a claims.Answer) string { return plain.Text(format.Without(a.Group, common).Text("dataset")) }
	name := func(a claims.Answer) string {
		return strings.TrimSpace(plain.Text(a.Target) + " " + short(format.Without(a.Group, common).Without("dataset")))
	}
	names := lists.Once(lists.Map(answers, name))
	answers = slices.SortedStableFunc(slices.Values(answers), func(a, b claims.Answer) int { return cmp.Compare(a.At, b.At) })

	var panels []Panel
	for _, data := range lists.Once(lists.Map(answers, dataset)) {
		p := Panel{Title: data, X: Axis{Label: plain.Text(answers[0].Over), Log: true}, Y: Axis{Label: "least " + plain.Text(answers[0].Find), Log: true}}
		same := lists.Where(answers, func(a claims.Answer) bool { return dataset(a) == data })
		known := lists.Where(same, func(a claims.Answer) bool { return a.Theory != nil && *a.Theory > 0 })
		for _, line := range lists.By(known, func(a claims.Answer) string { return a.Curve }) {
			s := Series{Name: "theory, " + plain.Text(line[0].Curve), Colour: ink, Width: 0.8, Curve: true, Dashes: dashes[0]}
			s.Points = lists.Map(line, func(a claims.Answer) Point { return Point{X: exactly(a.At), Y: exactly(*a.Theory)} })
			p.Series = append(p.Series, s)
		}
		for _, line := range lists.By(same, name) {
			s := styled(slices.Index(names, name(line[0])), name(line[0]))
			s.Interval, s.Points = bars, lists.Map(line, func(a claims.Answer) Point { return answerPoint(s.Name, a) })
			p.Series = append(p.Series, s)
		}
		panels = append(panels, p)
	}
	c := newChart(title, panels)
	c.Describe = fmt.Sprintf("Log-log plot of the %s: intervals from the largest value that fails to the least that holds.", title)
	return c
}

// answerPoint is an answer with its interval; an end that is not known is that of the
// axis.
func answerPoint(name string, a claims.Answer) Point {
	y := estimate{low: math.Inf(-1), high: math.Inf(1)}
	switch {
	case a.Fails == nil:
		y.value, y.high = *a.Holds, *a.Holds
	case a.Holds == nil:
		y.value, y.low = *a.Fails, *a.Fails
	default:
		y = estimate{math.Sqrt(*a.Fails * *a.Holds), *a.Fails, *a.Holds}
	}
	return Point{X: exactly(a.At), Y: y, Text: joined(name, equation(a.Over, exactly(a.At)), a.Interval())}
}
