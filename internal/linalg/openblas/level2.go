package openblas

import "gonum.org/v1/gonum/blas"

// largeMatrix says whether a level-2 call of positive sizes is worth a call.
func largeMatrix(m, n int, least float64) bool {
	return m > 0 && n > 0 && fits(m, n) && float64(m)*float64(n) >= least
}

// Dgemv computes y = alpha·op(A)·x + beta·y for A m×n. Cost: 2mn flops, bound
// by memory.
func (b BLAS) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	lenX, lenY := n, m
	if tA != blas.NoTrans {
		lenX, lenY = m, n
	}
	if alpha == 0 || !isTranspose(tA) || !largeMatrix(m, n, leastMatrix) || !matrix(a, m, n, lda) ||
		!vector(x, lenX, incX) || !vector(y, lenY, incY) {
		b.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	clearIfUnused(beta, lenY, y, incY)
	l := b.library
	l.run(dgemv, l.frame().letter(flipTranspose(tA)).integer(n).integer(m).
		float(alpha).slice(a).integer(lda).slice(x).integer(incX).float(beta).slice(y).integer(incY))
}

// Dsymv computes y = alpha·A·x + beta·y for the n×n symmetric A, from its
// triangle uplo. Cost: 2n² flops, bound by memory.
func (b BLAS) Dsymv(uplo blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	if alpha == 0 || !isUplo(uplo) || !largeMatrix(n, n, leastSymmetric) || !matrix(a, n, n, lda) ||
		!vector(x, n, incX) || !vector(y, n, incY) {
		b.Implementation.Dsymv(uplo, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	clearIfUnused(beta, n, y, incY)
	l := b.library
	l.run(dsymv, l.frame().letter(flipUplo(uplo)).integer(n).
		float(alpha).slice(a).integer(lda).slice(x).integer(incX).float(beta).slice(y).integer(incY))
}

// Dger adds alpha·x·yᵀ to A (m×n). Cost: 2mn flops, bound by memory.
func (b BLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if alpha == 0 || !largeMatrix(m, n, leastMatrix) || !matrix(a, m, n, lda) || !vector(x, m, incX) || !vector(y, n, incY) {
		b.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	l := b.library
	l.run(dger, l.frame().integer(n).integer(m).
		float(alpha).slice(y).integer(incY).slice(x).integer(incX).slice(a).integer(lda))
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
