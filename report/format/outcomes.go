package format

import (
	"cmp"
	"math"
	"slices"

	"mercer/internal/claims"
)

// MoreUrgent orders cells by how much attention they need: by outcome as claims.Worst
// does, then by p, then by how far they lie beyond what is claimed; a cell without an
// estimate lies farthest.
func MoreUrgent(a, b claims.CellOutcome, relation string) int {
	severity := func(c claims.CellOutcome) int {
		return slices.Index([]claims.Outcome{claims.Violated, claims.Inconclusive, claims.NotApplicable, claims.Holds}, c.Outcome)
	}
	beyond := func(c claims.CellOutcome) float64 {
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
	return cmp.Or(cmp.Compare(severity(a), severity(b)), cmp.Compare(a.P, b.P), cmp.Compare(beyond(b), beyond(a)))
}
