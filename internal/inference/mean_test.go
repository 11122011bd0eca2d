package inference

import (
	"math"
	"reflect"
	"testing"
)

// A mean's test has no unit: multiplied by a power of 2, values and band alike, it is
// the same, bit for bit, from 1e-250 to 1e+300, where squares over- and underflow.
func TestMeanTestHasNoUnit(t *testing.T) {
	values := []float64{1.25, 0.75, 1.5, 1.125, 0.875}
	for _, b := range []Band{{Relation: "<=", Value: 1.2}, {Relation: "<=", Value: 0.1}, {Relation: "=", Value: 1, Within: 0.4}, {Relation: "=", Value: 3, Within: 0.01}, {Relation: ">=", Value: 0, Slack: 1e-9}} {
		want := MeanTest{b, 0.95}.Estimate(values)
		for _, exponent := range []int{-830, -600, -10, 10, 520, 1000} {
			unit := math.Ldexp(1, exponent)
			scaled := make([]float64, len(values))
			for i, v := range values {
				scaled[i] = v * unit
			}
			got := MeanTest{Band{b.Relation, b.Value * unit, b.Within * unit, b.Slack * unit}, 0.95}.Estimate(scaled)
			got.Mean, got.SD, got.Low, got.High = got.Mean/unit, got.SD/unit, got.Low/unit, got.High/unit
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v in units of 2^%d: %+v, want %+v", b, exponent, got, want)
			}
		}
	}
}
