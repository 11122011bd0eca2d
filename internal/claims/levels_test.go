package claims

import (
	"math"
	"testing"
)

// The rate of a wrong call is that of all looks together, at the level that a claim asks for.
func TestWrongCall(t *testing.T) {
	for _, test := range []struct {
		v    Verdict
		want float64
	}{
		{Verdict{Outcome: Holds, Relation: "<="}, 0.05},
		{Verdict{Outcome: Holds, Relation: "="}, 0.025},
		{Verdict{Outcome: Holds, Relation: ">=", asked: 0.99, look: unplanned(2)}, 0.01},
		{Verdict{Outcome: Violated, Relation: "=", asked: 0.8}, 0.01},
		{Verdict{Outcome: Inconclusive, Relation: "="}, 0},
		{Verdict{Outcome: Holds, Relation: ">=", Level: 1}, 0},
		{Verdict{Outcome: Holds, Relation: ">=", Vacuous: true}, 0},
	} {
		rate, calls := test.v.WrongCall()
		if math.Abs(rate-test.want) > 1e-15 || calls != (test.want > 0) {
			t.Errorf("%s %s: %v %t; want %v", test.v.Outcome, test.v.Relation, rate, calls, test.want)
		}
	}
}
