package openblas

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

const (
	// leastOrder is the least order of a symmetric matrix, and the least
	// min(m, n) of a singular value decomposition, that the library gets.
	leastOrder = 48
	// leastReflections is the least number of reflections in QR that it gets:
	// up to there gonum's blocks on the library's products are as fast.
	leastReflections = 128
)

// LAPACK is gonum's implementation with the factorizations below done by a
// Library, each where the library has it. Register it by lapack64.Use.
//
// Shapes, strides, workspaces, panics and results that report failure are
// gonum's. A matrix with NaN or Inf goes to gonum, since some libraries do not
// end on one. The routines that gonum's own LAPACK builds upon stay gonum's,
// on the BLAS in use.
type LAPACK struct {
	gonum.Implementation
	library *Library
}

var _ lapack.Float64 = LAPACK{}

// LAPACK is the implementation for lapack64.Use.
func (l *Library) LAPACK() LAPACK { return LAPACK{library: l} }

// String names the library, its version and its core type.
func (p LAPACK) String() string { return p.library.String() }

func (l *Library) has(r routine) bool { return l.address[r] != 0 }

// square says whether a is a sound n×n matrix that is worth a call.
func square(uplo blas.Uplo, n int, a []float64, lda int) bool {
	return isUplo(uplo) && n >= leastOrder && fits(n) && matrix(a, n, n, lda)
}

// Dpotrf factors the n×n positive definite A = Uᵀ·U or L·Lᵀ in its triangle
// uplo. It returns false if A is not positive definite. Cost: n³/3 flops.
func (p LAPACK) Dpotrf(uplo blas.Uplo, n int, a []float64, lda int) (ok bool) {
	l := p.library
	if !l.has(dpotrf) || !square(uplo, n, a, lda) || !finiteTriangle(uplo, n, a, lda) {
		return p.Implementation.Dpotrf(uplo, n, a, lda)
	}
	return l.info(dpotrf, l.frame().letter(flipUplo(uplo)).integer(n).slice(a).integer(lda)) == 0
}

// Dpstrf factors the n×n positive semidefinite Pᵀ·A·P = Uᵀ·U or L·Lᵀ with
// complete pivoting, in its triangle uplo. It returns the rank found and
// whether it is n. Columns of the factor from rank on hold no result. Cost:
// n²·rank flops.
func (p LAPACK) Dpstrf(uplo blas.Uplo, n int, a []float64, lda int, piv []int, tol float64, work []float64) (rank int, ok bool) {
	l := p.library
	if !l.has(dpstrf) || !square(uplo, n, a, lda) || len(piv) != n || len(work) < 2*n || !finiteTriangle(uplo, n, a, lda) {
		return p.Implementation.Dpstrf(uplo, n, a, lda, piv, tol, work)
	}
	pivots := make([]int64, n)
	fr := l.frame().letter(flipUplo(uplo)).integer(n).slice(a).integer(lda).indices(pivots)
	found := fr.result(0)
	fr.float(tol).slice(work)
	info := fr.result(0)
	l.invoke(dpstrf, fr)
	rank, ok = int(int32(*found)), int32(*info) == 0
	l.release(fr)
	for i := range piv {
		piv[i] = l.integer(pivots, i) - 1
	}
	return rank, ok
}

// Dgeqrf factors the m×n matrix A = Q·R: R in the upper triangle, Q as
// reflections below it and in tau. Cost: 2n²(m - n/3) flops for m ≥ n. In
// column-major terms it is the LQ factorization of Aᵀ.
func (p LAPACK) Dgeqrf(m, n int, a []float64, lda int, tau, work []float64, lwork int) {
	l := p.library
	if !l.has(dgelqf) || min(m, n) < leastReflections || !fits(m, n) || !matrix(a, m, n, lda) ||
		len(tau) != min(m, n) || lwork < n || len(work) < lwork || !finite(m, n, a, lda) {
		p.Implementation.Dgeqrf(m, n, a, lda, tau, work, lwork)
		return
	}
	l.withWork(dgelqf, func(work []float64, lwork int) *frame {
		return l.frame().integer(n).integer(m).slice(a).integer(lda).slice(tau).slice(work).integer(lwork)
	})
	work[0] = float64(lwork)
}

// Dorgqr overwrites A (m×n, n ≤ m) with the first n columns of the product of
// the k reflections that Dgeqrf left in A and tau. Cost: 4mnk flops at most.
func (p LAPACK) Dorgqr(m, n, k int, a []float64, lda int, tau, work []float64, lwork int) {
	l := p.library
	if !l.has(dorglq) || n > m || k < leastReflections || k > n || !fits(m, n) || !matrix(a, m, n, lda) ||
		len(tau) != k || lwork < n || len(work) < lwork {
		p.Implementation.Dorgqr(m, n, k, a, lda, tau, work, lwork)
		return
	}
	l.withWork(dorglq, func(work []float64, lwork int) *frame {
		return l.frame().integer(n).integer(m).integer(k).slice(a).integer(lda).slice(tau).slice(work).integer(lwork)
	})
	work[0] = float64(lwork)
}

// withWork calls r twice, first for the length of the workspace, then with
// one, and returns INFO. arguments makes the frame up to INFO.
func (l *Library) withWork(r routine, arguments func(work []float64, lwork int) *frame) int {
	length := make([]float64, 1)
	if info := l.info(r, arguments(length, -1)); info != 0 {
		return info
	}
	// Half a unit more than it says guards against a length rounded down.
	work := make([]float64, max(1, int(math.Ceil(length[0]*(1+0x1p-52)))))
	return l.info(r, arguments(work, len(work)))
}

// finite says whether the m×n matrix a has no NaN and no Inf.
func finite(m, n int, a []float64, lda int) bool {
	for i := range m {
		if !finiteRow(a[i*lda : i*lda+n]) {
			return false
		}
	}
	return true
}

func finiteTriangle(uplo blas.Uplo, n int, a []float64, lda int) bool {
	for i := range n {
		row := a[i*lda : i*lda+n]
		if uplo == blas.Upper {
			row = row[i:]
		} else {
			row = row[:i+1]
		}
		if !finiteRow(row) {
			return false
		}
	}
	return true
}

// finiteRow sums x·0, which is 0 for finite x and NaN for any other.
func finiteRow(x []float64) bool {
	var s0, s1 float64
	for len(x) >= 2 {
		s0 += x[0] * 0
		s1 += x[1] * 0
		x = x[2:]
	}
	for _, v := range x {
		s0 += v * 0
	}
	return s0+s1 == 0
}
