package claims

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mercer/configs"
)

// A mean's test has no unit: multiplied by a power of 2, values and band alike, it is
// the same, bit for bit, from 1e-250 to 1e+300, where squares over- and underflow.
func TestMeanTestHasNoUnit(t *testing.T) {
	values := []float64{1.25, 0.75, 1.5, 1.125, 0.875}
	for _, b := range []band{{relation: "<=", value: 1.2}, {relation: "<=", value: 0.1}, {relation: "=", value: 1, within: 0.4}, {relation: "=", value: 3, within: 0.01}, {relation: ">=", value: 0, slack: 1e-9}} {
		for _, lost := range []int{0, 1} {
			want := estimateOf(meanTest{b, 0.95}, values, lost, violatedP)
			for _, exponent := range []int{-830, -600, -10, 10, 520, 1000} {
				unit := math.Ldexp(1, exponent)
				scaled := make([]float64, len(values))
				for i, v := range values {
					scaled[i] = v * unit
				}
				got := estimateOf(meanTest{band{b.relation, b.value * unit, b.within * unit, b.slack * unit}, 0.95}, scaled, lost, violatedP)
				got.mean, got.sd, got.low, got.high = got.mean/unit, got.sd/unit, got.low/unit, got.high/unit
				if got != want {
					t.Errorf("%v in units of 2^%d: %+v, want %+v", b, exponent, got, want)
				}
			}
		}
	}
}

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

// The series against gonum's inversion of the incomplete beta function, whose quantiles
// have an error of up to 1e-9 themselves.
func TestTQuantileOfMany(t *testing.T) {
	for _, nu := range []int{100, 300, 5000, 100_000} {
		for _, p := range []float64{1e-4, 0.01, 0.3, 0.5, 0.95, 0.9999} {
			want := distuv.StudentsT{Sigma: 1, Nu: float64(nu)}.Quantile(p)
			if got := tQuantile(p, nu); math.Abs(got-want) > 1e-7 {
				t.Errorf("%v quantile of t with %d degrees: %v, want %v", p, nu, got, want)
			}
		}
	}
}
