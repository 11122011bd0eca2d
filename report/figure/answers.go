package figure

import (
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

// answersChart draws answers about the same two variables, a panel for each data set.
func answersChart(title string, answers []claims.Answer) chart {
	first := answers[0]
	groups := lists.Map(answers, func(a claims.Answer) results.Key { return a.Group })
	d := answersDrawing{common: format.Common(groups)}
	panels := lists.Map(lists.By(answers, d.dataset), func(set []claims.Answer) panel { return d.panel(d.dataset(set[0]), set) })
	scale(panels, pageWidth)
	c := sizedChart("", title, panels, d.legend)
	c.describe = fmt.Sprintf("Log-log plot of the least %s against %s: intervals from the largest value that fails to the least that holds.", first.Find, first.Over)
	return c
}

// answersDrawing is what the panels of answers share.
type answersDrawing struct {
	common results.Key // said by no series
	names  []string    // series, in order
	curves []string    // expressions of theory, in order
	legend []entry
}

// dataset is the data set of an answer, where they differ.
func (d *answersDrawing) dataset(a claims.Answer) string {
	return plain.Text(format.Without(a.Group, d.common).Text("dataset"))
}

// series is the name of an answer's series: its target and what is neither common to
// all nor the panel's.
func (d *answersDrawing) series(a claims.Answer) string {
	return strings.TrimSpace(plain.Text(a.Target) + " " + short(format.Without(a.Group, d.common).Without("dataset")))
}

// panel draws the answers of one data set.
func (d *answersDrawing) panel(title string, answers []claims.Answer) panel {
	first := answers[0]
	p := panel{
		title: title, shares: "answers",
		x: axis{label: plain.Text(first.Over), log: true, most: 6},
		y: axis{label: "least " + plain.Text(first.Find), log: true, most: 6},
	}
	theory := map[string][]point{}
	for _, a := range answers {
		p.x.positions = append(p.x.positions, a.At)
		if at := exactly(a.At); a.Theory != nil && *a.Theory > 0 {
			if q := (point{x: at, y: exactly(*a.Theory)}); !slices.Contains(theory[a.Curve], q) {
				theory[a.Curve] = append(theory[a.Curve], q)
			}
		}
	}
	for _, same := range lists.By(answers, d.series) {
		name := d.series(same[0])
		p.layers = append(p.layers, d.answerLayers(name, lists.Map(same, func(a claims.Answer) point { return answerPoint(name, a) }))...)
	}
	for _, curve := range slices.Sorted(maps.Keys(theory)) {
		if len(theory[curve]) > 1 {
			p.layers = append(p.layers, d.theoryLayer(curve, theory[curve]))
		}
	}
	return p
}

// answerLayers are a series' line, bars and marks; the first of its name enters the
// legend.
func (d *answersDrawing) answerLayers(name string, found []point) []layer {
	slices.SortFunc(found, byX)
	i := slices.Index(d.names, name)
	isNew := i < 0
	if isNew {
		i = len(d.names)
		d.names = append(d.names, name)
	}
	look, dashes := seriesLook(i)
	joined := layer{points: silent(found), look: look, width: lineWidth, dashes: dashes}
	dots := markLayer(look, found)
	if isNew {
		d.legend = append(d.legend, entry{name, []layer{joined, dots}})
	}
	return all([]layer{joined, {form: errorBars, points: silent(found), look: look, width: lineWidth}, dots}, name)
}

// theoryLayer is a curve of theory, in black; the first of its expression enters the
// legend.
func (d *answersDrawing) theoryLayer(curve string, at []point) layer {
	slices.SortFunc(at, byX)
	k := slices.Index(d.curves, curve)
	isNew := k < 0
	if isNew {
		k = len(d.curves)
		d.curves = append(d.curves, curve)
	}
	l := layer{role: "theory", look: look{colour: black}, width: 0.8, reach: 1, dashes: theoryDashes[k%len(theoryDashes)]}
	if isNew {
		d.legend = append(d.legend, entry{"theory, " + plain.Text(curve), []layer{l}})
	}
	l.points = at
	return l.named(plain.Text(curve))
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
