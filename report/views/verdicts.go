package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// mostVerdicts is how many verdicts Markdown shows.
const mostVerdicts = 40

// severity is the place of an outcome in words among those that ask for attention; 0 asks for most.
// A control that is violated, as it must be, is not among them.
func severity(words string) int {
	at := slices.Index(claims.Outcomes, words)
	if at < 0 {
		return len(claims.Outcomes)
	}
	return at
}

func bySeverity(verdicts []claims.Verdict) []claims.Verdict {
	return slices.SortedStableFunc(slices.Values(verdicts), func(a, b claims.Verdict) int { return cmp.Compare(severity(a.Words()), severity(b.Words())) })
}

// Setting is the data set and the kernel that all verdicts share, of a run with several.
func (r *Report) Setting() string { return r.Names.Where(r.setting) }

// Place is where a verdict is about, without what all verdicts share.
func (r *Report) Place(v claims.Verdict) string {
	return r.Names.Where(format.Without(v.Group, r.setting))
}

const (
	briefly    = 5 // columns of a table of verdicts in a terminal
	ofVerdicts = 8 // in the report; the others are of cells
)

// Verdicts are a row a verdict, those that ask for most attention first.
func (r *Report) Verdicts() Table {
	t := r.verdictTable(bySeverity(r.Judged)).first(ofVerdicts)
	t.Most = mostVerdicts
	return t
}

// Brief are the verdicts but for checks that hold and controls that are violated, in few columns and
// in the order of the spec.
func (r *Report) Brief() Table { return r.verdictTable(r.open).first(briefly) }

// first is t with so many columns.
func (t Table) first(n int) Table {
	t.Columns, t.Rows = t.Columns[:n], lists.Map(t.Rows, func(row []Cell) []Cell { return row[:n] })
	return t.filled()
}

// verdictTable has a row a verdict.
func (r *Report) verdictTable(verdicts []claims.Verdict) Table {
	t := Table{Columns: columns("Claim", "Where", ">Estimate [interval]", ">Claimed", "Verdict", ">Wrong in", ">Repeats", ">Bound/trivial", ">p (Holm)", ">measured/bound"), File: format.VerdictsTable}
	for _, v := range verdicts {
		repeats, p, trivial := "", "", ""
		if v.Answers == 0 {
			repeats = fmt.Sprint(v.Repeats)
		}
		if v.P != nil {
			p = format.Number(*v.P)
		}
		if v.Trivial != nil && v.Trivial.Low != nil {
			trivial = format.Range("%.4g", *v.Trivial.Low, *v.Trivial.High)
		}
		row := Row(format.ClaimName(v), r.Place(v), format.Estimate(v), against(v), "", Wrong(v), repeats, trivial, p, optional(v.Tightness))
		row[4] = Cell{Text: v.Words(), Mark: Outcome}
		t.Rows = append(t.Rows, row)
		t.Columns[9].Head.Text = v.TightnessName()
	}
	return t
}

// Quantity is what a claim is about: "slope of recon_h over n, 100 to 10000", "ratio of recon_h,
// worst of 3 cells".
func (c Claim) Quantity() string {
	v := c.Verdict
	text := strings.TrimPrefix(v.Noun()+" of "+v.Of, " of ")
	if len(v.Cells) > 1 {
		text += fmt.Sprintf(", worst of %d cells", len(v.Cells))
	}
	if len(v.Points) == 0 {
		return text
	}
	by := func(a, b claims.Point) int { return cmp.Compare(a.X, b.X) }
	return fmt.Sprintf("%s over %s, %s to %s", text, v.Over, plain.Six(slices.MinFunc(v.Points, by).X), plain.Six(slices.MaxFunc(v.Points, by).X))
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return format.Padded(*v)
}

// against is what a verdict was held against: "≤ 1.25", "= −0.25 ± 0.02", "95 % of draws ≤ 0.01".
func against(v claims.Verdict) string {
	if !plain.Finite(v.Target) || v.Relation == "" {
		return ""
	}
	text := format.RelationSign(v.Relation) + " " + format.Claimed(v)
	if v.Share > 0 {
		text = v.Noun() + " " + text
	}
	return text
}

// Wrong is in what share of runs at most such a verdict is wrong, over all looks; "" where it calls
// nothing.
func Wrong(v claims.Verdict) string {
	rate, calls := v.WrongCall()
	if !calls {
		return ""
	}
	return "≤ " + format.Percent(rate)
}

// Sure is in what share of runs at most verdicts of an outcome are wrong: "holds ≤ 5 %".
func (r *Report) Sure() (all []string) {
	for _, outcome := range []claims.Outcome{claims.Holds, claims.Violated} {
		most := 0.0
		for _, v := range r.open {
			if rate, calls := v.WrongCall(); calls && v.Outcome == outcome {
				most = max(most, rate)
			}
		}
		if most > 0 {
			all = append(all, string(outcome)+" ≤ "+format.Percent(most))
		}
	}
	return all
}

// Resampled are the data sets of which repeats are splits of the same points.
func (r *Report) Resampled() (ids []string) {
	for _, p := range r.Run.Catalog.Populations {
		if p.Resampled {
			ids = append(ids, p.Dataset)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Open are the verdicts that do not hold, those that ask for most attention first. The first of a
// claim says what is claimed.
func (r *Report) Open() []claims.Verdict {
	open := bySeverity(lists.Where(r.open, func(v claims.Verdict) bool { return v.Words() != string(claims.Holds) && v.Reason != "" }))
	said := map[string]bool{}
	for i, v := range open {
		if said[v.Claim] {
			open[i].Says = ""
		}
		said[v.Claim] = true
	}
	return open
}

// Next is the first verdict that is open and that something would settle; nil for none.
func (r *Report) Next() *claims.Verdict {
	for _, v := range r.Open() {
		if v.Settle != "" {
			return &v
		}
	}
	return nil
}
