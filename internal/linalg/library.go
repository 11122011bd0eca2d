package linalg

import (
	"os"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/linalg/openblas"
	"mercer/internal/linalg/threads"
	"mercer/internal/linalg/vector"
)

// panelRows is how many rows of a result one call to the library computes; the
// split does not depend on the number of processors, so neither do the bits.
const panelRows = 256

// leastPanels is the work, in multiplications, from which a call is split.
const leastPanels = 1 << 22

// withLibrary is this program's own routines beside a library's, whose LAPACK goes with
// it. The library has products of a matrix and a vector and, with products, those of
// matrices: large ones are split into panels of rows, which as many goroutines as package
// threads leaves room for compute on one thread each. That serves callers of one product
// and callers side by side alike, without more threads than processors.
//
// Own products pack a factor of many products once and split work among goroutines without
// copies: on AVX-512 they were measured to be as fast as a library's and faster in whole fits.
// Triangular solves are own ones in either case.
type withLibrary struct {
	vector.Implementation
	library  openblas.BLAS
	products bool
}

// useProducts says whether the library multiplies matrices: one that somebody named, and
// any where own products are not as fast.
func useProducts() bool {
	return os.Getenv(openblas.Variable) != "" || vector.Instructions() != "AVX-512"
}

// ownProducts says whether matrix products are this program's own.
func ownProducts() bool {
	switch impl := blas64.Implementation().(type) {
	case vector.Implementation:
		return true
	case withLibrary:
		return !impl.products
	}
	return false
}

// String names what multiplies matrices, and the library.
func (w withLibrary) String() string {
	if w.products {
		return w.library.String()
	}
	return w.Implementation.String() + " with " + w.library.String()
}

// Dgemv is y = alpha·op(A)·x + beta·y.
func (w withLibrary) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	w.library.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dsymv is y = alpha·A·x + beta·y with a symmetric A.
func (w withLibrary) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	w.library.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dger is A + alpha·x·yᵀ.
func (w withLibrary) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	w.library.Dger(m, n, alpha, x, incX, y, incY, a, lda)
}

// Dgemm is C = alpha·op(A)·op(B) + beta·C, by panels of rows of C.
func (w withLibrary) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if !w.products || len(a) < needed(tA, m, k, lda) || len(c) < needed(blas.NoTrans, m, n, ldc) {
		w.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	byPanels(m, float64(m)*float64(n)*float64(k), func(from, to int) {
		part := a[min(from, len(a)):]
		if tA == blas.NoTrans {
			part = a[from*lda:]
		}
		w.library.Dgemm(tA, tB, to-from, n, k, alpha, part, lda, b, ldb, beta, c[from*ldc:], ldc)
	})
}

// Dsyrk is one triangle of C = alpha·op(A)·op(A)ᵀ + beta·C, by panels of rows:
// the triangle on the diagonal, and the rectangle beside it.
func (w withLibrary) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	if !w.products || ul != blas.Upper || len(a) < needed(t, n, k, lda) || len(c) < needed(blas.NoTrans, n, n, ldc) {
		w.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	other, step := blas.Transpose(blas.Trans), lda
	if t != blas.NoTrans {
		other, step = blas.NoTrans, 1
	}
	byPanels(n, float64(n)*float64(n)*float64(k)/2, func(from, to int) {
		w.library.Dsyrk(ul, t, to-from, k, alpha, a[from*step:], lda, beta, c[from*ldc+from:], ldc)
		if to < n {
			w.library.Dgemm(t, other, to-from, n-to, k, alpha, a[from*step:], lda, a[to*step:], lda, beta, c[from*ldc+to:], ldc)
		}
	})
}

// byPanels calls f for consecutive ranges of n rows, side by side where the work is
// large.
func byPanels(n int, work float64, f func(from, to int)) {
	if n <= panelRows || work < leastPanels {
		f(0, n)
		return
	}
	threads.For((n+panelRows-1)/panelRows, func(i int) { f(i*panelRows, min((i+1)*panelRows, n)) })
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
