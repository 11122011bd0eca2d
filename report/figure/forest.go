package figure

import (
	"cmp"
	"fmt"
	"slices"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

const (
	maxForest = 24 // rows of a figure
	farTarget = 10 // lengths of all intervals within which the axis shows what is claimed
)

// outcomes are told apart by colour and shape, in the order of the legend.
var outcomes = []Series{
	{Name: string(claims.Holds), Colour: blue, Shape: circle},
	{Name: claims.HoldsVacuous, Colour: blue, Shape: square, Hollow: true},
	{Name: string(claims.Violated), Colour: red, Shape: square},
	{Name: string(claims.Inconclusive), Colour: orange, Shape: circle, Hollow: true},
	{Name: string(claims.NotApplicable), Colour: quiet, Shape: circle, Hollow: true},
}

// forestRow is one estimate with what it is held against: that of a verdict, or of one
// of its cells where it has several.
type forestRow struct {
	name string
	claims.CellOutcome
}

// forest draws the estimates of the verdicts of a claim that is not about slopes, with
// their intervals and what is claimed; its chart is empty where there is no estimate.
func forest(id string, verdicts []claims.Verdict, l Labels) Figure {
	v := verdicts[0]
	rows, more := forestRows(verdicts)
	if len(rows) == 0 {
		return Figure{}
	}
	p := Panel{X: Axis{Label: plain.Text(v.Estimated())}}
	claimed := Series{Name: "claimed", Colour: ink, Interval: bars, Reach: farTarget}
	marks := slices.Clone(outcomes)
	size := ""
	for i, row := range rows {
		p.Y.Names = append(p.Y.Names, row.name)
		if len(row.name) > 20 {
			size = configs.SizePage
		}
		at, x := -float64(i), estimate{row.Estimate, row.Low, row.High}
		text := lines(row.name, equation("estimate", x), "claimed: "+format.RelationSign(v.Relation)+" "+plain.Claimed(row.Target, row.Estimate, row.Low, row.High),
			row.Words()+", "+plain.Count(row.Repeats, "repeat"))
		s := &marks[slices.IndexFunc(marks, func(s Series) bool { return s.Name == row.Words() })]
		s.Radius, s.Interval, s.Points = 1.9, bars, append(s.Points, Point{X: x, Y: exactly(at), Text: text})
		if plain.Finite(row.Target) {
			claimed.Points = append(claimed.Points, Point{X: exactly(row.Target), Y: estimate{at, at - 0.42, at + 0.42}})
		}
	}
	p.Series = append(lists.Where(marks, func(s Series) bool { return len(s.Points) > 0 }), claimed)

	f := Figure{
		Alt:  plain.Text(id + ": estimates with their intervals, and what is claimed"),
		Says: l.Sentence(v.Says), Shows: intervalsText(verdicts), Chart: newChart(size, v.Claim, []Panel{p}).labelled(l),
	}
	if more > 0 {
		f.Note = fmt.Sprintf("The figure has the %d that need most attention; %d more are in %s.", maxForest, more, format.VerdictsTable)
	}
	return f
}

// intervalsText says what a forest shows.
func intervalsText(verdicts []claims.Verdict) string {
	var repeats tally
	for _, v := range verdicts {
		if plain.Finite(v.Estimate) {
			repeats.count(v.Repeats)
		}
	}
	level := format.Percent(verdicts[0].Level)
	switch v := verdicts[0]; {
	case v.Level >= 1:
		return fmt.Sprintf("Each row is judged: marks are the worst values over %s; lines go from the least to the greatest.", repeats)
	case v.Relation == "=":
		return fmt.Sprintf("Marks are estimates over %s; lines are their %s intervals.", repeats, level)
	}
	return fmt.Sprintf("Marks are estimates over %s; each end of a line is a bound at %s.", repeats, level)
}

// forestRows are the rows that need most attention, in the order of the verdicts,
// and how many more there are.
func forestRows(verdicts []claims.Verdict) (rows []forestRow, more int) {
	shared := format.SharedBy(verdicts)
	for _, v := range verdicts {
		group := format.Without(v.Group, shared)
		if len(v.Cells) < 2 {
			whole := claims.CellOutcome{Estimate: v.Estimate, Low: v.Low, High: v.High, Target: v.Target, Outcome: v.Outcome, Vacuous: v.Vacuous, Repeats: v.Repeats}
			rows = append(rows, forestRow{cmp.Or(short(group), short(v.Group), "all"), whole})
			continue
		}
		if len(verdicts) == 1 {
			group = results.Key{}
		}
		for _, c := range v.Cells {
			rows = append(rows, forestRow{cmp.Or(short(group.Join(c.Cell)), "all"), c})
		}
	}
	rows = lists.Where(rows, func(row forestRow) bool { return plain.Finite(row.Estimate) })
	if len(rows) <= maxForest {
		return rows, 0
	}

	urgent := make([]int, len(rows))
	for i := range urgent {
		urgent[i] = i
	}
	slices.SortStableFunc(urgent, func(i, k int) int {
		return claims.MoreUrgent(rows[i].CellOutcome, rows[k].CellOutcome, verdicts[0].Relation)
	})
	shown := slices.Sorted(slices.Values(urgent[:maxForest]))
	return lists.Map(shown, func(i int) forestRow { return rows[i] }), len(rows) - maxForest
}
