package sections

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// mostVerdicts is how many rows the table of all verdicts has before claims with more than
// mostApart have one row each.
const mostVerdicts = 8

// tabled says that the verdicts of a claim are many and have cells alone, no figure, points
// or theorem of their own: one table shows them all.
func (s Claim) tabled() bool {
	return len(s.verdicts) > mostApart && !slices.ContainsFunc(s.verdicts, func(v claims.Verdict) bool { return len(v.Points) > 0 || v.Theorem != "" }) &&
		!slices.ContainsFunc(s.single, func(f figure.Figure) bool { return f.Path != "" })
}

// together writes the verdicts of a tabled claim: what their intervals are, once, the cells
// of all in one table, then why those that do not hold do not.
func (p *document) together(s Claim, common results.Key) {
	verdicts := slices.SortedStableFunc(slices.Values(s.verdicts), func(a, b claims.Verdict) int {
		return cmp.Compare(severity(a.Words()), severity(b.Words()))
	})
	var how, notes []string
	groups := lists.Map(verdicts, func(v claims.Verdict) results.Key { return v.Group })
	shared := format.Common(groups)
	if all := p.where(format.Without(shared, common)); all != "" {
		p.Para("All with %s.", all)
	}
	var open []verdictRow
	var rows [][]string
	for _, v := range verdicts {
		group := format.Without(v.Group, shared)
		v.P = nil       // each cell has its own
		text := sure(v) // of what is open it lacks how often such a verdict is wrong
		how = slices.DeleteFunc(how, func(said string) bool { return strings.HasPrefix(text, said) })
		if text != "" && !slices.ContainsFunc(how, func(said string) bool { return strings.HasPrefix(said, text) }) {
			how = append(how, text)
		}
		where := p.where(group)
		for _, note := range v.Notes {
			notes = append(notes, strings.TrimPrefix(where+": ", ": ")+p.said(note))
		}
		open = append(open, verdictRow{s, v, where})
		rejected := cmp.Or(format.Rejects(v), format.None)
		for _, c := range urgentFirst(v) {
			others := format.Without(c.Cell, v.Group)
			rows = append(rows, append(p.cell(c, v.Relation, group.Join(others)), rejected))
			rejected = format.None
		}
		if len(v.Cells) == 0 {
			rows = append(rows, []string{page.Outcome(v.Words()), cmp.Or(where, format.None), estimateText(v), claimedText(v), repeatsText(v), format.None, rejected})
		}
	}
	for _, text := range how {
		p.Para("%s %s.", page.Strong("How sure:"), text)
	}
	header := []string{"Verdict", "Where", "Estimate [interval]", "Claimed", "Repeats", "p (Holm)", "Rejected with 80 % power"}
	p.CutTable(page.Table{Align: "llrlrrl", Header: header, Rows: rows, Most: maxRows, Where: format.VerdictsTable, Cards: true})
	p.reasons(open, len(open))
	p.List(notes)
}

// row is that of a tabled claim in a long table of verdicts: its worst outcome, how many have
// each where they differ, and the least and greatest estimate. Its section has the rest.
func (p *document) row(s Claim, words string) []string {
	var counts []string
	for _, o := range outcomes {
		n := 0
		for _, v := range s.verdicts {
			if v.Words() == o.words {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", claims.Counted(o.words), n))
		}
	}
	one := func(text func(claims.Verdict) string) string { // of those that have it
		said := format.None
		for _, v := range s.verdicts {
			switch is := text(v); {
			case is == format.None || is == said:
			case said == format.None:
				said = is
			default:
				return "differs"
			}
		}
		return said
	}
	estimate := format.None
	if least, greatest := extremes(s.verdicts); least != "" {
		estimate = fmt.Sprintf("between %s and %s", least, greatest)
		if cells := len(s.verdicts[0].Cells); cells > 1 {
			estimate += fmt.Sprintf(", each the worst of %d cells", cells)
		}
	}
	where := fmt.Sprintf("%d %s", len(s.verdicts), p.apart(s.verdicts, format.SharedBy(s.verdicts)))
	if len(counts) > 1 {
		where += ": " + strings.Join(counts, ", ")
	}
	return []string{page.Outcome(s.outcome()), words, where,
		estimate, one(claimedText), one(wrongCall), one(repeatsText)}
}

// reasons says of up to most verdicts that do not hold why, and what would settle them.
func (p *document) reasons(rows []verdictRow, most int) {
	var items []string
	for _, r := range rows {
		if r.Words() == string(claims.Holds) || r.Reason == "" {
			continue
		}
		where := ""
		if r.where != "" {
			where = " (" + r.where + ")"
		}
		text := fmt.Sprintf("%s: %s%s: %s.", page.Outcome(r.Words()), r.claim.name(), where, p.said(r.Reason))
		if r.Settle != "" {
			text += " What would settle it: " + p.said(r.Settle) + "."
		}
		items = append(items, text)
	}
	if more := len(items) - most; more > 0 {
		items = append(items[:most], fmt.Sprintf("%d more, in the sections of the claims.", more))
	}
	p.List(items)
}
