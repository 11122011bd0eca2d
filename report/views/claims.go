package views

import (
	"cmp"
	"slices"
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
	ID, Says, Source string
	Check, Control   bool // it tests the code; it is known to be false
	Verdicts         []claims.Verdict
	Combined         []figure.Figure // of several verdicts
	single           []figure.Figure // of each verdict; empty path where it has none
}

// outcomes in words, in the order of how much attention they ask for.
var outcomes = []string{string(claims.Violated), claims.ControlHolds, string(claims.Inconclusive), string(claims.NotApplicable), claims.HoldsVacuous, string(claims.Holds)}

func severity(words string) int { return slices.Index(outcomes, words) }

// byClaim groups verdicts by claim, without checks that hold and controls that are violated.
func byClaim(verdicts []claims.Verdict) []Claim {
	verdicts, _ = claims.Fold(verdicts)
	return lists.Map(lists.By(verdicts, func(v claims.Verdict) string { return v.Claim }), claimOf)
}

func claimOf(own []claims.Verdict) Claim {
	v := own[0]
	return Claim{ID: v.Claim, Says: v.Says, Source: v.Source, Check: v.Check, Control: v.Control, Verdicts: own}
}

// figures are all of the claim, those of several verdicts first.
func (c Claim) figures() []figure.Figure { return slices.Concat(c.Combined, c.single) }

// Outcome is the one of the claim's verdicts that asks for most attention.
func (c Claim) Outcome() string { return claims.WorstWords(c.Verdicts) }

// theory are the claims that are neither checks nor controls.
func theory(all []Claim) []Claim {
	return lists.Where(all, func(c Claim) bool { return !c.Check && !c.Control })
}

// mostApart is how many verdicts of a claim each have a part of its section.
const mostApart = 3

// Together says that one table shows all verdicts of the claim: they are many and have no figure,
// points or theorem of their own.
func (c Claim) Together() bool {
	return len(c.Verdicts) > mostApart && !slices.ContainsFunc(c.Verdicts, func(v claims.Verdict) bool { return len(v.Points) > 0 || v.Theorem != "" }) &&
		!slices.ContainsFunc(c.single, func(f figure.Figure) bool { return f.Path != "" })
}

// Part is one verdict of a claim's section.
type Part struct {
	claims.Verdict
	Where      string
	Figure     figure.Figure
	Interval   bool // the estimate has one
	Wrong      string
	Rejects    string
	Miss       *Miss
	Conditions string // the cell that the conditions of the theorem are shown of
	Points     Table
	Cells      Table
}

// Miss is what repeats can all miss: events of up to this probability.
type Miss struct {
	Repeats int
	Share   float64
}

// Parts are the verdicts of a claim with their numbers.
func (r *Report) Parts(c Claim) []Part {
	common := format.Setting(r.judged())
	var parts []Part
	for i, v := range c.Verdicts {
		p := Part{Verdict: v, Where: r.Names.Where(format.Without(v.Group, common)), Wrong: strings.TrimPrefix(wrong(v), "≤ "), Rejects: format.Rejects(v),
			Interval: plain.Finite(v.Estimate) && (plain.Finite(v.Low) || plain.Finite(v.High)), Points: r.points(v), Cells: r.Cells([]claims.Verdict{v}, v.Group)}
		if i < len(c.single) {
			p.Figure = c.single[i]
		}
		if share, may := v.Unseen(); may {
			p.Miss = &Miss{v.Repeats, share}
		}
		if v.Conditions != nil {
			p.Conditions = r.Names.Where(v.Conditions.Cell)
		}
		parts = append(parts, p)
	}
	return parts
}

// Shared is what all groups of a claim have in common.
func (c Claim) Shared() results.Key {
	return format.Common(lists.Map(c.Verdicts, func(v claims.Verdict) results.Key { return v.Group }))
}

// mostCells is how many cells of a verdict Markdown shows.
const mostCells = 12

