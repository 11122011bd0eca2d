package format

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
)

// ClaimName is the id of a verdict's claim, and that it is a check or a control.
func ClaimName(v claims.Verdict) string {
	switch {
	case v.Check:
		return "check " + plain.Text(v.Claim)
	case v.Control:
		return "control " + plain.Text(v.Claim)
	}
	return plain.Text(v.Claim)
}

// ControlsViolated says how many controls are violated.
func ControlsViolated(count int) string {
	if count == 1 {
		return "1 control is violated, as it must be"
	}
	return fmt.Sprintf("%d controls are violated, as they must be", count)
}

// ChecksHold says how many checks hold.
func ChecksHold(count int) string {
	if count == 1 {
		return "1 check of the code holds"
	}
	return fmt.Sprintf("%d checks of the code hold", count)
}

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

// Detectable says which true values a claim would have been violated by; empty where
// that is not known.
func Detectable(v claims.Verdict) string {
	ends := detectable(v, "below ", "above ")
	switch {
	case ends == "":
		return ""
	case v.Detectable.Share != nil:
		return fmt.Sprintf("if %s of all values lay outside, one would have been seen with a chance of 80 %%", ends)
	}
	return fmt.Sprintf("a true %s %s would be rejected with 80 %% power at %s of this spread", v.Noun(), ends, plain.Count(v.Repeats, "repeat"))
}

// Rejects is Detectable in short: "< −0.61 or > −0.39".
func Rejects(v claims.Verdict) string { return detectable(v, "< ", "> ") }

// detectable are the ends of what would be rejected, with the words before each.
func detectable(v claims.Verdict, below, above string) string {
	d := v.Detectable
	if d == nil {
		return ""
	}
	if d.Share != nil {
		return fmt.Sprintf("%.2g %%", 100**d.Share)
	}
	var ends []string
	if d.Low != nil {
		ends = append(ends, below+Minus(Number(*d.Low)))
	}
	if d.High != nil {
		ends = append(ends, above+Minus(Number(*d.High)))
	}
	return strings.Join(ends, " or ")
}
