package openblas

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// symmetric is a full symmetric n×n block of normal numbers.
func symmetric(n int, seed uint64) block {
	b := newBlock(newRand(seed), n, n)
	for i := range n {
		for j := range i {
			b.set(i, j, b.at(j, i))
		}
	}
	return b
}

// eigenpairs fails unless rows k of v solve a·v = λ·v and the values ascend.
// 1e-11 is some hundred times n·2⁻⁵²·‖A‖ for the orders here.
func eigenpairs(t *testing.T, what string, a block, values []float64, v block) {
	t.Helper()
	for k, lambda := range values {
		if k > 0 && !(lambda >= values[k-1]) {
			t.Errorf("%s: value %d is %g after %g", what, k, lambda, values[k-1])
		}
		for i := range a.r {
			s := -lambda * v.at(k, i)
			for j := range a.c {
				s += a.at(i, j) * v.at(k, j)
			}
			if !(math.Abs(s) <= 1e-11) {
				t.Errorf("%s: pair %d leaves a residual of %.2g", what, k, s)
				return
			}
		}
	}
	orthonormalRows(t, what, v)
}

// turned is the transpose of a square block, with the same padding.
func (b block) turned() block {
	c := b.clone()
	for i := range b.r {
		for j := range b.c {
			c.set(j, i, b.at(i, j))
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
				a, b := full.clone().poison(uplo), full.clone().poison(uplo)
				w, want := make([]float64, n), make([]float64, n)
				work := make([]float64, max(1, 3*n-1))
				if !impl.Dsyev(job, uplo, n, a.data(), a.stride, w, work, len(work)) {
					t.Errorf("%c %c %d: not converged", job, uplo, n)
				}
				lapackReference.Dsyev(lapack.EVNone, uplo, n, b.data(), b.stride, want, work, len(work))
				what := fmt.Sprintf("%c %c %d", job, uplo, n)
				same(t, what, w, want, 1e-11)
				if job == lapack.EVCompute {
					eigenpairs(t, what, full, w, a.turned())
				}
				for i, v := range full.all { // the padding
					if v == mark && a.all[i] != mark {
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
		a := full.clone().poison(blas.Upper)
		values, err := l.SymEigen(a.data(), n, a.stride)
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
			a, b := full.clone().poison(blas.Upper), full.clone()
			all, err := l.SymEigen(b.data(), n, b.stride)
			if err != nil {
				t.Fatal(err)
			}
			values, vectors, err := l.SymEigenTop(a.data(), n, a.stride, k)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("top %d of %d", k, n)
			same(t, what, values, all[n-k:], 1e-11)
			eigenpairs(t, what, full, values, block{all: vectors, r: k, c: n, stride: n})
		}
	}
}

// TestClusters: eigenvectors of equal eigenvalues are orthonormal, too.
func TestClusters(t *testing.T) {
	l := library(t)
	const n, rank = 120, 15
	for _, what := range []string{"low rank", "identity"} {
		full := newBlock(newRand(24), n, n)
		if what == "identity" {
			for i := range n {
				for j := range n {
					full.set(i, j, 0)
				}
				full.set(i, i, 1)
			}
		} else {
			full.positive(newRand(25), rank)
		}
		a, b := full.clone(), full.clone()
		values, err := l.SymEigen(a.data(), n, a.stride)
		if err != nil {
			t.Fatal(err)
		}
		eigenpairs(t, what, full, values, a)
		if !l.has(dsyevr) {
			continue
		}
		values, vectors, err := l.SymEigenTop(b.data(), n, b.stride, 40)
		if err != nil {
			t.Fatal(err)
		}
		eigenpairs(t, what+", top", full, values, block{all: vectors, r: 40, c: n, stride: n})
	}
}

func TestEigenErrors(t *testing.T) {
	l := library(t)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		a := symmetric(60, 26)
		a.set(3, 50, bad)
		if _, err := l.SymEigen(a.data(), 60, a.stride); !errors.Is(err, ErrNotFinite) {
			t.Errorf("SymEigen with %g: %v", bad, err)
		}
		if _, _, err := l.SymEigenTop(a.data(), 60, a.stride, 3); !errors.Is(err, ErrNotFinite) {
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
		if panicOf(f) == "" {
			t.Errorf("%s: no panic", what)
		}
	}
}
