package format

import (
	"math"
	"slices"

	"mercer/internal/claims"
)

// Severity orders outcomes as claims.Worst does.
func Severity(o claims.Outcome) int {
	return slices.Index([]claims.Outcome{claims.Holds, claims.NotApplicable, claims.Inconclusive, claims.Violated}, o)
}

// Excess is how far a cell lies beyond what is claimed; a cell without an
// estimate lies farthest.
func Excess(c claims.CellOutcome, relation string) float64 {
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
