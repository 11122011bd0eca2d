package figure

import (
	"cmp"
	"math"
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
// their intervals and what is claimed, and says how many are left out; false where
// there is no estimate.
func forest(verdicts []claims.Verdict) (c Chart, more int, ok bool) {
	v := verdicts[0]
	rows, more := forestRows(verdicts)
	if len(rows) == 0 || v.Kind == "slope" {
		return Chart{}, 0, false
	}
	p := Panel{X: Axis{Label: plain.Text(v.Estimated())}, Y: Axis{Names: lists.Map(rows, func(row forestRow) string { return row.name })}}
	for _, s := range outcomes {
		s.Radius, s.Interval = 1.9, bars
		for i, row := range rows {
			if x := (estimate{row.Estimate, row.Low, row.High}); row.Words() == s.Name {
				text := lines(row.name, equation("estimate", x), "claimed: "+format.RelationSign(v.Relation)+" "+plain.Claimed(row.Target, row.Estimate, row.Low, row.High),
					row.Words()+", "+plain.Count(row.Repeats, "repeat"))
				s.Points = append(s.Points, Point{x, exactly(-float64(i)), text})
			}
		}
		if len(s.Points) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	claimed := Series{Name: claimedName, Colour: ink, Interval: bars, Reach: farTarget}
	for i, row := range rows {
		if at := -float64(i); plain.Finite(row.Target) {
			claimed.Points = append(claimed.Points, Point{X: exactly(row.Target), Y: estimate{at, at - 0.42, at + 0.42}})
		}
	}
	p.Series = append(p.Series, claimed)
	size := ""
	if slices.ContainsFunc(rows, func(row forestRow) bool { return len(row.name) > 20 }) {
		size = configs.SizePage
	}
	return newChart(size, v.Claim, []Panel{p}), more, true
}

// forestRows are the rows that need most attention, in the order of the verdicts,
// and how many more there are.
func forestRows(verdicts []claims.Verdict) (rows []forestRow, more int) {
	shared := format.SharedBy(verdicts)
	for _, v := range verdicts {
		group := format.Without(v.Group, shared)
		if len(verdicts) == 1 && len(v.Cells) > 1 {
			group = results.Key{}
		}
		if len(v.Cells) < 2 {
			whole := claims.CellOutcome{Estimate: v.Estimate, Low: v.Low, High: v.High, Target: v.Target, Outcome: v.Outcome, Vacuous: v.Vacuous, Repeats: v.Repeats}
			rows = append(rows, forestRow{cmp.Or(short(group), short(v.Group), "all"), whole})
			continue
		}
		for _, c := range v.Cells {
			rows = append(rows, forestRow{cmp.Or(short(group.Join(c.Cell)), "all"), c})
		}
	}
	rows = slices.DeleteFunc(rows, func(row forestRow) bool { return math.IsNaN(row.Estimate) || math.IsInf(row.Estimate, 0) })
	if len(rows) <= maxForest {
		return rows, 0
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		return claims.MoreUrgent(rows[i].CellOutcome, rows[k].CellOutcome, verdicts[0].Relation)
	})
	return lists.Map(slices.Sorted(slices.Values(order[:maxForest])), func(i int) forestRow { return rows[i] }), len(rows) - maxForest
}
