package views

import (
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/results"
)

// Claim is a claim with its verdicts, one for each group, and its figures.
type Claim struct {
	claims.Verdict        // the first one, which has what all share: id, text, source, check, control
	Outcome        string // the one of its verdicts that asks for most attention, but for absent data sets
	Verdicts       []claims.Verdict
	Figures        []figure.Figure
}

// byClaim groups verdicts by claim.
func byClaim(run results.Run, verdicts []claims.Verdict) []Claim {
	return lists.Map(lists.By(verdicts, func(v claims.Verdict) string { return v.Claim }), func(own []claims.Verdict) Claim {
		present := lists.Where(own, func(v claims.Verdict) bool { return run.Catalog.Absent[v.Group.Text("dataset")] == "" })
		if len(present) == 0 {
			present = own
		}
		return Claim{Verdict: own[0], Outcome: claims.WorstWords(present), Verdicts: own}
	})
}

// theory are the claims that are neither checks nor controls.
func theory(all []Claim) []Claim {
	return lists.Where(all, func(c Claim) bool { return !c.Check && !c.Control })
}

// Shared is what all groups of a claim have in common.
func (c Claim) Shared() results.Key {
	return format.Common(lists.Map(c.Verdicts, func(v claims.Verdict) results.Key { return v.Group }))
}

// Cells are the cells of a claim's verdicts, those that ask for most attention first, without the
// columns that all groups share. A verdict without cells is a row itself.
func (r *Report) Cells(c Claim) Table {
	shared := c.Shared()
	var rows []claims.Verdict
	for _, v := range bySeverity(c.Verdicts) {
		urgent := slices.SortedStableFunc(slices.Values(v.Cells), func(a, b claims.CellOutcome) int { return claims.MoreUrgent(a, b, v.Relation) })
		for _, c := range urgent {
			at := atCell(v, c)
			at.Group = format.Without(v.Group, shared).Join(format.Without(c.Cell, v.Group))
			at.Control, at.Within = false, 0 // a cell has the number that is claimed alone
			rows = append(rows, at)
		}
		if len(urgent) == 0 {
			v.Group = format.Without(v.Group, shared)
			rows = append(rows, v)
		}
	}

	t := r.verdictTable(rows, true)
	t.Most = maxRows
	return t
}

// atCell is a verdict with the numbers of one of its cells in place of its own.
func atCell(v claims.Verdict, c claims.CellOutcome) claims.Verdict {
	v.Outcome, v.Vacuous, v.Estimate, v.Low, v.High, v.Target = c.Outcome, c.Vacuous, c.Estimate, c.Low, c.High, c.Target
	v.Repeats, v.P, v.Tightness, v.Trivial = c.Repeats, &c.P, c.Tightness, nil
	if c.Trivial != nil {
		v.Trivial = &claims.Trivial{Low: c.Trivial, High: c.Trivial}
	}
	v.Cells, v.Reason, v.Settle, v.Notes = nil, "", "", nil
	return v
}

// Points are what a slope was fitted to.
func (r *Report) Points(v claims.Verdict) Table {
	if len(v.Points) == 0 {
		return Table{}
	}
	t := Table{Columns: columns(">x", ">y", ">"+format.Percent(v.Level)+" interval", ">fitted", ">local slope", ">floor", ">measured / floor")}
	t.Columns[0].Head, t.Columns[1].Head.Text = r.Names.Called(v.Over), strings.TrimSpace(r.Names.Axis(v.Of))
	for _, q := range v.Points {
		row := []string{format.Number(q.X), format.Padded(q.Y), "", format.Padded(q.Fit), "", optional(q.Floor), ""}
		if q.Low != q.High && (plain.Finite(q.Low) || plain.Finite(q.High)) { // several repeats
			row[2] = "[" + format.Padded(q.Low) + ", " + format.Padded(q.High) + "]"
		}
		if q.Local != nil && plain.Finite(*q.Local) {
			row[4] = format.Minus(strconv.FormatFloat(*q.Local, 'f', 3, 64))
		}
		if q.Floor != nil && *q.Floor != 0 {
			row[6] = format.Padded(q.Y / *q.Floor)
		}
		t.Rows = append(t.Rows, Row(row...))
	}
	return t.filled()
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return format.Padded(*v)
}
