package openblas

import (
	"errors"
	"fmt"
	"math"
	"mercer/internal/linalg/blastest"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
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

// turned is the transpose of a square blastest.Matrix, with the same padding.
func turned(b blastest.Matrix) blastest.Matrix {
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
				blastest.Same(t, what, w, want, 1e-11)
				if job == lapack.EVCompute {
					eigenpairs(t, what, full, w, turned(a))
				}
				for i, v := range full.All { // the padding
					if v == blastest.Mark && a.All[i] != blastest.Mark {
						t.Fatalf("%s: wrote outside the matrix at %d", what, i)
					}
				}
			}
		}
	}
}

func TestSymEigen(t *testing.T) {
	l := library(t)
	for _, n := range []int{0, 1, 2, 60, 150} {
		full := symmetric(n, 22)
		a := full.Clone().Poison(blas.Upper)
		values, err := l.SymEigen(a.Data(), n, a.Stride)
		if err != nil || len(values) != n {
			t.Fatalf("%d: %d values, %v", n, len(values), err)
		}
		eigenpairs(t, fmt.Sprintf("order %d", n), full, values, a)
	}
}

func TestSymEigenTop(t *testing.T) {
	l := library(t)
	if !l.has(dsyevr) {
		t.Skip("the library has no dsyevr")
	}
	for _, n := range []int{1, 2, 60, 150} {
		for _, k := range []int{1, 10, n} {
			if k > n {
				continue
			}
			full := symmetric(n, 23)
			a, b := full.Clone().Poison(blas.Upper), full.Clone()
			all, err := l.SymEigen(b.Data(), n, b.Stride)
			if err != nil {
				t.Fatal(err)
			}
			values, vectors, err := l.SymEigenTop(a.Data(), n, a.Stride, k)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("top %d of %d", k, n)
			blastest.Same(t, what, values, all[n-k:], 1e-11)
			eigenpairs(t, what, full, values, blastest.Matrix{All: vectors, R: k, C: n, Stride: n})
		}
	}
}

// TestClusters: eigenvectors of equal eigenvalues are orthonormal, too.
func TestClusters(t *testing.T) {
	l := library(t)
	const n, rank = 120, 15
	for _, what := range []string{"low rank", "identity"} {
		full := blastest.New(newRand(24), n, n)
		if what == "identity" {
			for i := range n {
				for j := range n {
					full.Set(i, j, 0)
				}
				full.Set(i, i, 1)
			}
		} else {
			full = positive(newRand(25), n, rank)
		}
		a, b := full.Clone(), full.Clone()
		values, err := l.SymEigen(a.Data(), n, a.Stride)
		if err != nil {
			t.Fatal(err)
		}
		eigenpairs(t, what, full, values, a)
		if !l.has(dsyevr) {
			continue
		}
		values, vectors, err := l.SymEigenTop(b.Data(), n, b.Stride, 40)
		if err != nil {
			t.Fatal(err)
		}
		eigenpairs(t, what+", top", full, values, blastest.Matrix{All: vectors, R: 40, C: n, Stride: n})
	}
}

func TestEigenErrors(t *testing.T) {
	l := library(t)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		a := symmetric(60, 26)
		a.Set(3, 50, bad)
		if _, err := l.SymEigen(a.Data(), 60, a.Stride); !errors.Is(err, ErrNotFinite) {
			t.Errorf("SymEigen with %g: %v", bad, err)
		}
		if _, _, err := l.SymEigenTop(a.Data(), 60, a.Stride, 3); !errors.Is(err, ErrNotFinite) {
			t.Errorf("SymEigenTop with %g: %v", bad, err)
		}
	}
	a := make([]float64, 4)
	for what, f := range map[string]func(){
		"negative order": func() { _, _ = l.SymEigen(a, -1, 1) },
		"short matrix":   func() { _, _ = l.SymEigen(a, 3, 3) },
		"small stride":   func() { _, _ = l.SymEigen(a, 2, 1) },
		"k = 0":          func() { _, _, _ = l.SymEigenTop(a, 2, 2, 0) },
		"k > n":          func() { _, _, _ = l.SymEigenTop(a, 2, 2, 3) },
	} {
		if blastest.PanicOf(f) == "" {
			t.Errorf("%s: no panic", what)
		}
	}
}
