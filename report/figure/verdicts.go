package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// OfClaim is the figure of a claim about slopes, under a name that is not taken: a panel for each
// verdict with two points at least that log axes can show. Other claims have none: their tables have the
// intervals.
func OfClaim(id string, verdicts []claims.Verdict, taken map[string]bool, l Labels) []Figure {
	shared, positive := format.SharedBy(verdicts), func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
	var panels []Panel
	dropped, far := 0, false
	for _, v := range verdicts {
		drawn := lists.Where(v.Points, func(q claims.Point) bool { return positive(q.X) && positive(q.Y) })
		dropped += len(v.Points) - len(drawn)
		if v.Points = drawn; len(drawn) > 0 {
			p := slopePanel(v, shared)
			far = far || len(drawn) > 1 && drawn[0].Floor != nil && !slices.ContainsFunc(p.Series, func(s Series) bool { return s.role == floor })
			panels = append(panels, p)
		}
	}
	if len(panels) == 0 {
		return nil
	}

	v := verdicts[0]
	shows := fmt.Sprintf("Marks are geometric means, with their %s intervals. Only the slope is claimed, not the height of its line.", format.Percent(v.Level))
	if far {
		shows += " A floor that is a decade below all marks is not drawn."
	}
	if dropped > 0 {
		shows += fmt.Sprintf(" Log axes have no place for %s.", plain.Count(dropped, "value"))
	}
	alt := plain.Text(fmt.Sprintf("%s against %s, log-log: %s", l.named(v.Of), l.named(v.Over), id))
	return []Figure{{Path: FigurePath(taken, id), Alt: alt, Says: l.Sentence(v.Says), Shows: shows, Chart: newChart(id, panels).labelled(l)}}
}

// slopePanel has the measured points of a verdict, the fitted and the claimed line, and the floor.
func slopePanel(v claims.Verdict, shared results.Key) Panel {
	title := plain.Text(format.PlainWhere(format.Without(v.Group, shared)))
	title = strings.TrimPrefix(title+": slope "+format.Estimate(v), ": ")
	if !math.IsNaN(v.Target) {
		title += fmt.Sprintf(", claimed %s %s", format.RelationSign(v.Relation), format.Claimed(v))
	}
	p := Panel{Title: title, X: logAxis(v.Over), Y: logAxis(v.Of)}
	points := styled(0, "")
	points.Width, points.Bars = 0, true
	below, fitted := floorSeries(), Series{Name: fittedName, Colour: points.Colour, Width: 1}
	claimed := Series{Name: claimedName, Colour: red, Width: 1, Dashes: dashes[0]}
	for _, q := range v.Points {
		x, y := exactly(q.X), estimate{q.Y, q.Low, q.High}
		points.Points = append(points.Points, Point{X: x, Y: y})
		lines := map[*Series]float64{&fitted: q.Fit, &claimed: q.Theory}
		if q.Floor != nil {
			lines[&below] = *q.Floor
		}
		for line, height := range lines {
			if height > 0 {
				line.Points = append(line.Points, Point{X: x, Y: exactly(height)})
			}
		}
	}
	if len(below.Points) > 0 && farBelow(below.Points, points.Points) {
		below.Points = nil
	}
	p.Series = lists.Where([]Series{below, fitted, claimed}, func(s Series) bool { return len(s.Points) > 1 })
	p.Series = append(p.Series, points)
	return p
}

const fittedName, claimedName = "fitted", "claimed slope"

// farBelow says that a floor lies a decade and more below every mark: an axis with room for both would
// show neither.
func farBelow(floor, marks []Point) bool {
	y := func(q Point) float64 { return q.Y.value }
	return 10*slices.Min(lists.Map(floor, y)) < slices.Min(lists.Map(marks, y))
}

// logAxis is a log axis of a variable or quantity.
func logAxis(label string) Axis { return Axis{Label: plain.Text(label), Log: true} }

