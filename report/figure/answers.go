package figure

import (
	"cmp"
	"fmt"
	"maps"
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
	names := lists.Once(lists.Map(answers, name))
	curves := slices.Sorted(slices.Values(lists.Once(lists.Map(answers, func(a claims.Answer) string { return a.Curve }))))
	var panels []Panel
	for _, same := range lists.By(answers, dataset) {
		p := Panel{Title: dataset(same[0]), Shares: "answers", X: Axis{Label: plain.Text(over), Log: true}, Y: Axis{Label: "least " + plain.Text(find), Log: true}}
		theory := map[string]map[float64]float64{}
		for _, line := range lists.By(same, name) {
			s := styled(slices.Index(names, name(line[0])), name(line[0]))
			s.Interval = bars
			for _, a := range line {
				s.Points = append(s.Points, answerPoint(s.Name, a))
				if a.Theory != nil && *a.Theory > 0 {
					if theory[a.Curve] == nil {
						theory[a.Curve] = map[float64]float64{}
					}
					theory[a.Curve][a.At] = *a.Theory
				}
			}
			slices.SortFunc(s.Points, byX)
			p.Series = append(p.Series, s)
		}
		for i, curve := range curves {
			s := Series{Name: "theory, " + plain.Text(curve), Colour: ink, Width: 0.8, Reach: 1, Dashes: theoryDashes[i%len(theoryDashes)]}
			for _, at := range slices.Sorted(maps.Keys(theory[curve])) {
				s.Points = append(s.Points, Point{X: exactly(at), Y: exactly(theory[curve][at])})
			}
			if len(s.Points) > 1 {
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
	return Point{exactly(a.At), estimate{value, low, high}, lines(name, equation(a.Over, exactly(a.At)), a.Interval())}
}
