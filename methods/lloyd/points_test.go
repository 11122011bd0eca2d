package lloyd

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestStatistics holds norms, variance and column magnitudes against their
// definitions, for numbers of rows that blocks of four do not divide, on data
// whose every fourth row, which the shift is made of, lies apart.
func TestStatistics(t *testing.T) {
	for _, s := range []struct{ n, d int }{{1, 1}, {2, 3}, {7, 2}, {1023, 5}, {1024, 1}, {2050, 40}} {
		x, _ := mixture(s.n, s.d, 2, 1, 4)
		for i := 0; i < s.n; i += 4 {
			for c := range s.d {
				x.Set(i, c, x.At(i, c)-7)
			}
		}
		p := looked(t, x)
		variance := 0.0
		for c := range s.d {
			column := mat.Col(nil, c, x)
			mean, square, largest := 0.0, 0.0, 0.0
			for _, v := range column {
				mean += v / float64(s.n)
				largest = max(largest, math.Abs(v))
			}
			for _, v := range column {
				square += (v - mean) * (v - mean)
			}
			variance += square / float64(s.n*s.d)
			if want := newGrid([]float64{largest}, s.n); p.grid.hi[c] != want.hi[0] || p.grid.lo[c] != want.lo[0] {
				t.Errorf("n=%d: grid of column %d is not that of its largest magnitude %v", s.n, c, largest)
			}
		}
		// Sums of at most 2050 squares below 200: far less than 1e-10 of rounding.
		if math.Abs(p.meanVariance-variance) > 1e-10 {
			t.Errorf("n=%d, d=%d: mean variance %v, want %v", s.n, s.d, p.meanVariance, variance)
		}
		for i := range s.n {
			if want := SquaredDistance(p.row(i, nil), p.shift); math.Abs(p.norm2[i]-want) > 1e-12*(1+want) {
				t.Fatalf("n=%d: norm of row %d is %v, want %v", s.n, i, p.norm2[i], want)
			}
		}
	}
}