// Cells are the cells of verdicts, those that ask for most attention first; what their groups
// share is left out of the places. A verdict without cells is a row itself.
func (r *Report) Cells(verdicts []claims.Verdict, shared results.Key) Table {
	t := Table{Columns: columns("Verdict", "Where", ">Estimate [interval]", "Claimed", ">Repeats", ">p (Holm)", "Rejected with 80 % power"), Most: mostCells, File: format.VerdictsTable}
	first := verdicts[0]
	bound := first.Kind == "bound"
	if bound {
		t.Columns[2].Head.Text = "Coverage [interval]"
		t.Columns = append(t.Columns, columns(">"+plain.Capital(first.TightnessName()), ">Bound/trivial")...)
	}
	verdicts = slices.SortedStableFunc(slices.Values(verdicts), bySeverity)
	for _, v := range verdicts {
		group, rejects := format.Without(v.Group, shared), format.Rejects(v)
		if len(verdicts) == 1 {
			rejects = "" // the text has it
		} else {
			t.Most = maxRows
		}
		cells := slices.SortedStableFunc(slices.Values(v.Cells), func(a, b claims.CellOutcome) int { return format.MoreUrgent(a, b, v.Relation) })
		for _, c := range cells {
			where := r.Names.Where(group.Join(format.Without(c.Cell, v.Group)))
			row := append([]Cell{{Text: c.Words(), Mark: Outcome}}, Row(where, cellEstimate(c, v.Relation), cellClaimed(c, v.Relation), plain.Number(float64(c.Repeats)), format.Number(c.P), rejects)...)
			if bound {
				row = append(row, Row(optional(c.Tightness), optional(c.Trivial))...)
			}
			t.Rows, rejects = append(t.Rows, row), ""
		}
		if len(v.Cells) == 0 && len(verdicts) > 1 {
			row := append([]Cell{{Text: v.Words(), Mark: Outcome}}, Row(r.Names.Where(group), format.Estimate(v), claimed(v), repeats(v), "", rejects, "", "")...)
			t.Rows = append(t.Rows, row[:len(t.Columns)])
		}
	}
	return t.filled()
}

func bySeverity(a, b claims.Verdict) int {
	return cmp.Compare(severity(a.Words()), severity(b.Words()))
}

func cellEstimate(c claims.CellOutcome, relation string) string {
	if relation == "=" {
		return format.Interval(c.Estimate, c.Low, c.High)
	}
	return format.Interval(c.Estimate, c.Low, c.High, c.Target)
}

func cellClaimed(c claims.CellOutcome, relation string) string {
	if !plain.Finite(c.Target) {
		return ""
	}
	return strings.TrimSpace(format.RelationSign(relation) + " " + format.Minus(plain.Claimed(c.Target, c.Estimate, c.Low, c.High)))
}

// points are what a slope was fitted to.
func (r *Report) points(v claims.Verdict) Table {
	t := Table{Columns: columns(">x", ">"+r.Names.Axis(v.Of)+" ", ">"+format.Percent(v.Level)+" interval", ">fitted", ">local slope", ">floor", ">measured / floor")}
	t.Columns[0].Head, t.Columns[1].Head.Text = r.Names.Called(v.Over), strings.TrimSpace(t.Columns[1].Head.Text)
	for _, q := range v.Points {
		row := []string{format.Number(q.X), format.Padded(q.Y), "", format.Padded(q.Fit), "", optional(q.Floor), ""}
		if q.Low != q.High && (plain.Finite(q.Low) || plain.Finite(q.High)) { // several repeats
			row[2] = "[" + format.Padded(q.Low) + ", " + format.Padded(q.High) + "]"
		}
		if q.Local != nil && plain.Finite(*q.Local) {
			row[4] = format.Minus(format.Decimals(*q.Local, 3))
		}
		if q.Floor != nil && *q.Floor != 0 {
			row[6] = format.Padded(q.Y / *q.Floor)
		}
		t.Rows = append(t.Rows, Row(row...))
	}
	if t = t.filled(); len(v.Points) == 0 {
		t.Rows = nil
	}
	return t
}

func optional(v *float64) string {
	if v == nil {
		return format.None
	}
	return format.Padded(*v)
}
