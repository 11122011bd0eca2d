package openblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
)

var lapackReference lapackgonum.Implementation

// orders lie around the thresholds and beyond a block of LAPACK's.
var orders = []int{0, 1, 47, 48, 49, 130}

func TestDpotrf(t *testing.T) {
	impl := library(t).LAPACK()
	rng := newRand(11)
	for _, n := range orders {
		for _, uplo := range uplos {
			a := newBlock(rng, n, n).positive(rng, n).dominant().poison(uplo)
			want := a.clone()
			ok := impl.Dpotrf(uplo, n, a.data(), a.stride)
			wantOK := lapackReference.Dpotrf(uplo, n, want.data(), want.stride)
			if ok != wantOK {
				t.Errorf("%c %d: %t, want %t", uplo, n, ok, wantOK)
			}
			// The least eigenvalue exceeds 2n and the largest is below 10n, so
			// that the factor's error is a small multiple of n·2⁻⁵²·√(10n).
			same(t, fmt.Sprintf("%c %d", uplo, n), a.all, want.all, 0x1p-52*math.Pow(float64(10*n), 1.5))
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

// TestDpstrf compares the rank, and the product of the factor with itself to
// the permuted matrix: pivots may differ where diagonals tie to rounding.
func TestDpstrf(t *testing.T) {
	impl := library(t).LAPACK()
	rng := newRand(12)
	for _, n := range orders {
		for _, rank := range []int{1, 40, n} {
			if rank > n {
				continue
			}
			for _, uplo := range uplos {
				full := newBlock(rng, n, n).positive(rng, rank)
				a := full.clone().poison(uplo)
				piv, work := make([]int, n), make([]float64, 2*n)
				got, ok := impl.Dpstrf(uplo, n, a.data(), a.stride, piv, -1, work)
				if got != rank || ok != (rank == n) {
					t.Errorf("%c %d: rank %d, %t, want %d, %t", uplo, n, got, ok, rank, rank == n)
					continue
				}
				what := fmt.Sprintf("%c %d rank %d", uplo, n, rank)
				at := func(i, k int) float64 { // row i of the lower factor
					if uplo == blas.Upper {
						i, k = k, i
					}
					return a.at(i, k)
				}
				for i := range n {
					for j := range i + 1 {
						s := 0.0
						for k := range min(j+1, rank) {
							s += at(i, k) * at(j, k)
						}
						want := full.at(piv[i], piv[j])
						if !(math.Abs(s-want) <= 1e-12*float64(n)) { // ‖A‖ is at most 5n here
							t.Fatalf("%s: element %d,%d of the product is %g, want %g", what, i, j, s, want)
						}
					}
				}
			}
		}
	}
}

// TestQR compares R, the reflections and Q. All are unique given LAPACK's
// signs, and well conditioned for normal matrices that are not square, for
// square ones up to the last column.
func TestQR(t *testing.T) {
	impl := library(t).LAPACK()
	rng := newRand(13)
	for _, s := range [][2]int{{0, 3}, {5, 4}, {128, 127}, {200, 128}, {128, 200}, {400, 150}} {
		m, n := s[0], s[1]
		k := min(m, n)
		a := newBlock(rng, m, n)
		want := a.clone()
		tau, wantTau, work := make([]float64, k), make([]float64, k), make([]float64, max(1, 64*n))
		impl.Dgeqrf(m, n, a.data(), a.stride, tau, work, len(work))
		lapackReference.Dgeqrf(m, n, want.data(), want.stride, wantTau, work, len(work))
		what := fmt.Sprintf("Dgeqrf %d×%d", m, n)
		same(t, what, a.all, want.all, 1e-10)
		same(t, what+" tau", tau, wantTau, 1e-10)
		for _, reflections := range []int{0, k / 2, k} {
			if n > m {
				continue
			}
			q := a.clone()
			wantQ := a.clone()
			impl.Dorgqr(m, n, reflections, q.data(), q.stride, tau[:reflections], work, len(work))
			lapackReference.Dorgqr(m, n, reflections, wantQ.data(), wantQ.stride, tau[:reflections], work, len(work))
			same(t, fmt.Sprintf("Dorgqr %d×%d, %d", m, n, reflections), q.all, wantQ.all, 1e-12)
		}
	}
}

// TestWorkspace: queries answer, and the answer and the least workspace serve.
func TestWorkspace(t *testing.T) {
	impl := library(t).LAPACK()
	const n = 130
	rng := newRand(14)
	for _, length := range []int{0, n} {
		a := newBlock(rng, n, n)
		tau, work := make([]float64, n), make([]float64, max(1, length))
		if length == 0 {
			impl.Dgeqrf(n, n, a.data(), a.stride, tau, work, -1)
			if work[0] < n {
				t.Fatalf("the query says %g", work[0])
			}
			work = make([]float64, int(work[0]))
		}
		impl.Dgeqrf(n, n, a.data(), a.stride, tau, work, len(work))
		impl.Dorgqr(n, n, n, a.data(), a.stride, tau, work, len(work))
		orthonormalRows(t, fmt.Sprintf("Q with a workspace of %d", len(work)), a)
	}
}

// orthonormalRows fails unless the rows of b are orthonormal to 1e-12, some
// fifty times the rounding error of the products here.
func orthonormalRows(t *testing.T, what string, b block) {
	t.Helper()
	for i := range b.r {
		for j := range i + 1 {
			s := 0.0
			for k := range b.c {
				s += b.at(i, k) * b.at(j, k)
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
