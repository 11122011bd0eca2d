package views

import (
	"cmp"
	"math"
	"slices"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
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
	return outcomesOf(lists.Where(r.All, func(c Claim) bool { return c.Check && !c.Control }))
}

func (r *Report) Controls() []Count {
	return outcomesOf(lists.Where(r.All, func(c Claim) bool { return c.Control }))
}

func outcomesOf(all []Claim) []Count {
	counts := lists.Map(lists.By(all, func(c Claim) string { return c.Outcome }), func(same []Claim) Count { return Count{same[0].Outcome, len(same)} })
	slices.SortStableFunc(counts, func(a, b Count) int { return cmp.Compare(severity(a.What), severity(b.What)) })
	return counts
}

// Ranges are those of the sizes that vary, e.g. "n = 250 to 1000".
func (r *Report) Ranges() (all []string) {
	for _, size := range sizes.Names {
		least, most := math.Inf(1), math.Inf(-1)
		for i := range r.Run.Rows {
			if v, has := r.Run.Rows[i].At.Number(size); has {
				least, most = min(least, v), max(most, v)
			}
		}
		if least < most {
			all = append(all, r.Names.labels.Variable(size)+" = "+plain.Six(least)+" to "+plain.Six(most))
		}
	}
	return all
}

// Skipped counts the rows whose methods do not apply at their place.
func (r *Report) Skipped() int {
	return len(lists.Where(r.Run.Rows, func(row results.Row) bool { return row.Status == results.Skipped }))
}

// Family is how the violated verdicts stand over all claims, in words; "" where none is violated.
func (r *Report) Family() string { return claims.FamilyOf(r.Judged).String() }
