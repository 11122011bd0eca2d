package openblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// leastOrder is the least order of a symmetric matrix that the library gets.
const leastOrder = 48

// workLimit is the largest order for which dsyevd's 1 + 6n + 2n² workspace and
// the squares that it computes with fit in 32 bits.
const workLimit = 32_000

// LAPACK is gonum's implementation with Cholesky factors done by a Library, where
// it has dpotrf. Register it by lapack64.Use.
//
// Shapes, strides, panics and results that report failure are gonum's. A matrix with
// NaN or Inf goes to gonum, since some libraries do not end on one.
type LAPACK struct {
	gonum.Implementation
	library *Library
}

var _ lapack.Float64 = LAPACK{}

// LAPACK is the implementation for lapack64.Use.
func (l *Library) LAPACK() LAPACK { return LAPACK{library: l} }

// String names the library, its version and its core type.
func (p LAPACK) String() string { return p.library.String() }

// Dpotrf factors the n×n positive definite A = Uᵀ·U or L·Lᵀ in its triangle
// uplo. It returns false if A is not positive definite. Cost: n³/3 flops.
func (p LAPACK) Dpotrf(uplo blas.Uplo, n int, a []float64, lda int) (ok bool) {
	if p.library.address[dpotrf] == 0 || !isUplo(uplo) || n < leastOrder || n > workLimit ||
		!matrix(a, n, n, lda) || !finiteTriangle(uplo, n, a, lda) {
		return p.Implementation.Dpotrf(uplo, n, a, lda)
	}
	uplo = flipUplo(uplo)
	info := 0
	p.library.run(dpotrf, ptr(&uplo), ptr(&n), ptr(&a[0]), ptr(&lda), ptr(&info))
	return int32(info) == 0
}

// SymEigen computes all eigenpairs of the n×n symmetric matrix whose finite upper
// triangle is in a, row by row at the given stride: the values, ascending, in values, and
// the orthonormal eigenvectors as the rows of a in the same order. It is LAPACK's dsyevd,
// divide and conquer. It returns false, with a destroyed, if the iteration failed. Cost:
// about 9n³ flops at most, 2n² numbers of memory besides a.
//
// [Library.HasSymEigen] says for which orders it is there.
func (l *Library) SymEigen(n int, a []float64, stride int, values []float64) (ok bool) {
	job, uplo := lapack.EVCompute, flipUplo(blas.Upper)
	floats, integers, info := 1+6*n+2*n*n, 3+5*n, 0
	work, iwork := make([]float64, floats), make([]int64, integers)
	l.run(dsyevd, ptr(&job), ptr(&uplo), ptr(&n), ptr(&a[0]), ptr(&stride), ptr(&values[0]),
		ptr(&work[0]), ptr(&floats), ptr(&iwork[0]), ptr(&integers), ptr(&info))
	return int32(info) == 0
}

// HasSymEigen says whether SymEigen is there for matrices of an order, and worth a call.
func (l *Library) HasSymEigen(n int) bool {
	return l.address[dsyevd] != 0 && n >= leastOrder && n <= workLimit
}

// finiteTriangle says whether a triangle has no NaN and no Inf: it sums x·0, which is 0
// for finite x and NaN for any other.
func finiteTriangle(uplo blas.Uplo, n int, a []float64, lda int) bool {
	sum := 0.0
	for i := range n {
		row := a[i*lda : i*lda+n]
		if uplo == blas.Upper {
			row = row[i:]
		} else {
			row = row[:i+1]
		}
		for _, v := range row {
			sum += v * 0
		}
	}
	return sum == 0
}
