package views

import (
	"slices"

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

// claimed are the claims that are neither checks nor controls.
func claimed(all []Claim) []Claim {
	return lists.Where(all, func(c Claim) bool { return !c.Check && !c.Control })
}

// Shared is what all groups of a claim have in common.
func (c Claim) Shared() results.Key {
	return format.Common(lists.Map(c.Verdicts, func(v claims.Verdict) results.Key { return v.Group }))
}

// Shares are the notes that all verdicts of a claim have, Own those of one alone.
func (c Claim) Shares() []string {
	return lists.Where(c.Verdict.Notes, func(note string) bool {
		return !slices.ContainsFunc(c.Verdicts, func(v claims.Verdict) bool { return !slices.Contains(v.Notes, note) })
	})
}

func (c Claim) Own(v claims.Verdict) []string {
	shared := c.Shares()
	return lists.Where(v.Notes, func(note string) bool { return !slices.Contains(shared, note) })
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
			at.Group = v.Group.Join(c.Cell)
			at.Control, at.Within = false, 0 // a cell has the number that is claimed alone
			rows = append(rows, at)
		}
		if len(urgent) == 0 {
			rows = append(rows, v)
		}
	}
	all := len(rows)
	rows = rows[:min(all, maxText)]
	for i := range rows {
		rows[i].Group = format.Without(rows[i].Group, shared)
	}
	t := r.verdictTable(rows)
	for i := range t.Rows {
		t.Rows[i][0], t.Rows[i][briefly] = Cell{}, Cell{} // the claim, and in what share of runs its verdicts are wrong
	}
	t.Most, t.All = maxRows, all
	return t.filled()
}

// Points are what slopes were fitted to: geometric means over repeats, the slope from the point
// before, and the floor.
func (r *Report) Points(c Claim) Table {
	t := Table{Columns: columns("Where", ">"+c.Over, ">Geometric mean [interval]", ">Slope from the last", ">Floor"), Most: maxRows}
	shared := c.Shared()
	for _, v := range c.Verdicts {
		where := r.Names.Where(format.Without(v.Group, shared))
		for _, p := range v.Points {
			t.Rows = append(t.Rows, Row(where, plain.Six(p.X), format.Mean(p.Y, p.Low, p.High), format.Negatives(optional(p.Local)), optional(p.Floor)))
		}
	}
	return t.filled()
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
