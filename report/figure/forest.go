package figure

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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

// outcomeLooks tell outcomes apart by colour and shape, in the order of the legend.
var outcomeLooks = []struct {
	words string
	look
}{
	{string(claims.Holds), looks[0]}, {claims.HoldsVacuous, look{blue, draw.BoxGlyph{}}}, {string(claims.Violated), look{red, draw.SquareGlyph{}}},
	{string(claims.Inconclusive), look{orange, draw.RingGlyph{}}}, {string(claims.NotApplicable), look{grey, draw.RingGlyph{}}},
}

// forestRow is one estimate with what it is held against: that of a verdict, or of one
// of its cells where it has several.
type forestRow struct {
	name string
	at   results.Key // of a cell
	claims.CellOutcome
}

// columnNames is how long the names of rows may be in a figure of a column's width, of which
// they then take a third.
const columnNames = 20

// forest draws the estimates of the verdicts of a claim that is not about slopes, with
// their intervals and what is claimed, and says how many are left out; false where
// there is no estimate.
func forest(verdicts []claims.Verdict) (c chart, more int, ok bool) {
	v := verdicts[0]
	rows, more := forestRows(verdicts)
	if len(rows) == 0 || v.Kind == "slope" {
		return chart{}, 0, false
	}
	label := plain.Text(v.Estimated())
	p := panel{x: axis{label: label, most: 6}}
	p.y.names = briefNames(rows)
	claimed := layer{form: rules, reach: farTarget, look: look{colour: black}, width: 0.9, dashes: []vg.Length{2, 1.2}}
	for i, row := range rows {
		at := -float64(i)
		if plain.Finite(row.Target) {
			claimed.points = append(claimed.points, point{x: exactly(row.Target), y: estimate{at, at - 0.42, at + 0.42}})
		}
	}
	p.layers = []layer{claimed}
	var legend []entry
	for _, o := range outcomeLooks {
		interval := layer{form: rules, look: o.look, width: 0.9}
		for i, row := range rows {
			if x := (estimate{row.Estimate, row.Low, row.High}); row.Words() == o.words {
				text := lines(row.name, equation("estimate", x), "claimed: "+format.RelationSign(v.Relation)+" "+plain.Claimed(row.Target, row.Estimate, row.Low, row.High),
					row.Words()+", "+plain.Count(row.Repeats, "repeat"))
				interval.points = append(interval.points, point{x, exactly(-float64(i)), text})
			}
		}
		if len(interval.points) > 0 {
			means := markLayer(o.look, silent(interval.points))
			p.layers = append(p.layers, interval, means)
			legend = append(legend, entry{o.words, []layer{{look: o.look, width: 0.9}, means}})
		}
	}
	panels, width := []panel{p}, figureWidth
	if tooLong(p.y.names) {
		width = pageWidth
	}
	scale(panels, width)
	text := "claimed"
	if x := panels[0].x.span; slices.ContainsFunc(claimed.points, func(q point) bool { return !x.holds(q.x.value) }) {
		text = "claimed, in part beyond the axis"
	}
	return newChart(v.Claim, width, panels, 1, vg.Length(len(rows))*13+40, append(legend, entry{text, []layer{claimed}})), more, true
}

// tooLong says that a figure of these names is wider than a column.
func tooLong(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return utf8.RuneCountInString(name) > columnNames })
}

// briefNames name the rows by as few of their coordinates as tell them apart, where their names
// are long: sizes mostly follow from n and an exponent.
func briefNames(rows []forestRow) []string {
	names := func(without []string) (list []string) {
		for _, row := range rows {
			list = append(list, cmp.Or(short(row.at.Without(without...)), row.name))
		}
		return list
	}
	distinct := func(list []string) int { return len(slices.Compact(slices.Sorted(slices.Values(list)))) }
	var left []string
	best := names(left)
	for _, name := range slices.Backward(rows[0].at.Names()) {
		if !tooLong(best) {
			break
		}
		if fewer := names(append(left, name)); distinct(fewer) == distinct(best) {
			best, left = fewer, append(left, name)
		}
	}
	return best
}

// forestRows are those that need most attention, in the order of the verdicts,
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
			rows = append(rows, forestRow{cmp.Or(short(group), short(v.Group), "all"), results.Key{}, whole})
			continue
		}
		for _, c := range v.Cells {
			at := group.Join(c.Cell)
			rows = append(rows, forestRow{cmp.Or(short(at), "all"), at, c})
		}
	}
	rows = slices.DeleteFunc(rows, func(row forestRow) bool { return !plain.Finite(row.Estimate) })
	if len(rows) <= maxForest {
		return rows, 0
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		return format.MoreUrgent(rows[i].CellOutcome, rows[k].CellOutcome, verdicts[0].Relation)
	})
	return lists.Map(slices.Sorted(slices.Values(order[:maxForest])), func(i int) forestRow { return rows[i] }), len(rows) - maxForest
}

// silent are points without numbers, which another layer has.
func silent(points []point) []point {
	out := slices.Clone(points)
	for i := range out {
		out[i].text = ""
	}
	return out
}
