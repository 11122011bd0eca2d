package sections

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// maxCells is how many cells of a verdict the Markdown report shows.
const maxCells = 12

// claim writes the section of one claim: what it says, the figure of all its
// groups, and each group by itself.
//
// What is common to the whole report, which has said it already, is left out.
func (p *document) claim(s Claim, source string, common results.Key) {
	word := "Claim "
	switch {
	case s.check:
		word = "Check "
	case s.control:
		word = "Control "
	}
	p.Folded(word+page.Code(s.id), page.Outcome(s.outcome()), page.Escape(quoted(s.says)))
	if s.says != "" {
		p.Para("%s.", strings.TrimSuffix(page.Escape(p.labels.Sentence(s.says)), "."))
	}
	if s.source != "" && s.source != source {
		p.Para("Source: %s.", strings.TrimSuffix(page.Escape(s.source), "."))
	}
	for _, f := range s.combined {
		p.Figure(f)
		p.Para("%s", page.Escape(f.Shows))
	}
	if s.tabled() {
		p.together(s, common)
		return
	}
	for i, v := range s.verdicts {
		p.verdict(v, s.single[i], common)
	}
}

// verdict writes one group of a claim.
func (p *document) verdict(v claims.Verdict, f figure.Figure, common results.Key) {
	if where := p.where(format.Without(v.Group, common)); where != "" {
		p.Heading(3, where)
	}
	p.Para("%s %s – %s.", page.Strong("Verdict:"), page.Outcome(v.Words()), p.said(v.Reason))
	if text := sure(v); text != "" {
		p.Para("%s %s.", page.Strong("How sure:"), text)
	}
	if v.Settle != "" {
		p.Para("%s %s.", page.Strong("What would settle it:"), p.said(v.Settle))
	}
	if text := format.Detectable(v); text != "" {
		p.Para("%s %s.", page.Strong("Detectable:"), text)
	}
	p.theorem(v)
	p.Figure(f)
	p.points(v)
	p.cells(v)
	p.List(lists.Map(v.Notes, p.said))
}

// theorem writes which theorem a verdict is about, how tight its bound is, and
// its conditions with their numbers.
func (p *document) theorem(v claims.Verdict) {
	if v.Theorem == "" {
		return
	}
	text := "Theorem: " + page.Code(v.Theorem)
	if v.Tightness != nil {
		text += fmt.Sprintf("; %s is %s in the median", v.TightnessName(), format.Number(*v.Tightness))
	}
	if trivial := trivialText(v); trivial != "" {
		text += "; " + trivial
	}
	if v.Parameter != nil {
		text += fmt.Sprintf("; the smallest %s that covers the repeats is %s", page.Code(v.Parameter.Name), format.Number(v.Parameter.Smallest))
	}
	p.Para("%s.", text)
	c := v.Conditions
	if c == nil || len(c.List) == 0 {
		return
	}
	text = "Its conditions"
	if len(c.Cell.Names()) > 0 {
		text += " at " + p.where(c.Cell)
	}
	if c.Cells > 1 {
		text += fmt.Sprintf("; all hold in %d of %d cells", c.Applicable, c.Cells)
	}
	p.Para("%s:", text)
	var list []string
	for _, one := range c.List {
		list = append(list, map[bool]string{true: "✓ ", false: "✗ "}[one.Holds]+p.said(one.Text))
	}
	p.List(list)
}

// points writes what a slope was fitted to.
func (p *document) points(v claims.Verdict) {
	if len(v.Points) == 0 {
		return
	}
	floors := slices.ContainsFunc(v.Points, func(q claims.Point) bool { return q.Floor != nil })
	header := []string{p.called(v.Over), p.named(v.Of), format.Percent(v.Level) + " interval", "fitted", "local slope"}
	if floors {
		header = append(header, "floor", "measured / floor")
	}
	var rows [][]string
	for _, q := range v.Points {
		row := []string{format.Number(q.X), format.Padded(q.Y), boundsText(q.Low, q.High), format.Padded(q.Fit), format.None}
		if q.Local != nil && plain.Finite(*q.Local) {
			row[4] = format.Minus(strconv.FormatFloat(*q.Local, 'f', 3, 64))
		}
		if q.Low == q.High { // a single repeat
			row[2] = format.None
		}
		if floors {
			row = append(row, optional(q.Floor), quotient(q.Y, q.Floor))
		}
		rows = append(rows, row)
	}
	p.Table(strings.Repeat("r", len(header)), header, rows)
	if v.Answers > 0 {
		p.Para("Geometric means of the ends of %s.", plain.Count(v.Answers, "answer"))
		return
	}
	p.Para("Geometric means over %s.", plain.Count(v.Repeats, "repeat"))
}

func optional(v *float64) string {
	if v == nil {
		return format.None
	}
	return format.Padded(*v)
}

func quotient(v float64, by *float64) string {
	if by == nil || *by == 0 {
		return format.None
	}
	return format.Padded(v / *by)
}

func boundsText(low, high float64) string {
	if !plain.Finite(low) && !plain.Finite(high) {
		return format.None
	}
	return "[" + format.Padded(low) + ", " + format.Padded(high) + "]"
}

// cells writes the cells of a verdict, those that need most attention first.
func (p *document) cells(v claims.Verdict) {
	if len(v.Cells) == 0 {
		return
	}
	cells := urgentFirst(v)
	header := []string{"Verdict", "Cell", "Estimate [interval]", "Claimed", "Repeats", "p (Holm)"}
	if v.Kind == "bound" {
		header[2] = "Coverage [interval]"
		name := v.TightnessName()
		header = append(header, strings.ToUpper(name[:1])+name[1:], "Bound/trivial")
	}
	var rows [][]string
	for _, c := range cells {
		row := p.cell(c, v.Relation, c.Cell)
		if v.Kind == "bound" {
			row = append(row, optional(c.Tightness), optional(c.Trivial))
		}
		rows = append(rows, row)
	}
	p.CutTable(page.Table{Align: "llrlrrrr"[:len(header)], Header: header, Rows: rows, Most: maxCells, Where: format.VerdictsTable, Cards: true})
}
