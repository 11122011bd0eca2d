package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
)

// maxCells is how many cells of a verdict the Markdown report shows.
const maxCells = 12

// claim writes the section of one claim: what it says, the figure of all its
// groups, and each group by itself.
//
// What is common to the whole report, which has said it already, is left out.
func (p *document) claim(s section, source string, common []claims.Coordinate) {
	p.heading(2, "Claim "+code(s.id))
	if s.says != "" {
		p.para("%s.", strings.TrimSuffix(escape(s.says), "."))
	}
	if s.source != "" && s.source != source {
		p.para("Source: %s.", strings.TrimSuffix(escape(s.source), "."))
	}
	for _, f := range s.combined {
		p.figure(f)
	}
	for i, v := range s.verdicts {
		p.verdict(v, s.single[i], common)
	}
}

// verdict writes one group of a claim.
func (p *document) verdict(v claims.Verdict, f figure, common []claims.Coordinate) {
	if where := plainWhere(without(v.Group, common)); where != "" {
		p.heading(3, escape(where))
	}
	p.para("%s %s – %s.", strong("Verdict:"), outcomeText(v.Outcome), strings.TrimSuffix(escape(v.Reason), "."))
	if v.Settle != "" {
		p.para("%s %s.", strong("What would settle it:"), strings.TrimSuffix(escape(v.Settle), "."))
	}
	p.theorem(v)
	p.figure(f)
	p.points(v)
	p.cells(v)
	notes := make([]string, len(v.Notes))
	for i, note := range v.Notes {
		notes[i] = escape(note)
	}
	p.list(notes)
}

// theorem writes which theorem a verdict is about, how tight its bound is, and
// its conditions with their numbers.
func (p *document) theorem(v claims.Verdict) {
	if v.Theorem == "" {
		return
	}
	text := "Theorem: " + code(v.Theorem)
	if v.Tightness != nil {
		text += fmt.Sprintf("; measured / bound is %s in the median", number(*v.Tightness))
	}
	if v.Parameter != nil {
		text += fmt.Sprintf("; the smallest %s that covers the repeats is %s", code(v.Parameter.Name), number(v.Parameter.Smallest))
	}
	p.para("%s.", text)
	c := v.Conditions
	if c == nil || len(c.List) == 0 {
		return
	}
	where := ""
	if len(c.Cell) > 0 {
		where = " at " + escape(plainWhere(c.Cell))
	}
	text = "Its conditions" + where
	if c.Cells > 1 {
		text += fmt.Sprintf("; all hold in %d of %d cells", c.Applicable, c.Cells)
	}
	p.para("%s:", text)
	list := make([]string, len(c.List))
	for i, one := range c.List {
		list[i] = "✗ " + escape(one.Text)
		if one.Holds {
			list[i] = "✓ " + escape(one.Text)
		}
	}
	p.list(list)
}

// points writes what a slope was fitted to.
func (p *document) points(v claims.Verdict) {
	if len(v.Points) == 0 {
		return
	}
	floors := slices.ContainsFunc(v.Points, func(q claims.Point) bool { return q.Floor != nil })
	header := []string{code(v.Over), code(v.Of), percent(v.Level) + " interval", "fitted", "local slope"}
	if floors {
		header = append(header, "floor", "measured / floor")
	}
	var rows [][]string
	for _, q := range v.Points {
		row := []string{number(q.X), padded(q.Y), boundsText(q.Low, q.High), padded(q.Fit), none}
		if q.Local != nil && finite(*q.Local) {
			row[4] = strconv.FormatFloat(*q.Local, 'f', 3, 64)
		}
		if q.Low == q.High { // a single repeat
			row[2] = none
		}
		if floors {
			row = append(row, optional(q.Floor), quotient(q.Y, q.Floor))
		}
		rows = append(rows, row)
	}
	p.table(strings.Repeat("r", len(header)), header, rows)
	p.para("Geometric means over %s.", count(v.Repeats, "repeat"))
}

func optional(v *float64) string {
	if v == nil {
		return none
	}
	return padded(*v)
}

func quotient(v float64, by *float64) string {
	if by == nil || *by == 0 {
		return none
	}
	return padded(v / *by)
}

func boundsText(low, high float64) string {
	if !finite(low) && !finite(high) {
		return none
	}
	return "[" + padded(low) + ", " + padded(high) + "]"
}

// cells writes the cells of a verdict, those that need most attention first.
func (p *document) cells(v claims.Verdict) {
	if len(v.Cells) == 0 {
		return
	}
	cells := slices.Clone(v.Cells)
	slices.SortStableFunc(cells, func(a, b claims.CellOutcome) int {
		return cmp.Or(-cmp.Compare(severity(a.Outcome), severity(b.Outcome)),
			cmp.Compare(a.P, b.P), -cmp.Compare(excess(a, v.Relation), excess(b, v.Relation)))
	})
	header := []string{"Verdict", "Cell", "Estimate [interval]", "Claimed", "Repeats", "p (Holm)"}
	if v.Kind == "bound" {
		header[2] = "Coverage [interval]"
		header = append(header, "Measured / bound")
	}
	var rows [][]string
	for _, c := range cells {
		claimed := none
		if finite(c.Target) {
			claimed = strings.TrimSpace(relationSign(v.Relation) + " " + number(c.Target))
		}
		row := []string{outcomeText(c.Outcome), cmp.Or(escape(plainWhere(c.Cell)), none), interval(c.Estimate, c.Low, c.High),
			claimed, fmt.Sprint(c.Repeats), number(c.P)}
		if v.Kind == "bound" {
			row = append(row, optional(c.Tightness))
		}
		rows = append(rows, row)
	}
	p.cutTable(table{align: "llrlrrr"[:len(header)], header: header, rows: rows, most: maxCells, where: VerdictsTable})
}

// severity orders outcomes as claims.Worst does.
func severity(o claims.Outcome) int {
	return slices.Index([]claims.Outcome{claims.Holds, claims.NotApplicable, claims.Inconclusive, claims.Violated}, o)
}

// excess is how far a cell lies beyond what is claimed; a cell without an
// estimate lies farthest.
func excess(c claims.CellOutcome, relation string) float64 {
	d := c.Estimate - c.Target
	switch {
	case math.IsNaN(d):
		return math.Inf(1)
	case relation == "<=":
		return d
	case relation == ">=":
		return -d
	}
	return math.Abs(d)
}
