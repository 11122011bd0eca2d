package claims

import (
	"testing"

	"mercer/configs"
)

// Numbers beyond the root of the largest are judged like others.
func TestValuesBeyondSquares(t *testing.T) {
	for _, tt := range []struct {
		unit   float64
		atMost string
		want   Outcome
	}{{1e200, "2e200", Holds}, {1e200, "1e199", Violated}, {1e200, "1", Violated}, {-1e300, "0", Holds}, {1e308, "1.7e308", Holds}, {1e-200, "2e-200", Holds}, {1e-200, "1e-201", Violated}} {
		run := fake([]string{"a"}, []string{"n"}, along("n", 100), 10, func(_ string, _ map[string]float64, repeat int) map[string]float64 {
			return map[string]float64{"x": tt.unit * (1 + float64(repeat%3)/100)}
		})
		v := one(t, configs.Claim{ID: "c", Value: &configs.ValueClaim{Of: configs.Quantity{Text: "x"}, AtMost: num(tt.atMost)}}, run)
		if v.Outcome != tt.want {
			t.Errorf("values near %g, at most %s: %s, %s", tt.unit, tt.atMost, v.Outcome, v.Reason)
		}
	}
}
