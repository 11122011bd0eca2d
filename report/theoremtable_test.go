package report

import (
	"strings"
	"testing"

	"mercer/internal/claims"
)

func TestCheckSummary(t *testing.T) {
	tight := func(x float64) *float64 { return &x }
	verdicts := []claims.Verdict{
		{Claim: "a", Theorem: "t", Outcome: claims.Holds, Tightness: tight(0.031)},
		{Claim: "a", Theorem: "t", Outcome: claims.NotApplicable},
		{Claim: "a", Theorem: "t", Outcome: claims.Holds, Tightness: tight(0.2)},
		{Claim: "b", Theorem: "t", Outcome: claims.Violated, Tightness: tight(1.21)},
		{Claim: "b", Theorem: "older", Outcome: claims.Holds},
		{Claim: "v", Theorem: "t", Outcome: claims.Holds, Vacuous: true, Tightness: tight(0.1), Trivial: &claims.Trivial{Low: tight(1.5), High: tight(7)}},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Vacuous: true, Trivial: &claims.Trivial{Low: tight(3), High: tight(3)}},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Trivial: &claims.Trivial{Low: tight(0.25), High: tight(0.5)}},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Vacuous: true, Trivial: &claims.Trivial{}}, // from below
	}
	for claim, want := range map[string]string{
		"a": "a of x: holds in 2, not applicable in 1 of 3 groups, measured/bound 0.031 to 0.2",
		"b": "b of x: violated, measured/bound 1.2",
		"c": "c of x: not run",
		"v": "v of x: holds, vacuous, measured/bound 0.1, bound/trivial 1.5 to 7",
		"w": "w of x: holds in 1, holds vacuously in 2 of 3 groups, bound/trivial 0.25 to 3",
	} {
		c := CheckOf("x", claim, "t", verdicts)
		if c.String() != want {
			t.Errorf("%s, want %s", c, want)
		}
	}
}

func TestTheoremTable(t *testing.T) {
	var b strings.Builder
	err := TheoremTable(&b, []TheoremRow{
		{Key: "k-1", Says: "|S*V| ≤ λ_1", Reference: "K Thm 1", Checks: []Check{
			{Experiment: "x", Claim: "a", Verdict: "holds", Tightness: []float64{0.5, 0.5}, Trivial: []float64{2, 3}}, {Experiment: "y", Claim: "b"}}},
		{Key: "k-2", Says: "more", Reference: "K Thm 2"},
	})
	want := "| K Thm 1, `k-1` | \\|S\\*V\\| ≤ λ\\_1 | `x`: a<br>`y`: b | holds<br>not run | 0.5<br> | 2 to 3<br> |\n" +
		"| K Thm 2, `k-2` | more |  |  |  |  |\n"
	if _, rows, _ := strings.Cut(b.String(), ":-- |\n"); err != nil || rows != want {
		t.Errorf("rows\n%s\nwant\n%s", rows, want)
	}
}
