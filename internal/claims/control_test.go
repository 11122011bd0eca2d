package claims

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/configs"
)

// A control is judged as any claim is: only what it counts as is turned round. On an
// incomplete run it passes as little as a claim.
func TestControl(t *testing.T) {
	for target, want := range map[string]struct{ outcome, counts Outcome }{
		"-0.5":  {Holds, Violated},
		"-0.9":  {Violated, Holds},
		"-0.58": {Inconclusive, Inconclusive},
	} {
		c := slopeClaim(configs.Slope{Equals: num(target), Within: num("0.08")})
		c.Control = true
		run := powerRun(-0.5, 0.05, 20)
		v := one(t, c, run)
		if !v.Control || v.Outcome != want.outcome || v.CountsAs() != want.counts || v.Stands {
			t.Errorf("target %s: %s, counts as %s, stands %v, want %v", target, v.Outcome, v.CountsAs(), v.Stands, want)
		}
		run.Manifest.IDs = make([]string, len(run.Rows)+1)
		if v := one(t, c, run); v.Outcome != Inconclusive {
			t.Errorf("target %s, incomplete: %s (%s)", target, v.Outcome, v.Reason)
		}
	}
}

// Controls are no part of the family of claims: neither do violated ones cost the others
// their standing, nor do they stand.
func TestControlsAreOutsideTheFamily(t *testing.T) {
	p := 0.005
	claim := Verdict{Outcome: Violated, P: &p, least: p}
	verdicts := []Verdict{claim}
	for range 10 {
		control := claim
		control.Control = true
		verdicts = append(verdicts, control)
	}
	verdicts[1].Outcome = Holds
	stand(verdicts)
	if got := FamilyOf(verdicts); got != (Family{Judged: 1, Violated: 1, Standing: 1, Controls: 1}) {
		t.Errorf("%+v", got)
	}
	want := "1 verdict, 1 violated: the chance that any of these is wrong is at most 1 %; 1 verdict on a control, which must be violated: it holds"
	if got := FamilyOf(verdicts).String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Folded are checks that hold and controls that are violated, in all of their verdicts and
// in any order of them.
func TestFold(t *testing.T) {
	verdicts := []Verdict{
		{Claim: "claim", Outcome: Holds},
		{Claim: "check", Check: true, Outcome: Holds}, {Claim: "check", Check: true, Outcome: Holds},
		{Claim: "vacuous", Check: true, Outcome: Holds, Vacuous: true},
		{Claim: "broken", Check: true, Outcome: Holds}, {Claim: "broken", Check: true, Outcome: Violated},
		{Claim: "control", Control: true, Outcome: Violated}, {Claim: "control", Control: true, Outcome: Violated},
		{Claim: "half", Control: true, Outcome: Violated}, {Claim: "half", Control: true, Outcome: Holds},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		rest, folded := Fold(verdicts)
		if diff := cmp.Diff(Folded{Checks: []string{"check"}, Controls: []string{"control"}}, folded); diff != "" || len(rest) != 6 {
			t.Errorf("%d are left; %s", len(rest), diff)
		}
		rng.Shuffle(len(verdicts), func(i, k int) { verdicts[i], verdicts[k] = verdicts[k], verdicts[i] })
	}
}

func TestWordsOfControls(t *testing.T) {
	var words []string
	for _, outcomes := range [][]Outcome{{Holds, Violated}, {Violated, Violated}, {Violated, Inconclusive}, {Violated, NotApplicable}} {
		var verdicts []Verdict
		for _, o := range outcomes {
			verdicts = append(verdicts, Verdict{Control: true, Outcome: o})
		}
		words = append(words, WorstWords(verdicts))
	}
	if diff := cmp.Diff([]string{"control holds", "control violated", "inconclusive", "not applicable"}, words); diff != "" {
		t.Error(diff)
	}
}
