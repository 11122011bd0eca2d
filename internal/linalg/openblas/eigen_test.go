package openblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// symmetric is a full symmetric n×n block of normal numbers.
func symmetric(n int, seed uint64) padded {
	b := newPadded(newRand(seed), n, n)
	for i := range n {
		for j := range i {
			b.Set(i, j, b.At(j, i))
		}
	}
	return b
}

// eigenpairs fails unless rows k of v solve a·v = λ·v and the values ascend.
// 1e-11 is some hundred times n·2⁻⁵²·‖A‖ for the orders here.
func eigenpairs(t *testing.T, what string, a padded, values []float64, v padded) {
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

// turned is the transpose of a square padded, with the same padding.
func turned(b padded) padded {
	c := b.Clone()
	for i := range b.R {
		for j := range b.C {
			c.Set(j, i, b.At(i, j))
		}
	}
	return c
}

func TestDsyev(t *testing.T) {
	impl := library(t).LAPACK()
	for _, n := range orders {
		for _, uplo := range uplos {
			for _, job := range []lapack.EVJob{lapack.EVNone, lapack.EVCompute} {
				full := symmetric(n, 21)
				a, b := full.Clone().Poison(uplo), full.Clone().Poison(uplo)
				w, want := make([]float64, n), make([]float64, n)
				work := make([]float64, max(1, 3*n-1))
				if !impl.Dsyev(job, uplo, n, a.Data(), a.Stride, w, work, len(work)) {
					t.Errorf("%c %c %d: not converged", job, uplo, n)
				}
				lapackReference.Dsyev(lapack.EVNone, uplo, n, b.Data(), b.Stride, want, work, len(work))
				what := fmt.Sprintf("%c %c %d", job, uplo, n)
				same(t, what, w, want, 1e-11)
				if job == lapack.EVCompute {
					eigenpairs(t, what, full, w, turned(a))
				}
				for i, v := range full.All { // the padding
					if v == mark && a.All[i] != mark {
						t.Fatalf("%s: wrote outside the matrix at %d", what, i)
					}
				}
			}
		}
	}
}

// TestClusters: eigenvectors of equal eigenvalues are orthonormal, too.
func TestClusters(t *testing.T) {
	impl := library(t).LAPACK()
	const n, rank = 120, 15
	identity := newPadded(newRand(24), n, n)
	for i := range n {
		for j := range n {
			identity.Set(i, j, 0)
		}
		identity.Set(i, i, 1)
	}
	for what, full := range map[string]padded{"low rank": positive(newRand(25), n, rank), "identity": identity} {
		a, values, work := full.Clone(), make([]float64, n), make([]float64, 3*n)
		if !impl.Dsyev(lapack.EVCompute, blas.Upper, n, a.Data(), a.Stride, values, work, len(work)) {
			t.Fatalf("%s: not converged", what)
		}
		eigenpairs(t, what, full, values, turned(a))
	}
}
