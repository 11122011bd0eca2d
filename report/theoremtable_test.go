package report

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/theory"
	"mercer/report/reporttest"
)

func TestCheckSummary(t *testing.T) {
	tight := func(x float64) *float64 { return &x }
	verdicts := []claims.Verdict{
		{Claim: "a", Theorem: "t", Outcome: claims.Holds, Tightness: tight(0.031)},
		{Claim: "a", Theorem: "t", Outcome: claims.NotApplicable},
		{Claim: "a", Theorem: "t", Outcome: claims.Holds, Tightness: tight(0.2)},
		{Claim: "b", Theorem: "t", Outcome: claims.Violated, Tightness: tight(1.21)},
		{Claim: "b", Theorem: "older", Outcome: claims.Holds},
		{Claim: "k", Theorem: "t", Outcome: claims.Holds, Check: true},
		{Claim: "v", Theorem: "t", Outcome: claims.Holds, Vacuous: true, Tightness: tight(0.1), Trivial: &claims.Trivial{Low: tight(1.5), High: tight(7)}},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Vacuous: true, Trivial: &claims.Trivial{Low: tight(3), High: tight(3)}},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Trivial: &claims.Trivial{Low: tight(0.25), High: tight(0.5)}},
		{Claim: "w", Theorem: "t", Outcome: claims.Holds, Vacuous: true, Trivial: &claims.Trivial{}}, // from below
		{Claim: "l", Theorem: "t", Kind: "bound", Outcome: claims.Holds, Estimate: 0.97, Target: 0.95, Tightness: tight(0.5), Below: true, Trivial: &claims.Trivial{Cells: 3, Vacuous: 1}},
		{Claim: "r", Theorem: "t", Kind: "slope", Outcome: claims.Holds, Estimate: -0.51, Target: -0.5, Relation: "=", Over: "n", Points: []claims.Point{{X: 915}, {X: 102015050}}},
		{Claim: "r", Theorem: "t", Kind: "slope", Outcome: claims.Holds, Estimate: -0.49, Target: -0.5, Relation: "=", Over: "n", Points: []claims.Point{{X: 12155}}},
		{Claim: "r", Theorem: "t", Kind: "slope", Outcome: claims.NotApplicable, Estimate: -3, Target: -0.5, Relation: "=", Over: "n", Points: []claims.Point{{X: 1}}},
		{Claim: "d", Theorem: "t", Kind: "distribution", Outcome: claims.Holds, Estimate: 0.021, Target: 0.05, Relation: "<=", Cells: []claims.CellOutcome{
			{Cell: reporttest.At("theta", "0.5", "m", "512", "k", "2")}, {Cell: reporttest.At("m", "64")}}},
		{Claim: "o", Theorem: "t", Kind: "order", Outcome: claims.Holds, Estimate: 0.9, Target: 1, Relation: "<=", Cells: []claims.CellOutcome{{Cell: reporttest.At("n", "500/250")}}},
	}
	for i := range verdicts {
		verdicts[i].Kind = cmp.Or(verdicts[i].Kind, "bound")
	}
	for claim, want := range map[string]string{
		"a": "a of x, on loss: not applicable in 1, holds in 2 of 3 groups, measured/bound 0.031 to 0.2",
		"b": "b of x, on loss: violated, measured/bound 1.2",
		"c": "c of x, on loss: not run",
		"k": "check k of x, on loss: holds",
		"v": "v of x, on loss: holds, vacuous, measured/bound 0.1, bound/trivial 1.5 to 7: vacuous at all sizes",
		"w": "w of x, on loss: holds vacuously in 2, holds in 1 of 3 groups, bound/trivial 0.25 to 3",
		"l": "l of x, on loss: holds, bound/measured 0.5, informative in 2 of 3 cells",
		"r": "r of x, on loss: not applicable in 1, holds in 2 of 3 groups, slope -0.51 to -0.49, claimed = -0.5, n 915 to 1.02e+08",
		"d": "d of x, on loss: holds, distance 0.021, claimed ≤ 0.05, m 64 to 512",
		"o": "o of x, on loss: holds, ratio of neighbours 0.9, claimed ≤ 1",
	} {
		c := CheckOf("x", configs.Claim{ID: claim, Check: claim == "k", Bound: &configs.Bound{}}, theory.Theorem{Key: "t", Metric: "loss"}, verdicts)
		if c.String() != want {
			t.Errorf("%s, want %s", c, want)
		}
	}
}

// A claim is direct where its quantity is the theorem's metric, be it shifted by a number
// relative to its floor or multiplied by sizes; what has another metric in it is a substitute.
// Checks of the code come last.
func TestSubstitutes(t *testing.T) {
	var checks []Check
	for _, of := range []string{"loss_projection/loss_floor", "n*loss_mean", "loss", "other", "loss*sqrt(n)/k", "loss + 1/1199.5", "loss/loss_floor"} {
		claim := configs.Claim{ID: "s", Slope: &configs.Slope{Of: configs.NewQuantity(of)}}
		checks = append(checks, CheckOf("x", claim, theory.Theorem{Key: "t", Metric: "loss"}, nil))
	}
	checks[2].OfCode = true
	slices.SortStableFunc(checks, ByDirectness)
	var got []string
	for _, c := range checks {
		got = append(got, c.String())
	}
	want := []string{"s of x, on loss*sqrt(n)/k: not run", "s of x, on loss + 1/1199.5: not run", "s of x, on loss/loss_floor: not run",
		"s of x, on a substitute, loss_projection/loss_floor: not run", "s of x, on a substitute, n*loss_mean: not run", "s of x, on a substitute, other: not run", "check s of x, on loss: not run"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTheoremTable(t *testing.T) {
	table := TheoremTable([]TheoremRow{
		{Key: "k-1", Says: "|S*V| ≤ λ_1", Reference: "K Thm 1", Checks: []Check{
			{Experiment: "x", Claim: "a", Of: "v|w", Groups: 1, Outcomes: []GroupsOf{{"holds", 1}}, Tightness: []float64{0.5, 0.5}, Trivial: []float64{2, 3}}, {Experiment: "y", Claim: "b", OfCode: true, Of: "n*v", Substitute: true}}},
		{Key: "k-2", Says: "more", Reference: "K Thm 2"},
	})
	want := "| K Thm 1, `k-1` | \\|S\\*V\\| ≤ λ\\_1 | `x`: a<br>`y`: check b | `v\\|w`<br>substitute `n*v` | holds<br>not run | measured/bound 0.5<br> | bound/trivial 2 to 3: vacuous at all sizes<br> |\n" +
		"| K Thm 2, `k-2` | more |  |  |  |  |  |\n"
	if _, rows, _ := strings.Cut(table, ":-- |\n"); rows != want {
		t.Errorf("rows\n%s\nwant\n%s", rows, want)
	}
}
