package report

import (
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/theory"
)

func TestCheckOf(t *testing.T) {
	verdicts := []claims.Verdict{
		{Claim: "a", Theorem: "t", Outcome: claims.Holds},
		{Claim: "a", Theorem: "t", Outcome: claims.NotApplicable},
		{Claim: "a", Theorem: "t", Outcome: claims.Holds},
		{Claim: "b", Theorem: "t", Outcome: claims.Violated},
		{Claim: "b", Theorem: "older", Outcome: claims.Holds},
		{Claim: "k", Theorem: "t", Outcome: claims.Holds, Check: true},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Vacuous: true},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds},
	}
	for claim, want := range map[string]string{
		"a": "a of x, on loss: holds in 2, not applicable in 1",
		"b": "b of x, on loss: violated",
		"c": "c of x, on loss: not run",
		"k": "check k of x, on loss: holds",
		"w": "w of x, on loss: holds vacuously in 1, holds in 1",
	} {
		c := CheckOf("x", configs.Claim{ID: claim, Check: claim == "k", Bound: &configs.Bound{}}, theory.Theorem{Key: "t", Metric: "loss"}, verdicts)
		if c.String() != want {
			t.Errorf("%s, want %s", c, want)
		}
	}
}
