package methods_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// TestNormalSums: the sums of c normal numbers have variance c and are independent,
// drawn one by one or, of many points, at once: 12 numbers of 5 standard errors.
func TestNormalSums(t *testing.T) {
	const m = 20_000
	for _, times := range [][]float64{{3, 1, 40}, {1e9, 2, 5000}} {
		z := methods.NormalSums(times, m, newRand(3))
		for i, c := range times {
			for j := range i + 1 {
				product := mat.Dot(z.RowView(i), z.RowView(j)) / math.Sqrt(c*times[j])
				want, variance := 0.0, 1.0
				if i == j {
					want, variance = m, 2
				}
				if off := (product - want) / math.Sqrt(variance*m); math.Abs(off) > 5 {
					t.Errorf("counts %v: rows %d and %d are off by %.1f standard errors", times, i, j, off)
				}
			}
		}
		few := methods.NormalSums(times, 3, newRand(3))
		if !mat.Equal(few, z.Slice(0, 3, 0, 3)) {
			t.Errorf("counts %v: the first columns depend on how many follow", times)
		}
	}
}
