package openblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Work below these sizes stays in Go, where it is done before a call would
// have begun to pay; BenchmarkThreshold measures them. They depend on shapes
// alone, so that the same problem always takes the same way.
const (
	// leastProduct is the least m·n·k of a product.
	leastProduct = 10 * 10 * 10
	// leastMatrix is the least m·n of a matrix-vector call.
	leastMatrix = 80 * 80
	// leastSymmetric is the least n² of a symmetric one, where gonum is slow.
	leastSymmetric = 32 * 32
)

// BLAS is gonum's implementation with products of matrices, and those of large
// matrices and vectors, done by a Library. Register it by blas64.Use.
//
// Shapes, strides and panics are gonum's: what gonum would refuse, it is given
// to refuse. Two things differ. A zero times NaN or Inf is NaN here, where
// gonum sometimes skips zeros. And rounding: a call that is large enough for
// the library sums in another order.
type BLAS struct {
	gonum.Implementation
	library *Library
}

var _ blas.Float64 = BLAS{}

// BLAS is the implementation for blas64.Use.
func (l *Library) BLAS() BLAS { return BLAS{library: l} }

// String names the library, its version and its core type.
func (b BLAS) String() string { return b.library.String() }

// Dgemm computes C = alpha·op(A)·op(B) + beta·C, op(A) m×k, op(B) k×n, C m×n.
// Cost: 2mnk flops. In column-major terms it is Cᵀ = alpha·op(B)ᵀ·op(A)ᵀ + beta·Cᵀ.
func (b BLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldb int, beta float64, c []float64, ldc int) {
	ar, ac := dims(tA, m, k)
	br, bc := dims(tB, k, n)
	if alpha == 0 || !isTranspose(tA) || !isTranspose(tB) || !large(leastProduct, m, n, k) ||
		!matrix(a, ar, ac, lda) || !matrix(x, br, bc, ldb) || !matrix(c, m, n, ldc) {
		b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldb, beta, c, ldc)
		return
	}
	b.library.run(dgemm, ptr(&tB), ptr(&tA), ptr(&n), ptr(&m), ptr(&k),
		ptr(&alpha), ptr(&x[0]), ptr(&ldb), ptr(&a[0]), ptr(&lda), ptr(&beta), ptr(&c[0]), ptr(&ldc))
}

// Dsyrk computes the triangle uplo of C = alpha·A·Aᵀ + beta·C for A n×k (tA =
// blas.NoTrans), or of alpha·Aᵀ·A + beta·C for A k×n. Cost: n²k flops.
func (b BLAS) Dsyrk(uplo blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	ar, ac := dims(tA, n, k)
	if alpha == 0 || !isUplo(uplo) || !isTranspose(tA) || !large(leastProduct, n, n, k) ||
		!matrix(a, ar, ac, lda) || !matrix(c, n, n, ldc) {
		b.Implementation.Dsyrk(uplo, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	uplo, tA = flipUplo(uplo), flipTranspose(tA)
	b.library.run(dsyrk, ptr(&uplo), ptr(&tA), ptr(&n), ptr(&k),
		ptr(&alpha), ptr(&a[0]), ptr(&lda), ptr(&beta), ptr(&c[0]), ptr(&ldc))
}

// Dgemv computes y = alpha·op(A)·x + beta·y for A m×n. Cost: 2mn flops, bound
// by memory.
func (b BLAS) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	lenY, lenX := dims(tA, m, n)
	if alpha == 0 || !isTranspose(tA) || !large(leastMatrix, m, n) || !matrix(a, m, n, lda) ||
		!vector(x, lenX, incX) || !vector(y, lenY, incY) {
		b.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	clearIfUnused(beta, lenY, y, incY)
	tA = flipTranspose(tA)
	b.library.run(dgemv, ptr(&tA), ptr(&n), ptr(&m),
		ptr(&alpha), ptr(&a[0]), ptr(&lda), ptr(&x[0]), ptr(&incX), ptr(&beta), ptr(&y[0]), ptr(&incY))
}

// Dsymv computes y = alpha·A·x + beta·y for the n×n symmetric A, from its
// triangle uplo. Cost: 2n² flops, bound by memory.
func (b BLAS) Dsymv(uplo blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if alpha == 0 || !isUplo(uplo) || !large(leastSymmetric, n, n) || !matrix(a, n, n, lda) ||
		!vector(x, n, incX) || !vector(y, n, incY) {
		b.Implementation.Dsymv(uplo, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	clearIfUnused(beta, n, y, incY)
	uplo = flipUplo(uplo)
	b.library.run(dsymv, ptr(&uplo), ptr(&n),
		ptr(&alpha), ptr(&a[0]), ptr(&lda), ptr(&x[0]), ptr(&incX), ptr(&beta), ptr(&y[0]), ptr(&incY))
}

// Dger adds alpha·x·yᵀ to A (m×n). Cost: 2mn flops, bound by memory.
func (b BLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if alpha == 0 || !large(leastMatrix, m, n) || !matrix(a, m, n, lda) || !vector(x, m, incX) || !vector(y, n, incY) {
		b.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	b.library.run(dger, ptr(&n), ptr(&m),
		ptr(&alpha), ptr(&y[0]), ptr(&incY), ptr(&x[0]), ptr(&incX), ptr(&a[0]), ptr(&lda))
}

// clearIfUnused zeroes y if beta says that its values do not matter: libraries
// disagree on whether 0·NaN is then 0.
func clearIfUnused(beta float64, n int, y []float64, incY int) {
	if beta != 0 {
		return
	}
	for i := range n {
		y[i*incY] = 0
	}
}
