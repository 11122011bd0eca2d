package inference

import (
	"math"
	"testing"
)

// binomial is the binomial probability, from logarithms of factorials.
func binomial(k, n int, p float64) float64 {
	log := func(i int) float64 { v, _ := math.Lgamma(float64(i + 1)); return v }
	return math.Exp(log(n) - log(k) - log(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// The limits are where the sums of probabilities have the level. 1e-9 is the accuracy
// of Lgamma at these sizes.
func TestClopperPearson(t *testing.T) {
	sum := func(from, to, n int, p float64) (total float64) {
		for k := from; k <= to; k++ {
			total += binomial(k, n, p)
		}
		return total
	}
	for _, n := range []int{2, 20, 100} {
		for k := 0; k <= n; k += 1 + n/9 {
			low, high := lowerLimit(k, n, 0.95), upperLimit(k, n, 0.95)
			if k > 0 && math.Abs(sum(k, n, n, low)-0.05) > 1e-9 {
				t.Errorf("lower limit of %d/%d: %v", k, n, low)
			}
			if k < n && math.Abs(sum(0, k, n, high)-0.05) > 1e-9 {
				t.Errorf("upper limit of %d/%d: %v", k, n, high)
			}
		}
	}
	if lowerLimit(0, 5, 0.95) != 0 || upperLimit(5, 5, 0.95) != 1 {
		t.Error("limits at the ends")
	}
	// The interval of 8 in 10 at 95 % as tables have it.
	if low, high := lowerLimit(8, 10, 0.975), upperLimit(8, 10, 0.975); math.Abs(low-0.4439) > 5e-5 || math.Abs(high-0.9748) > 5e-5 {
		t.Errorf("8 of 10: [%v, %v]", low, high)
	}
}
