package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"mercer/internal/claims"
	"mercer/report/format"
)

// forestRow is one estimate with what it is held against: that of a verdict, or
// of one of its cells where it has several.
type forestRow struct {
	name                        string
	estimate, low, high, target float64
	outcome                     claims.Outcome
	repeats                     int
	level                       float64
}

const (
	maxForest = 24 // rows of a figure
	farTarget = 10 // lengths of all intervals within which the axis shows what is claimed
)

// outcomeLooks tell outcomes apart by colour and shape.
var outcomeLooks = map[claims.Outcome]look{
	claims.Holds: looks[0], claims.Violated: {red, draw.SquareGlyph{}}, claims.Inconclusive: {orange, draw.RingGlyph{}}, claims.NotApplicable: {grey, draw.RingGlyph{}},
}

// forest draws the estimates of the verdicts of a claim that is not about slopes, with
// their intervals and what is claimed; false where there is no estimate.
func forest(verdicts []claims.Verdict, taken map[string]bool) (Figure, bool) {
	rows, more := forestRows(verdicts)
	v := verdicts[0]
	if len(rows) == 0 || v.Kind == "slope" {
		return Figure{}, false
	}
	noun := map[string]string{"ratio": "ratio of ", "order": "ratio of neighbours in ", "bound": "coverage of the bound on ", "distribution": "distance from the law of "}[v.Kind]
	label := format.Printable(noun + v.Of)
	var r extentOf
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.name
		r.include(row.estimate, row.low, row.high)
	}
	claimed, length := "claimed", r.high-r.low
	if r.span().single() {
		length = max(math.Abs(r.high), 1)
	}
	for _, row := range rows {
		if row.target > r.low-farTarget*length && row.target < r.high+farTarget*length {
			r.include(row.target)
		} else {
			claimed = "claimed, in part beyond the axis"
		}
	}
	x := newAxis(label, r, nil, 6)
	p := panel{x: x, y: rowAxis(names, forestWidth), layers: []layer{forestLayer(rows)}}
	var legend []entry
	for _, o := range []claims.Outcome{claims.Holds, claims.Violated, claims.Inconclusive, claims.NotApplicable} {
		if slices.ContainsFunc(rows, func(row forestRow) bool { return row.outcome == o }) {
			legend = append(legend, entry{func(c *draw.Canvas) { forestRow{}.draw(c, o, c.Min.X, c.Center().X, c.Max.X, c.Center().Y) }, string(o)})
		}
	}
	legend = append(legend, entry{func(c *draw.Canvas) {
		c.StrokeLine2(claimedMark, c.Center().X, c.Center().Y-4, c.Center().X, c.Center().Y+4)
	}, claimed})
	for i, row := range rows {
		p.readings = append(p.readings, reading{x0: firstFinite(row.low, row.estimate), x1: firstFinite(row.high, row.estimate), y0: -float64(i), y1: -float64(i),
			text: fmt.Sprintf("%s\n%s\nclaimed: %s %s\n%s, %s", row.name, equation("estimate", row.estimate, row.low, row.high),
				format.RelationSign(v.Relation), format.Value(row.target), row.outcome, format.Count(row.repeats, "repeat"))})
	}
	f := Figure{Alt: format.Printable(v.Claim + ": estimates with their intervals, and what is claimed")}
	f.Path = FigurePath(taken, v.Claim, "all")
	f.Chart = chart{title: v.Claim, describe: "Estimates of " + label + " with their intervals, and what is claimed.", width: forestWidth, panels: []panel{p},
		columns: 1, panelHeight: vg.Length(len(rows))*13 + 40, legend: [][]entry{legend}}
	if more > 0 {
		f.Note = fmt.Sprintf("The figure has the %d that need most attention; %d more are in %s.", len(rows), more, format.VerdictsTable)
	}
	return f, true
}

// forestRows are those that need most attention, in the order of the verdicts,
// and how many more there are.
func forestRows(verdicts []claims.Verdict) (rows []forestRow, more int) {
	shared := format.SharedBy(verdicts)
	for _, v := range verdicts {
		group := format.Without(v.Group, shared)
		if len(verdicts) == 1 && len(v.Cells) > 1 {
			group = nil
		}
		if len(v.Cells) < 2 {
			rows = append(rows, forestRow{cmp.Or(format.ShortWhere(group), format.ShortWhere(v.Group), "all"), v.Estimate, v.Low, v.High, v.Target, v.Outcome, v.Repeats, v.Level})
			continue
		}
		for _, c := range v.Cells {
			rows = append(rows, forestRow{cmp.Or(format.ShortWhere(slices.Concat(group, c.Cell)), "all"), c.Estimate, c.Low, c.High, c.Target, c.Outcome, c.Repeats, v.Level})
		}
	}
	rows = slices.DeleteFunc(rows, func(row forestRow) bool { return !format.Finite(row.estimate) })
	if len(rows) <= maxForest {
		return rows, 0
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := rows[i], rows[k]
		return cmp.Or(-cmp.Compare(format.Severity(a.outcome), format.Severity(b.outcome)),
			-cmp.Compare(format.Excess(claims.CellOutcome{Estimate: a.estimate, Target: a.target}, verdicts[0].Relation), format.Excess(claims.CellOutcome{Estimate: b.estimate, Target: b.target}, verdicts[0].Relation)))
	})
	var first []forestRow
	for _, i := range slices.Sorted(slices.Values(order[:maxForest])) {
		first = append(first, rows[i])
	}
	return first, len(rows) - maxForest
}

var claimedMark = draw.LineStyle{Color: black, Width: 0.9, Dashes: []vg.Length{2, 1.2}}

func forestLayer(rows []forestRow) layer {
	return func(c *draw.Canvas, x, y func(float64) vg.Length) {
		for i, row := range rows {
			at := y(-float64(i))
			if format.Finite(row.target) && c.ContainsX(x(row.target)) {
				c.StrokeLine2(claimedMark, x(row.target), y(-float64(i)-0.42), x(row.target), y(-float64(i)+0.42))
			}
			end := func(v float64, side vg.Length) vg.Length {
				if math.IsNaN(v) {
					return x(row.estimate)
				}
				if math.IsInf(v, 0) {
					return side
				}
				return clamped(v, false, c.Min.X, c.Max.X, x)
			}
			row.draw(c, row.outcome, end(row.low, c.Min.X), x(row.estimate), end(row.high, c.Max.X), at)
		}
	}
}

// draw draws an estimate and its interval at a height.
func (forestRow) draw(c *draw.Canvas, o claims.Outcome, low, at, high, y vg.Length) {
	l := outcomeLooks[o]
	c.StrokeLine2(draw.LineStyle{Color: l.colour, Width: 0.9}, low, y, high, y)
	c.DrawGlyph(draw.GlyphStyle{Color: l.colour, Radius: radius, Shape: l.shape}, vg.Point{X: at, Y: y})
}

func firstFinite(values ...float64) float64 {
	return values[max(0, slices.IndexFunc(values, format.Finite))]
}
