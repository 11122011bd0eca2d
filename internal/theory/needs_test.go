package theory

import (
	"math"
	"testing"

	"mercer/data"
	"mercer/internal/sizes"
)

// smallest is the least value of a size ("n", "m" or "d"), not below that of the
// setting, at which all conditions of the theorem hold, the rest of the setting
// staying as it is; false where none up to 2^53 is found. It doubles the size
// until they hold, then bisects: conditions that hold from some size on are
// assumed to hold at all larger ones.
func smallest(t Theorem, s Setting, size string) (int, bool) {
	return least(max(s.Get(size), 1), func(v int) bool {
		s.Set(size, v)
		return holds(t, s)
	})
}

// What smallest finds will do, one less will not, and nothing else changes.
func TestSmallest(t *testing.T) {
	s := Setting{Population: finite(1, 0.5), Sizes: sizes.Sizes{N: 10, M: 5e8, Ell: 1}, Delta: 0.05}
	for key, theorem := range Registry {
		if theorem.Bound == nil || theorem.Methods[0] == "kpca" || key[:3] != "nyk" && key[:3] != "rfk" {
			continue
		}
		n, ok := smallest(theorem, s, "n")
		if !ok {
			t.Errorf("%s: no n is enough", key)
			continue
		}
		for _, c := range []struct {
			n    int
			want bool
		}{{n - 1, false}, {n, true}, {n + 1, true}, {3 * n, true}} {
			at := s
			at.N = c.n
			if b := must(theorem.Bound(at)); b.Applies() != c.want {
				t.Errorf("%s: n = %d, smallest %d: applies %v, %v", key, c.n, n, b.Applies(), Failing(b.Conditions))
			}
		}
	}
	// By hand, see TestRFKThresholds.
	if n, ok := smallest(Registry["rfk-1-i"], s, "n"); n != 247_357 || !ok {
		t.Errorf("rfk-1-i: n = %d, %v", n, ok)
	}
	s.N = 300_000
	if n, ok := smallest(Registry["rfk-1-i"], s, "n"); n != 300_000 || !ok {
		t.Errorf("rfk-1-i from 300,000 on: n = %d, %v", n, ok)
	}
	s.M = 10
	if n, ok := smallest(Registry["nyk-4.1-iii"], s, "n"); ok {
		t.Errorf("nyk-4.1-iii: n = %d for 10 landmarks", n)
	}
}

// All conditions hold at what is needed, and taking one from any size that was
// raised breaks one.
func TestNeeds(t *testing.T) {
	for _, population := range []data.Population{finite(1, 0.5), opened(&data.GaussianOptions{Std: 1, Sigma: 0.5})} {
		for key, theorem := range Registry {
			if theorem.Bound == nil || theorem.Methods[0] == "kpca" || key[:3] != "nyk" && key[:3] != "rfk" {
				continue
			}
			s := Setting{Population: population, Sizes: sizes.Sizes{N: 100, M: 30, Ell: 1}, Delta: 0.05}
			needed, ok := Needs(theorem, s)
			if !ok || !must(theorem.Bound(needed)).Applies() {
				t.Errorf("%s: found %v, n = %d, m = %d", key, ok, needed.N, needed.M)
				continue
			}
			if uses := len(theorem.Sizes) == 3; uses != (needed.M > 30) || needed.N <= 100 || needed.Ell != 1 {
				t.Errorf("%s: n = %d, m = %d, ℓ = %d", key, needed.N, needed.M, needed.Ell)
			}
			for _, size := range []string{"n", "m"} {
				less := needed
				if less.Set(size, less.Get(size)-1); size == "m" && needed.M == 30 {
					continue
				}
				if must(theorem.Bound(less)).Applies() {
					t.Errorf("%s: %s = %d would do: n = %d, m = %d", key, size, less.Get(size), needed.N, needed.M)
				}
			}
			if again, ok := Needs(theorem, needed); !ok || again.N != needed.N || again.M != needed.M {
				t.Errorf("%s: needs n = %d, m = %d of n = %d, m = %d", key, again.N, again.M, needed.N, needed.M)
			}
		}
	}
	// m, where it is enough already, stays.
	enough, ok := Needs(Registry["nyk-4.1-iii"], Setting{Population: finite(1, 0.5), Sizes: sizes.Sizes{N: 100, M: 1e6, Ell: 1}, Delta: 0.05})
	if !ok || enough.M != 1e6 {
		t.Errorf("m = %d, %v", enough.M, ok)
	}
}

// A minimum among local ones, and at either end.
func TestMinimum(t *testing.T) {
	for _, c := range []struct {
		f     func(t float64) float64
		where float64
	}{
		{func(t float64) float64 { return math.Pow(math.Log(t/0.02), 2) }, 0.02},
		{func(t float64) float64 { return -t }, 1},
		{func(t float64) float64 { return t }, 1e-6},
		{func(t float64) float64 { x := math.Log(t); return math.Cos(3*x) + 0.01*x*x }, math.Exp(-math.Pi / 3)},
	} {
		value, err := minimum(func(t float64) (float64, error) { return c.f(t), nil }, 1e-6, 1)
		// The square in the last moves its minimum by 0.02·x/9, to 1e-4 less.
		if want := c.f(c.where); err != nil || !(value <= want+1e-15 && value >= want-1e-4) {
			t.Errorf("%g, and %g at %g; error %v", value, want, c.where, err)
		}
	}
}
