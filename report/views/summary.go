package views

import (
	"cmp"
	"slices"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/results"
)

// Count is how often an outcome occurs.
type Count struct {
	What  string
	Times int
}

// Outcomes count the claims by their worst verdict; the checks and the controls by themselves.
func (r *Report) Outcomes() []Count { return outcomesOf(claimed(r.Claims)) }

func (r *Report) Checks() []Count {
	return outcomesOf(lists.Where(r.all, func(c Claim) bool { return c.Check && !c.Control }))
}

func (r *Report) Controls() []Count {
	return outcomesOf(lists.Where(r.all, func(c Claim) bool { return c.Control }))
}

func outcomesOf(all []Claim) []Count {
	counts := lists.Map(lists.By(all, func(c Claim) string { return c.Outcome }), func(same []Claim) Count { return Count{same[0].Outcome, len(same)} })
	slices.SortStableFunc(counts, func(a, b Count) int { return cmp.Compare(severity(a.What), severity(b.What)) })
	return counts
}

// Skipped counts the rows whose methods do not apply at their place.
func (r *Report) Skipped() int {
	return len(lists.Where(r.Run.Rows, func(row results.Row) bool { return row.Status == results.Skipped }))
}

// Family is how the violated verdicts stand over all claims, in words; "" where none is violated.
func (r *Report) Family() string { return claims.FamilyOf(r.Judged).String() }
