package linalg

import (
	"os"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/linalg/openblas"
	"mercer/internal/linalg/vector"
)

// joint is this program's own matrix products beside a library's products of a
// matrix and a vector; the library's LAPACK goes with it. Own products pack a
// factor of many products once and split work among goroutines without copies:
// on AVX-512 they were measured to be as fast as a library's alone and faster in
// whole fits.
type joint struct {
	vector.Implementation
	library openblas.BLAS
}

// together says whether a library that nobody named serves beside own products.
func together() bool { return os.Getenv(openblas.Variable) == "" && vector.Instructions() == "AVX-512" }

// ownProducts says whether matrix products are this program's own.
func ownProducts() bool {
	switch blas64.Implementation().(type) {
	case vector.Implementation, joint:
		return true
	}
	return false
}

// String names both.
func (j joint) String() string { return j.Implementation.String() + " with " + j.library.String() }

// Dgemv is y = alpha·op(A)·x + beta·y.
func (j joint) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	j.library.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dsymv is y = alpha·A·x + beta·y with a symmetric A.
func (j joint) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	j.library.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dger is A + alpha·x·yᵀ.
func (j joint) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	j.library.Dger(m, n, alpha, x, incX, y, incY, a, lda)
}