// OfAnswers draws the least values that targets ask for, one figure for each pair of
// variables: a panel for each data set, a series for each target and group, with the slopes that
// claims on it fit and claim.
func OfAnswers(answers []claims.Answer, verdicts []claims.Verdict, taken map[string]bool, l Labels) (all []Figure) {
	found := lists.Where(answers, func(a claims.Answer) bool { return !a.Open && (a.Fails != nil || a.Holds != nil) })
	slices.SortStableFunc(found, func(a, b claims.Answer) int { return cmp.Compare(a.At, b.At) })
	slopes := lists.Where(verdicts, func(v claims.Verdict) bool {
		return v.Kind == "slope" && v.Answers > 0 && !v.Control && plain.Finite(v.Estimate)
	})
	common := format.Common(lists.Map(found, func(a claims.Answer) results.Key { return a.Group }))
	for _, same := range lists.By(found, func(a claims.Answer) [2]string { return [2]string{a.Find, a.Over} }) {
		var panels []Panel
		for _, own := range lists.By(same, func(a claims.Answer) string { return a.Group.Text("dataset") }) {
			panels = append(panels, answersPanel(own, slopes, common))
		}
		title := fmt.Sprintf("least %s against %s", same[0].Find, same[0].Over)
		shows := "A bar goes from the largest value that fails to the least that holds."
		if len(slopes) > 0 {
			shows += " Only the slope is claimed, not the height of its line."
		}
		if slices.ContainsFunc(same, func(a claims.Answer) bool { return a.Theory != nil }) {
			shows += " The curve of the theory has the constant factor that takes it through the last answer."
		}
		all = append(all, Figure{Path: FigurePath(taken, "target-"+same[0].Find+"-"+same[0].Over), Alt: title, Shows: shows, Chart: newChart(title, panels).labelled(l)})
	}
	return all
}

// answersPanel draws the answers of one data set, with the laws of theory and the lines of slopes. A
// law has the constant factor that takes it through the last answer.
func answersPanel(answers []claims.Answer, slopes []claims.Verdict, common results.Key) Panel {
	p := Panel{X: logAxis(answers[0].Over), Y: logAxis("least " + answers[0].Find), Title: plain.Text(format.Without(answers[0].Group, common).Text("dataset"))}
	known := lists.Where(answers, func(a claims.Answer) bool { return a.Theory != nil && *a.Theory > 0 })
	for _, line := range lists.By(known, func(a claims.Answer) string { return a.Curve }) {
		s := Series{Name: "theory, " + plain.Text(line[0].Curve), Colour: ink, Width: 0.8, Curve: true, Dashes: dashes[0]}
		last := line[len(line)-1]
		factor := answerPoint(last).Y.value / *last.Theory
		s.Points = lists.Map(line, func(a claims.Answer) Point { return Point{X: exactly(a.At), Y: exactly(factor * *a.Theory)} })
		p.Series = append(p.Series, s)
	}
	name := func(a claims.Answer) string {
		return strings.TrimSpace(plain.Text(a.Target) + " " + format.ShortWhere(format.Without(a.Group, common).Without("dataset")))
	}
	for i, line := range lists.By(answers, name) {
		s := styled(i, name(line[0]))
		s.Bars, s.Points = true, lists.Map(line, answerPoint)
		for _, v := range slopes {
			if a := line[0]; v.Of == a.Target && v.Over == a.Over && v.Group == a.Group && v.Answers == len(line) {
				s.Width = 0
				p.Series = append(p.Series, slopeLine(s.Name+", "+fittedName, s, v.Estimate, nil), slopeLine(s.Name+", "+claimedName, s, v.Target, dashes[0]))
			}
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// slopeLine is a line of a slope on log axes, through the centre of points.
func slopeLine(name string, of Series, slope float64, dashes []vg.Length) Series {
	s := Series{Name: name, Colour: of.Colour, Width: 1, Dashes: dashes}
	x, y := 0.0, 0.0
	for _, q := range of.Points {
		x, y = x+math.Log(q.X.value)/float64(len(of.Points)), y+math.Log(q.Y.value)/float64(len(of.Points))
	}
	for _, q := range of.Points {
		s.Points = append(s.Points, Point{X: exactly(q.X.value), Y: exactly(math.Exp(y + slope*(math.Log(q.X.value)-x)))})
	}
	return s
}

// answerPoint is an answer with its interval, at the geometric mean of its ends; an end that is not
// known is that of the axis.
func answerPoint(a claims.Answer) Point {
	fails, holds := cmp.Or(a.Fails, a.Holds), cmp.Or(a.Holds, a.Fails)
	y := estimate{math.Sqrt(*fails * *holds), *fails, *holds}
	if a.Fails == nil {
		y.low = math.Inf(-1)
	}
	if a.Holds == nil {
		y.high = math.Inf(1)
	}
	return Point{X: exactly(a.At), Y: y, Text: a.Interval()}
}
