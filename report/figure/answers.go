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
		find, over := same[0].Find, same[0].Over
		title := fmt.Sprintf("least %s against %s", find, over)
		all = append(all, Figure{Path: FigurePath(taken, "target", find+"-"+over), Alt: title, Shows: "A bar goes from the largest value that fails to the least that holds.", Chart: answersChart(title, same).labelled(l)})
	}
	return all
}

// answersChart draws answers about the same two variables, a panel for each data set, and a
// series for each target and group.
func answersChart(title string, answers []claims.Answer) Chart {
	find, over := answers[0].Find, answers[0].Over
	common := format.Common(lists.Map(answers, func(a claims.Answer) results.Key { return a.Group }))
	dataset := func(a claims.Answer) string { return plain.Text(format.Without(a.Group, common).Text("dataset")) }
	name := func(a claims.Answer) string {
		return strings.TrimSpace(plain.Text(a.Target) + " " + short(format.Without(a.Group, common).Without("dataset")))
	}
	curve := func(a claims.Answer) string { return a.Curve }
	names := lists.Once(lists.Map(answers, name))
	curves := slices.Sorted(slices.Values(lists.Once(lists.Map(answers, curve))))

	var panels []Panel
	for _, same := range lists.By(answers, dataset) {
		same = slices.SortedStableFunc(slices.Values(same), func(a, b claims.Answer) int { return cmp.Compare(a.At, b.At) })
		p := Panel{Title: dataset(same[0]), X: Axis{Label: plain.Text(over), Log: true}, Y: Axis{Label: "least " + plain.Text(find), Log: true}}
		for _, line := range lists.By(same, name) {
			s := styled(slices.Index(names, name(line[0])), name(line[0]))
			s.Interval, s.Points = bars, lists.Map(line, func(a claims.Answer) Point { return answerPoint(s.Name, a) })
			p.Series = append(p.Series, s)
		}
		known := lists.Where(same, func(a claims.Answer) bool { return a.Theory != nil && *a.Theory > 0 })
		for _, line := range lists.By(known, curve) {
			i := slices.Index(curves, line[0].Curve)
			s := Series{Name: "theory, " + plain.Text(line[0].Curve), Colour: ink, Width: 0.8, Reach: 1, Dashes: dashes[i%len(dashes)]}
			s.Points = lists.Map(line, func(a claims.Answer) Point { return Point{X: exactly(a.At), Y: exactly(*a.Theory)} })
			if line[0].At < line[len(line)-1].At {
				p.Series = append(p.Series, s)
			}
		}
		panels = append(panels, p)
	}
	c := newChart("", title, panels)
	c.Describe = fmt.Sprintf("Log-log plot of the least %s against %s: intervals from the largest value that fails to the least that holds.", find, over)
	return c
}

func byX(a, b Point) int { return cmp.Compare(a.X.value, b.X.value) }

// answerPoint is an answer with its interval; an end that is not known is that of the
// axis.
func answerPoint(name string, a claims.Answer) Point {
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
	return Point{X: exactly(a.At), Y: estimate{value, low, high}, Text: lines(name, equation(a.Over, exactly(a.At)), a.Interval())}
}
