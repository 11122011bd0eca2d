package report

import (
	"cmp"
	"fmt"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/theory"
)

// Check is a claim, or a check, of an experiment on a theorem.
type Check struct {
	Experiment string `json:"experiment"`
	Claim      string `json:"claim"`
	OfCode     bool   `json:"check,omitempty"` // it tests the code, not the theorem
	Of         string `json:"of"`              // the quantity judged
	Outcome    string `json:"outcome"`         // the outcomes of its groups in the reference run; "not run" without one
}

// CheckOf is what the verdicts on a claim say together of its theorem. Those on another
// theorem are of an older spec and do not count.
func CheckOf(experiment string, claim configs.Claim, t theory.Theorem, verdicts []claims.Verdict) Check {
	_, kind := claim.Kind()
	check := Check{Experiment: experiment, Claim: claim.ID, OfCode: claim.Check, Of: cmp.Or(kind.Quantity().Text, t.Metric), Outcome: "not run"}
	own := lists.Where(verdicts, func(v claims.Verdict) bool { return v.Claim == claim.ID && v.Theorem == t.Key })
	groups := lists.By(own, claims.Verdict.Words)
	switch {
	case len(groups) == 1:
		check.Outcome = own[0].Words()
	case len(groups) > 1:
		check.Outcome = strings.Join(lists.Map(groups, func(same []claims.Verdict) string {
			return fmt.Sprintf("%s in %d", claims.Counted(same[0].Words()), len(same))
		}), ", ")
	}
	return check
}

// String is the check on one line.
func (c Check) String() string {
	line := fmt.Sprintf("%s of %s, on %s: %s", c.Claim, c.Experiment, c.Of, c.Outcome)
	if c.OfCode {
		line = "check " + line
	}
	return line
}
