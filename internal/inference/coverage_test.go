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

// whole are the error rates of all looks together.
var whole = Levels{0.95, ViolatedP}

func TestCoverageRepeatsNeeded(t *testing.T) {
	needed := func(inside, outside int, claimed float64, at Levels) int {
		test := CoverageTest{Claimed: claimed, Level: at.Confidence}
		return test.Needed(test.Estimate(covered(inside, outside)), at, 1)
	}
	for seen, want := range map[int]int{3: 59, 58: 59} {
		if got := needed(seen, 0, 0.95, whole); got != want {
			t.Errorf("after %d of %d: %d, want %d", seen, seen, got, want)
		}
	}
	if got := needed(10, 0, 0.99, Levels{0.99, ViolatedP}); got != 459 { // log 0.01 / log 0.99 = 458.2
		t.Errorf("δ = level' = 0.01: %d, want 459", got)
	}
	for _, outside := range []int{2, 10} {
		need := needed(100-outside, outside, 0.95, whole)
		out := int(math.Ceil(float64(need*outside)/100 - 1e-9))
		e := CoverageTest{Claimed: 0.95, Level: 0.95}.Estimate(covered(need-out, out))
		if need <= 100 || !e.Inside && e.P >= ViolatedP {
			t.Errorf("%d of 100 outside: %d repeats do not decide: %+v", outside, need, e)
		}
	}
	if got := needed(95, 5, 0.95, whole); got <= MaxRepeats {
		t.Errorf("on the edge: %d", got)
	}
}

// covered are so many repeats inside a bound and outside of it.
func covered(inside, outside int) []float64 {
	values := make([]float64, inside+outside)
	for i := range inside {
		values[i] = 1
	}
	return values
}
