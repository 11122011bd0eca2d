package openblas

import (
	"math"
	"mercer/internal/linalg/blastest"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// TestLevel3: every routine agrees with gonum's, and panics as it does.
func TestLevel3(t *testing.T) {
	impl := library(t).BLAS()
	blastest.Level3(t, impl, shapes, 40)
	blastest.Panics(t, impl)
}

// TestNotFinite: NaN and Inf in an operand reach the result.
func TestNotFinite(t *testing.T) {
	impl := library(t).BLAS()
	const n = 16
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i], b[i] = 1, 1
	}
	a[3*n+5], b[7*n+2] = math.NaN(), math.Inf(1)
	impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
	for j := range n {
		if !math.IsNaN(c[3*n+j]) {
			t.Errorf("row 3 of a NaN: element %d is %g", j, c[3*n+j])
		}
	}
	if !math.IsInf(c[2], 1) || c[0] != n {
		t.Errorf("column 2 of an Inf: %g; other elements: %g, want %d", c[2], c[0], n)
	}
}
