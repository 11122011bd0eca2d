package openblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Work below these sizes stays in Go, where it is done before a call would
// have begun to pay; BenchmarkThreshold measures them. They depend on shapes
// alone, so that the same problem always takes the same way.
const (
	// leastProduct is the least m·n·k of a level-3 call.
	leastProduct = 10 * 10 * 10
	// leastMatrix is the least m·n of a matrix-vector call.
	leastMatrix = 80 * 80
	// leastSymmetric is the least n² of a symmetric one, where gonum is slow.
	leastSymmetric = 32 * 32
)

// BLAS is gonum's implementation with the level-3 routines of float64, and
// the large matrix-vector ones, done by a Library. Register it by blas64.Use.
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

// large says whether a level-3 call of positive sizes is worth a call.
func large(m, n, k int) bool {
	return m > 0 && n > 0 && k > 0 && fits(m, n, k) && float64(m)*float64(n)*float64(k) >= leastProduct
}

// dims are the stored rows and columns of an operand that is r×c after op.
func dims(t blas.Transpose, r, c int) (int, int) {
	if t == blas.NoTrans {
		return r, c
	}
	return c, r
}

// Dgemm computes C = alpha·op(A)·op(B) + beta·C, op(A) m×k, op(B) k×n, C m×n.
// Cost: 2mnk flops.
func (b BLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldb int, beta float64, c []float64, ldc int) {
	ar, ac := dims(tA, m, k)
	br, bc := dims(tB, k, n)
	if alpha == 0 || !isTranspose(tA) || !isTranspose(tB) || !large(m, n, k) ||
		!matrix(a, ar, ac, lda) || !matrix(x, br, bc, ldb) || !matrix(c, m, n, ldc) {
		b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, x, ldb, beta, c, ldc)
		return
	}
	b.library.gemm(tA, tB, m, n, k, alpha, a, lda, x, ldb, beta, c, ldc)
}

// gemm is Cᵀ = alpha·op(B)ᵀ·op(A)ᵀ + beta·Cᵀ in column-major terms.
func (l *Library) gemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	l.run(dgemm, l.frame().letter(byte(tB)).letter(byte(tA)).integer(n).integer(m).integer(k).
		float(alpha).slice(b).integer(ldb).slice(a).integer(lda).float(beta).slice(c).integer(ldc))
}

// Dsyrk computes the triangle uplo of C = alpha·A·Aᵀ + beta·C for A n×k (tA =
// blas.NoTrans), or of alpha·Aᵀ·A + beta·C for A k×n. Cost: n²k flops.
func (b BLAS) Dsyrk(uplo blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	ar, ac := dims(tA, n, k)
	if alpha == 0 || !isUplo(uplo) || !isTranspose(tA) || !large(n, n, k) ||
		!matrix(a, ar, ac, lda) || !matrix(c, n, n, ldc) {
		b.Implementation.Dsyrk(uplo, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	l := b.library
	l.run(dsyrk, l.frame().letter(flipUplo(uplo)).letter(flipTranspose(tA)).integer(n).integer(k).
		float(alpha).slice(a).integer(lda).float(beta).slice(c).integer(ldc))
}

// Dsymm computes C = alpha·A·B + beta·C (s = blas.Left, A m×m symmetric) or
// alpha·B·A + beta·C (A n×n), B and C m×n, from the triangle uplo of A. Cost:
// 2m²n or 2mn² flops.
func (b BLAS) Dsymm(s blas.Side, uplo blas.Uplo, m, n int, alpha float64, a []float64, lda int, x []float64, ldb int, beta float64, c []float64, ldc int) {
	order := n
	if s == blas.Left {
		order = m
	}
	if alpha == 0 || !isSide(s) || !isUplo(uplo) || !large(m, n, order) ||
		!matrix(a, order, order, lda) || !matrix(x, m, n, ldb) || !matrix(c, m, n, ldc) {
		b.Implementation.Dsymm(s, uplo, m, n, alpha, a, lda, x, ldb, beta, c, ldc)
		return
	}
	l := b.library
	l.run(dsymm, l.frame().letter(flipSide(s)).letter(flipUplo(uplo)).integer(n).integer(m).
		float(alpha).slice(a).integer(lda).slice(x).integer(ldb).float(beta).slice(c).integer(ldc))
}

// Dtrsm overwrites B (m×n) with X of op(A)·X = alpha·B (s = blas.Left, A m×m
// triangular) or X·op(A) = alpha·B (A n×n). Cost: m²n or mn² flops. A zero on
// the diagonal gives Inf or NaN.
func (b BLAS) Dtrsm(s blas.Side, uplo blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldb int) {
	if alpha == 0 || !triangular(s, uplo, tA, d, m, n, a, lda, x, ldb) {
		b.Implementation.Dtrsm(s, uplo, tA, d, m, n, alpha, a, lda, x, ldb)
		return
	}
	b.library.triangular(dtrsm, s, uplo, tA, d, m, n, alpha, a, lda, x, ldb)
}

// Dtrmm overwrites B (m×n) with alpha·op(A)·B (s = blas.Left, A m×m
// triangular) or alpha·B·op(A) (A n×n). Cost: m²n or mn² flops.
func (b BLAS) Dtrmm(s blas.Side, uplo blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldb int) {
	if alpha == 0 || !triangular(s, uplo, tA, d, m, n, a, lda, x, ldb) {
		b.Implementation.Dtrmm(s, uplo, tA, d, m, n, alpha, a, lda, x, ldb)
		return
	}
	b.library.triangular(dtrmm, s, uplo, tA, d, m, n, alpha, a, lda, x, ldb)
}

// triangular says whether the arguments of Dtrsm or Dtrmm are sound and large.
func triangular(s blas.Side, uplo blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, x []float64, ldb int) bool {
	order := n
	if s == blas.Left {
		order = m
	}
	return isSide(s) && isUplo(uplo) && isTranspose(tA) && isDiag(d) && large(m, n, order) &&
		matrix(a, order, order, lda) && matrix(x, m, n, ldb)
}

func (l *Library) triangular(r routine, s blas.Side, uplo blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldb int) {
	l.run(r, l.frame().letter(flipSide(s)).letter(flipUplo(uplo)).letter(byte(tA)).letter(byte(d)).
		integer(n).integer(m).float(alpha).slice(a).integer(lda).slice(x).integer(ldb))
}
