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

// LAPACK is gonum's implementation with eigenpairs of symmetric matrices and
// Cholesky factors done by a Library, each where the library has it. Register it
// by lapack64.Use.
//
// Shapes, strides, workspaces, panics and results that report failure are
// gonum's. A matrix with NaN or Inf goes to gonum, since some libraries do not
// end on one.
type LAPACK struct {
	gonum.Implementation
	library *Library
}

var _ lapack.Float64 = LAPACK{}

// LAPACK is the implementation for lapack64.Use.
func (l *Library) LAPACK() LAPACK { return LAPACK{library: l} }

// String names the library, its version and its core type.
func (p LAPACK) String() string { return p.library.String() }

// serves says whether the library has a routine and a is a sound n×n matrix, all
// numbers of its triangle uplo finite, that is worth a call.
func (l *Library) serves(r routine, uplo blas.Uplo, n int, a []float64, lda int) bool {
	return l.address[r] != 0 && isUplo(uplo) && n >= leastOrder && n <= workLimit &&
		matrix(a, n, n, lda) && finiteTriangle(uplo, n, a, lda)
}

// Dpotrf factors the n×n positive definite A = Uᵀ·U or L·Lᵀ in its triangle
// uplo. It returns false if A is not positive definite. Cost: n³/3 flops.
func (p LAPACK) Dpotrf(uplo blas.Uplo, n int, a []float64, lda int) (ok bool) {
	if !p.library.serves(dpotrf, uplo, n, a, lda) {
		return p.Implementation.Dpotrf(uplo, n, a, lda)
	}
	uplo = flipUplo(uplo)
	info := 0
	p.library.run(dpotrf, ptr(&uplo), ptr(&n), ptr(&a[0]), ptr(&lda), ptr(&info))
	return int32(info) == 0
}

// Dsyev computes all eigenvalues of the n×n symmetric A in its triangle uplo,
// ascending, in w, and if jobz is lapack.EVCompute overwrites A with the
// eigenvectors as columns. It returns false if the iteration failed. Cost:
// about 9n³ flops at most, 2n² numbers of memory besides work. It is LAPACK's
// dsyevd, divide and conquer.
func (p LAPACK) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) (ok bool) {
	if jobz != lapack.EVNone && jobz != lapack.EVCompute || len(w) < n || lwork < 3*n-1 || len(work) < lwork ||
		!p.library.serves(dsyevd, uplo, n, a, lda) {
		return p.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	if !p.library.syevd(jobz, uplo, n, a, lda, w) {
		return false
	}
	if jobz == lapack.EVCompute {
		transpose(n, a, lda)
	}
	work[0] = float64(lwork)
	return true
}

// syevd leaves the eigenvectors as rows, for ascending values.
func (l *Library) syevd(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w []float64) (ok bool) {
	floats, integers := 1+2*n, 1
	if jobz == lapack.EVCompute {
		floats, integers = 1+6*n+2*n*n, 3+5*n
	}
	work, iwork := make([]float64, floats), make([]int64, integers)
	uplo = flipUplo(uplo)
	info := 0
	l.run(dsyevd, ptr(&jobz), ptr(&uplo), ptr(&n), ptr(&a[0]), ptr(&lda), ptr(&w[0]),
		ptr(&work[0]), ptr(&floats), ptr(&iwork[0]), ptr(&integers), ptr(&info))
	return int32(info) == 0
}

// transpose turns the n×n matrix a over in place, in tiles that stay in cache.
func transpose(n int, a []float64, stride int) {
	const tile = 32
	for i0 := 0; i0 < n; i0 += tile {
		for j0 := i0; j0 < n; j0 += tile {
			for i := i0; i < min(i0+tile, n); i++ {
				for j := max(j0, i+1); j < min(j0+tile, n); j++ {
					a[i*stride+j], a[j*stride+i] = a[j*stride+i], a[i*stride+j]
				}
			}
		}
	}
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
