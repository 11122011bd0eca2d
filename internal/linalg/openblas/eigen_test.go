package openblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"

	"mercer/internal/linalg/blastest"
)

// symmetric is a full symmetric n×n block of normal numbers.
func symmetric(n int, seed uint64) blastest.Matrix {
	b := blastest.New(newRand(seed), n, n)
	for i := range n {
		for j := range i {
			b.Set(i, j, b.At(j, i))
		}
	}
	return b
}

// eigenpairs fails unless rows k of v solve a·v = λ·v and the values ascend.
// 1e-11 is some hundred times n·2⁻⁵²·‖A‖ for the orders here.
func eigenpairs(t *testing.T, what string, a blastest.Matrix, values []float64, v blastest.Matrix) {
	t.Helper()
	for k, lambda := range values {
		if k > 0 && !(lambda >= values[k-1]) {
			t.Errorf("%s: value %d is %g after %g", what, k, lambda, values[k-1])
		}
		for i := range a.R {
			s := -lambda * v.At(k, i)
			for j := range a.C {
				s += a.At(i, j) * v.At(k, j)
			}
			if !(math.Abs(s) <= 1e-11) {
				t.Errorf("%s: pair %d leaves a residual of %.2g", what, k, s)
				return
			}
		}
	}
	orthonormalRows(t, what, v)
}

func TestSymEigen(t *testing.T) {
	l := library(t)
	if l.HasSymEigen(leastOrder-1) || l.HasSymEigen(workLimit+1) {
		t.Error("there for orders that are not worth it, or too large")
	}
	for _, n := range []int{1, 2, 48, 60, 150} {
		full := symmetric(n, 22)
		a, values := full.Clone().Poison(blas.Upper), make([]float64, n)
		if !l.SymEigen(n, a.Data(), a.Stride, values) {
			t.Fatalf("%d: not converged", n)
		}
		eigenpairs(t, fmt.Sprintf("order %d", n), full, values, a)
		for i, v := range full.All { // the padding
			if v == blastest.Mark && a.All[i] != blastest.Mark {
				t.Fatalf("%d: wrote outside the matrix at %d", n, i)
			}
		}
	}
}

// TestClusters: eigenvectors of equal eigenvalues are orthonormal, too.
func TestClusters(t *testing.T) {
	l := library(t)
	const n, rank = 120, 15
	identity := blastest.New(newRand(24), n, n)
	for i := range n {
		for j := range n {
			identity.Set(i, j, 0)
		}
		identity.Set(i, i, 1)
	}
	for what, full := range map[string]blastest.Matrix{"low rank": positive(newRand(25), n, rank), "identity": identity} {
		a, values := full.Clone(), make([]float64, n)
		if !l.SymEigen(n, a.Data(), a.Stride, values) {
			t.Fatalf("%s: not converged", what)
		}
		eigenpairs(t, what, full, values, a)
	}
}
