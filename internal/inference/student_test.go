package inference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The series against gonum's inversion of the incomplete beta function, whose quantiles
// have an error of up to 1e-9 themselves.
func TestTQuantileOfMany(t *testing.T) {
	for _, nu := range []int{100, 300, 5000, 100_000} {
		for _, p := range []float64{1e-4, 0.01, 0.3, 0.5, 0.95, 0.9999} {
			want := distuv.StudentsT{Sigma: 1, Nu: float64(nu)}.Quantile(p)
			if got := TQuantile(p, nu); math.Abs(got-want) > 1e-7 {
				t.Errorf("%v quantile of t with %d degrees: %v, want %v", p, nu, got, want)
			}
		}
	}
}
