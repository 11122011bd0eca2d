// Package blastest has what the tests of several BLAS implementations share: matrices with
// marks around them, and a comparison of products with gonum's.
package blastest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// Matrix is an R×C matrix inside a larger array: some elements before it, Stride > C, and a
// tail behind it. Every element outside is set to [Mark], which must survive.
type Matrix struct {
	All          []float64
	R, C, Stride int
	offset       int
}

// Mark is what stands around a [Matrix].
const Mark = 1e300

// New is a matrix of normal numbers.
func New(rng *rand.Rand, r, c int) Matrix {
	m := Matrix{R: r, C: c, Stride: max(1, c) + rng.IntN(4), offset: rng.IntN(5)}
	m.All = slices.Repeat([]float64{Mark}, m.offset+max(1, r)*m.Stride+3)
	for i := range r {
		for j := range c {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

// Data begins at the first element and ends with the last one.
func (m Matrix) Data() []float64 {
	if m.R == 0 {
		return nil
	}
	return m.All[m.offset : m.offset+(m.R-1)*m.Stride+m.C]
}

// At is an element.
func (m Matrix) At(i, j int) float64 { return m.All[m.offset+i*m.Stride+j] }

// Set sets an element.
func (m Matrix) Set(i, j int, v float64) { m.All[m.offset+i*m.Stride+j] = v }

// Clone is a copy, with its surroundings.
func (m Matrix) Clone() Matrix {
	m.All = slices.Clone(m.All)
	return m
}

// Dominant makes the diagonal of a square matrix outweigh its rows, so that it is well
// conditioned, as a triangle too.
func (m Matrix) Dominant() Matrix {
	for i := range m.R {
		m.Set(i, i, m.At(i, i)+float64(2*m.R))
	}
	return m
}

// Poison puts NaN where a routine must not read: the triangle opposite to uplo.
func (m Matrix) Poison(uplo blas.Uplo) Matrix {
	for i := range m.R {
		for j := range m.C {
			if i != j && (j > i) != (uplo == blas.Upper) {
				m.Set(i, j, math.NaN())
			}
		}
	}
	return m
}

// Same fails unless arrays agree to a tolerance, marks and NaN included.
func Same(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i, w := range want {
		g := got[i]
		if math.IsNaN(w) != math.IsNaN(g) || math.Abs(g-w) > tolerance || (w == Mark) != (g == Mark) {
			t.Errorf("%s: element %d of %d is %.17g, want %.17g ± %.2g", what, i, len(want), g, w, tolerance)
			return
		}
	}
}
