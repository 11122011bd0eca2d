package linalg

import (
	"gonum.org/v1/gonum/blas"

	"mercer/internal/linalg/openblas"
	"mercer/internal/linalg/threads"
)

// panelRows is how many rows of a result one call to the library computes; the
// split does not depend on the number of processors, so neither do the bits.
const panelRows = 256

// leastPanels is the work, in multiplications, from which a call is split.
const leastPanels = 1 << 22

// panels is a library whose large products are split into panels of rows, which
// as many goroutines as package threads leaves room for compute on one thread each.
// That serves callers of one matrix product and callers side by side alike, without
// more threads than processors.
type panels struct{ openblas.BLAS }

// String names the library.
func (p panels) String() string { return p.BLAS.String() }

// byPanels calls f for consecutive ranges of n rows, side by side where the work is
// large.
func byPanels(n int, work float64, f func(from, to int)) {
	if n <= panelRows || work < leastPanels {
		f(0, n)
		return
	}
	threads.For((n+panelRows-1)/panelRows, func(i int) { f(i*panelRows, min((i+1)*panelRows, n)) })
}

// Dgemm is C = alpha·op(A)·op(B) + beta·C, by panels of rows of C.
func (p panels) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if len(a) < needed(tA, m, k, lda) || len(c) < needed(blas.NoTrans, m, n, ldc) {
		p.BLAS.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) // panics with gonum's words
		return
	}
	byPanels(m, float64(m)*float64(n)*float64(k), func(from, to int) {
		part := a[min(from, len(a)):]
		if tA == blas.NoTrans {
			part = a[from*lda:]
		}
		p.BLAS.Dgemm(tA, tB, to-from, n, k, alpha, part, lda, b, ldb, beta, c[from*ldc:], ldc)
	})
}

// needed is the length of the data of an operand that is r×c after op.
func needed(t blas.Transpose, r, c, stride int) int {
	if t != blas.NoTrans {
		r, c = c, r
	}
	if r <= 0 || c <= 0 {
		return 0
	}
	return (r-1)*stride + c
}

// Dsyrk is one triangle of C = alpha·op(A)·op(A)ᵀ + beta·C, by panels of rows:
// the triangle on the diagonal, and the rectangle beside it.
func (p panels) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if ul != blas.Upper || len(a) < needed(t, n, k, lda) || len(c) < needed(blas.NoTrans, n, n, ldc) {
		p.BLAS.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	at := func(row int) []float64 {
		if t == blas.NoTrans {
			return a[row*lda:]
		}
		return a[row:]
	}
	other := blas.Transpose(blas.Trans)
	if t != blas.NoTrans {
		other = blas.NoTrans
	}
	byPanels(n, float64(n)*float64(n)*float64(k)/2, func(from, to int) {
		p.BLAS.Dsyrk(ul, t, to-from, k, alpha, at(from), lda, beta, c[from*ldc+from:], ldc)
		if to < n {
			p.BLAS.Dgemm(t, other, to-from, n-to, k, alpha, at(from), lda, at(to), lda, beta, c[from*ldc+to:], ldc)
		}
	})
}

// Dtrsm solves op(A)·X = alpha·B or X·op(A) = alpha·B; in the latter the rows of
// B are independent, and split.
func (p panels) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if s != blas.Right || len(b) < needed(blas.NoTrans, m, n, ldb) {
		p.BLAS.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	byPanels(m, float64(m)*float64(n)*float64(n)/2, func(from, to int) {
		p.BLAS.Dtrsm(s, ul, tA, d, to-from, n, alpha, a, lda, b[from*ldb:], ldb)
	})
}
