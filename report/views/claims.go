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

// mostApart is how many verdicts of a claim each have a part of its section.
const mostApart = 3

// Together says that one table shows all verdicts of the claim: they are many and have no points
// or theorem of their own.
func (c Claim) Together() bool {
	return len(c.Verdicts) > mostApart && !slices.ContainsFunc(c.Verdicts, func(v claims.Verdict) bool { return len(v.Points) > 0 || v.Theorem != "" })
}

// Shared is what all groups of a claim have in common.
func (c Claim) Shared() results.Key {
	return format.Common(lists.Map(c.Verdicts, func(v claims.Verdict) results.Key { return v.Group }))
}

// Part is one verdict of a claim's section.
type Part struct {
	claims.Verdict
	Points Table
	Cells  Table
}

// Parts are the verdicts of a claim with their numbers.
func (r *Report) Parts(c Claim) []Part {
	var parts []Part
	for _, v := range c.Verdicts {
		parts = append(parts, Part{Verdict: v, Points: r.points(v), Cells: r.Cells([]claims.Verdict{v}, v.Group)})
	}
	return parts
}

// Interval says whether the estimate has one.
func (p Part) Interval() bool {
	return plain.Finite(p.Estimate) && (plain.Finite(p.Low) || plain.Finite(p.High))
}

// mostCells is how many cells of a verdict Markdown shows.
const mostCells = 12

// Cells are the cells of verdicts, those that ask for most attention first. The columns that shared has
// are left out of their places. A verdict without cells is a row itself, beside others.
func (r *Report) Cells(verdicts []claims.Verdict, shared results.Key) Table {
	var rows []claims.Verdict
	for _, v := range bySeverity(verdicts) {
		urgent := slices.SortedStableFunc(slices.Values(v.Cells), func(a, b claims.CellOutcome) int { return claims.MoreUrgent(a, b, v.Relation) })
		cells := lists.Map(urgent, func(c claims.CellOutcome) claims.Verdict {
			at := atCell(v, c)
			at.Group = format.Without(v.Group, shared).Join(format.Without(c.Cell, v.Group))
			at.Control, at.Kind, at.Within, at.Law = false, "", 0, nil // a cell has the number that is claimed alone
			return at
		})
		if len(verdicts) > 1 { // of a single one the text says what it rejects
			if v.Group = format.Without(v.Group, shared); len(cells) == 0 {
				cells = []claims.Verdict{v}
			}
			cells[0].Detectable = v.Detectable
		}
		rows = append(rows, cells...)
	}

	first := verdicts[0]
	estimate := ">Estimate [interval]"
	if first.Kind == "bound" {
		estimate = ">Coverage [interval]"
	}
	t := r.verdictTable(rows, long, outcomeField, whereField, estimateField.headed(estimate), claimedField, repeatsField, pField, rejectsField,
		tightnessField.headed(">"+first.TightnessName()), trivialField.headed(">Bound/trivial"))
	if t.Most = mostCells; len(verdicts) > 1 {
		t.Most = maxRows
	}
	return t
}

// atCell is a verdict with the numbers of one of its cells in place of its own.
func atCell(v claims.Verdict, c claims.CellOutcome) claims.Verdict {
	v.Outcome, v.Vacuous, v.Estimate, v.Low, v.High, v.Target = c.Outcome, c.Vacuous, c.Estimate, c.Low, c.High, c.Target
	v.Repeats, v.P, v.Tightness, v.Trivial = c.Repeats, &c.P, c.Tightness, nil
	if c.Trivial != nil {
		v.Trivial = &claims.Trivial{Low: c.Trivial, High: c.Trivial}
	}
	v.Cells, v.Reason, v.Settle, v.Notes, v.Detectable = nil, "", "", nil, nil
	return v
}

// points are what a slope was fitted to.
func (r *Report) points(v claims.Verdict) Table {
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
