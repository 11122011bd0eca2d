package compare

import (
	"math"
	"testing"
)

// A change is relative to the base, whatever its sign, and positive where the new
// side is the greater; the tests' scale is the same whichever side is the base.
func TestChange(t *testing.T) {
	of := func(x ...float64) map[int]float64 {
		m := map[int]float64{}
		for i, v := range x {
			m[i] = v
		}
		return m
	}
	for _, test := range []struct {
		name      string
		base, new []float64
		want      float64
	}{
		{"positive: of geometric means", []float64{1, 4}, []float64{2, 8}, 1},
		{"halved", []float64{2, 2}, []float64{1, 1}, -0.5},
		{"twice as negative", []float64{-1, -1}, []float64{-2, -2}, -1},
		{"half as negative", []float64{-2, -2}, []float64{-1, -1}, 0.5},
		{"over 0 upwards", []float64{-1, -1}, []float64{1, 1}, 2},
		{"with a value of 0", []float64{0, 2}, []float64{0, 4}, 1},
		{"with a value of 0, less", []float64{0, 4}, []float64{0, 2}, -0.5},
		{"from 0", []float64{0, 0}, []float64{0, 3}, 1},
		{"to 0", []float64{0, 3}, []float64{0, 0}, -1},
		{"all 0", []float64{0, 0}, []float64{0, 0}, 0},
		{"a base of mixed signs", []float64{-1, 3}, []float64{-1, 5}, 1},
	} {
		for _, paired := range []bool{true, false} {
			s := pooled([]values{{base: of(test.base...), new: of(test.new...)}}, paired)
			if got := s.change(); math.Abs(got-test.want) > 1e-12 {
				t.Errorf("%s: %g; want %g", test.name, got, test.want)
			}
		}
	}
	two := []values{{base: of(-1), new: of(-1.1)}, {base: of(100), new: of(130)}}
	if got := pooled(two, true).change(); math.Abs(got-(-0.1+0.3)/2) > 1e-12 {
		t.Errorf("of two cells: %g; want the mean of -0.1 and 0.3", got)
	}
	pairs := []values{{base: map[int]float64{0: -1, 1: -100}, new: map[int]float64{0: -2, 2: 7}}}
	if got := pooled(pairs, true).change(); got != -1 {
		t.Errorf("of one pair among other repeats: %g; want -1", got)
	}
	a, b := pooled([]values{{base: of(-1, 0), new: of(5, 6)}}, true), pooled([]values{{base: of(5, 6), new: of(-1, 0)}}, true)
	for i := range a.base {
		if a.base[i] != b.new[i] || a.new[i] != b.base[i] {
			t.Errorf("swapped sides give %v and %v", a, b)
		}
	}
}
