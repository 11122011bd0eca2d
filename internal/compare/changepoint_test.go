package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// noises are what a series without change may look like.
var noises = []struct {
	name string
	draw func(rng *rand.Rand, n int) []float64
}{
	{"normal", func(rng *rand.Rand, n int) []float64 {
		return filled(n, func(int) float64 { return rng.NormFloat64() })
	}},
	{"logarithms of times with outliers", func(rng *rand.Rand, n int) []float64 {
		return filled(n, func(int) float64 {
			if rng.Float64() < 0.1 {
				return rng.ExpFloat64()
			}
			return 0.03 * math.Abs(rng.NormFloat64())
		})
	}},
	{"Cauchy", func(rng *rand.Rand, n int) []float64 {
		return filled(n, func(int) float64 { return rng.NormFloat64() / rng.NormFloat64() })
	}},
	{"two values", func(rng *rand.Rand, n int) []float64 {
		return filled(n, func(int) float64 { return float64(rng.IntN(2)) })
	}},
}

func filled(n int, of func(i int) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// TestChangePointsFalseAlarms: at a level of 5 %, among 1000 series without change at most
// 5 % have one. Of 1000 at exactly 5 %, more than 75 (3.6 standard errors) have
// probability 3e-4; over the eight rows, 0.2 %.
func TestChangePointsFalseAlarms(t *testing.T) {
	for _, noise := range noises {
		for _, n := range []int{12, 30} {
			rng := newRand(uint64(n))
			alarms := 0
			for range 1000 {
				changes := changePoints(noise.draw(rng, n), 0.05, rng)
				if len(changes) > 0 {
					alarms++
				}
			}
			t.Logf("%s, n = %d: %.1f %%", noise.name, n, float64(alarms)/10)
			if alarms > 75 {
				t.Errorf("%s, n = %d: %d of 1000 series without change have one", noise.name, n, alarms)
			}
		}
	}
}

// TestChangePointsDrift: of normal series in which neighbours have correlation 0.3, more than
// the level have a change, but at 1 % no more than 15 % of 1000 do; seen were 10 %
// at 30 values.
func TestChangePointsDrift(t *testing.T) {
	rng := newRand(9)
	alarms := 0
	for range 1000 {
		last := rng.NormFloat64()
		values := filled(30, func(int) float64 {
			last = 0.3*last + math.Sqrt(1-0.09)*rng.NormFloat64()
			return last
		})
		changes := changePoints(values, 0.01, rng)
		if len(changes) > 0 {
			alarms++
		}
	}
	t.Logf("%.1f %%", float64(alarms)/10)
	if alarms > 150 {
		t.Errorf("%d of 1000 correlated series have a change", alarms)
	}
}

// TestChangePointsFound: a step of five standard deviations is found, at its place to within
// one value, wherever it is, also three values before the end; both steps of a
// bump; and what is between is as it was made.
func TestChangePointsFound(t *testing.T) {
	for _, test := range []struct {
		n  int
		at []int
	}{
		{16, []int{13}}, {12, []int{6}}, {20, []int{17}}, {40, []int{37}}, {40, []int{3}}, {60, []int{20, 40}}, {60, []int{25, 30}},
	} {
		t.Run(fmt.Sprint(test.n, test.at), func(t *testing.T) {
			rng := newRand(uint64(test.n))
			found, close := 0, 0
			const series = 60
			for range series {
				level := 0.0
				values := filled(test.n, func(i int) float64 {
					if slices.Contains(test.at, i) {
						level = 5 - level
					}
					return level + rng.NormFloat64()
				})
				changes := changePoints(values, 0.01, rng)
				if len(changes) == len(test.at) {
					found++
					near := true
					for i, c := range changes {
						near = near && max(c.at-test.at[i], test.at[i]-c.at) <= 1 && math.Abs(math.Abs(c.after-c.before)-5) < 3
					}
					if near {
						close++
					}
				}
			}
			t.Logf("found in %d of %d, at its place in %d", found, series, close)
			if close < series*8/10 {
				t.Errorf("found in %d of %d series, at its place in %d", found, series, close)
			}
		})
	}
}

// TestEnergyStatistic: the place and the value are those of the definition, computed
// from all pairs.
func TestEnergyStatistic(t *testing.T) {
	mean := func(x, y []float64, same bool) float64 {
		sum, pairs := 0.0, 0.0
		for i := range x {
			for j := range y {
				if same && i == j {
					continue
				}
				sum += math.Abs(x[i] - y[j])
				pairs++
			}
		}
		return sum / pairs
	}
	rng := newRand(3)
	var room []float64
	for range 50 {
		x := filled(4+rng.IntN(12), func(int) float64 { return rng.NormFloat64() })
		at, most := 0, 0.0
		for a := 2; a <= len(x)-2; a++ {
			for b := a + 2; b <= len(x); b++ {
				r, s := float64(a), float64(b-a)
				q := r * s / (r + s) * (2*mean(x[:a], x[a:b], false) - mean(x[:a], x[:a], true) - mean(x[a:b], x[a:b], true))
				if q > most {
					at, most = a, q
				}
			}
		}
		gotAt, got := divide(x, 2, &room)
		if gotAt != at || math.Abs(got-most) > 1e-9*most {
			t.Fatalf("%v: divided at %d with %v; want %d with %v", x, gotAt, got, at, most)
		}
	}
}

func TestNoChangePoint(t *testing.T) {
	for _, values := range [][]float64{nil, {1}, {1, 1, 1, 9, 9}, {2, 2, 2, 2, 2, 2, 2, 2}, {0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0}} {
		if changes := changePoints(values, 0.01, newRand(1)); len(changes) > 0 {
			t.Errorf("%v: %v", values, changes)
		}
	}
}
