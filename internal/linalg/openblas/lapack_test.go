package openblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/testlapack"

	"mercer/internal/linalg/blastest"
)

var lapackReference lapackgonum.Implementation

// orders lie around the thresholds and beyond a block of LAPACK's.
var orders = []int{0, 1, 47, 48, 49, 130}

func TestDpotrf(t *testing.T) {
	impl := library(t).LAPACK()
	rng := newRand(11)
	for _, n := range orders {
		for _, uplo := range blastest.Uplos {
			a := positive(rng, n, n).Dominant().Poison(uplo)
			want := a.Clone()
			ok := impl.Dpotrf(uplo, n, a.Data(), a.Stride)
			wantOK := lapackReference.Dpotrf(uplo, n, want.Data(), want.Stride)
			if ok != wantOK {
				t.Errorf("%c %d: %t, want %t", uplo, n, ok, wantOK)
			}
			// The least eigenvalue exceeds 2n and the largest is below 10n, so
			// that the factor's error is a small multiple of n·2⁻⁵²·√(10n).
			blastest.Same(t, fmt.Sprintf("%c %d", uplo, n), a.All, want.All, 0x1p-52*math.Pow(float64(10*n), 1.5))
		}
	}
}

func TestDpotrfFails(t *testing.T) {
	impl := library(t).LAPACK()
	const n = 60
	for _, bad := range []float64{-1, 0, math.NaN(), math.Inf(-1)} {
		a := make([]float64, n*n)
		for i := range n {
			a[i*n+i] = 1
		}
		a[50*n+50] = bad
		if impl.Dpotrf(blas.Lower, n, a, n) {
			t.Errorf("%g on the diagonal: ok", bad)
		}
	}
}

// TestGonumsLAPACK: gonum's own tests of Cholesky factors pass on the library.
func TestGonumsLAPACK(t *testing.T) { testlapack.DpotrfTest(t, library(t).LAPACK()) }

// orthonormalRows fails unless the rows of b are orthonormal to 1e-12, some
// fifty times the rounding error of the products here.
func orthonormalRows(t *testing.T, what string, b blastest.Matrix) {
	t.Helper()
	for i := range b.R {
		for j := range i + 1 {
			s := 0.0
			for k := range b.C {
				s += b.At(i, k) * b.At(j, k)
			}
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(s-want) <= 1e-12) {
				t.Errorf("%s: rows %d and %d have the product %g", what, i, j, s)
				return
			}
		}
	}
}
