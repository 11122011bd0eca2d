package inference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Pseudo-values by their definition, from standard deviations without each value in
// turn. 1e-9: of numbers of which one is far from the others, the rest's spread is found
// by a difference.
func TestLogSpreads(t *testing.T) {
	for _, values := range [][]float64{
		{1, 2, 4, 8, 16}, {-3, 0.1, 0.2, 0.1, 5, 7, 1e3}, {1e-200, 3e-200, 2e-200, 5e-200, 1e-200},
		{1e200, 3e200, -2e200, 5e200, 1e200}, {1e6, 1, 2, 3, 4, 5},
	} {
		n := float64(len(values))
		unit := 1.0 // squares of the numbers as they are overflow
		if a := math.Abs(values[0]); a > 1e100 || a < 1e-100 {
			unit = a
		}
		logSD := func(skip int) float64 {
			var kept []float64
			for i, v := range values {
				if i != skip {
					kept = append(kept, v/unit)
				}
			}
			return math.Log(stat.StdDev(kept, nil)) + math.Log(unit)
		}
		for i, got := range LogSpreads(values) {
			if want := n*logSD(-1) - (n-1)*logSD(i); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%v: pseudo-value %d is %v, want %v", values, i, got, want)
			}
		}
	}
}
