package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/vector"
)

// TestSingleExpansion holds values to the bounds that SingleExpansion documents, about
// those in double, for points that are landmarks, near them and far, more rows than a
// block, and coefficients that fill a matrix and a triangle; and some differ. 2^−22 is for
// values and coefficients rounded.
func TestSingleExpansion(t *testing.T) {
	const n, p = 300, 110
	for _, test := range []struct {
		kernel Kernel
		d      int
		share  float64 // of a kernel value, its error
	}{
		{NewGaussian(0.05), 20, 0.05 * vector.SingleError(20)}, {NewGaussian(0.4), 3, 0}, {Matern{Half: 3, Sigma: 2}, 20, 0},
	} {
		rng := rand.New(rand.NewPCG(3, 5))
		x, y, coef := mat.NewDense(n, test.d, nil), mat.NewDense(p, test.d, nil), mat.NewDense(p, p, nil)
		normal := func(i, j int, v float64) float64 { return 2 + rng.NormFloat64() }
		x.Apply(normal, x)
		y.Apply(normal, y)
		for i := range 40 {
			y.SetRow(i, x.RawRowView(i))
			y.Set(i, 0, y.At(i, 0)+1e-4*float64(i))
		}
		for _, triangle := range []bool{false, true} {
			coef.Apply(func(i, j int, _ float64) float64 {
				if triangle && i > j {
					return 0
				}
				return rng.NormFloat64()
			}, coef)
			counted, counter := Count(test.kernel)
			got := NewSingleExpansion(Expansion{counted, y, coef}).Eval(x)
			if counter.Values() != n*p {
				t.Errorf("%v: %d kernel values counted", test.kernel, counter.Values())
			}
			want, values, worst := Expansion{test.kernel, y, coef}.Eval(x), Cross(test.kernel, x, y), 0.0
			errors := mat.NewDense(n, p, nil) // of kernel values, and of their products with 1
			errors.Apply(func(i, l int, v float64) float64 {
				// Norms about the mean are at most these, twice.
				size := 4 * (mat.Dot(x.RowView(i), x.RowView(i)) + mat.Dot(y.RowView(l), y.RowView(l)))
				return v * (test.share*size + vector.SingleError(p) + 0x1p-22)
			}, values)
			for i := range n {
				for j := range p {
					bound := 0.0
					for l := range p {
						bound += math.Abs(coef.At(l, j)) * errors.At(i, l)
					}
					off := math.Abs(got.At(i, j) - want.At(i, j))
					if worst = max(worst, off); !(off <= bound) {
						t.Fatalf("%v, triangle %v: value (%d, %d) is off by %v of at most %v", test.kernel, triangle, i, j, off, bound)
					}
				}
			}
			if worst == 0 {
				t.Errorf("%v: nothing is in single precision", test.kernel)
			}
		}
	}
}
