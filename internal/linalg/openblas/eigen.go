package openblas

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

var (
	// ErrNotConverged reports that the eigenvalue iteration failed, which no
	// finite matrix is known to cause.
	ErrNotConverged = errors.New("eigenvalue iteration did not converge")
	// ErrNotFinite reports NaN or Inf in a matrix.
	ErrNotFinite = errors.New("matrix has NaN or Inf")
	// ErrMissing reports a routine that the library does not have.
	ErrMissing = errors.New("routine is missing from the library")
	// ErrTooLarge reports a size beyond what 32-bit integers count.
	ErrTooLarge = errors.New("matrix is too large for the library")
)

// workLimit is the largest order for which dsyevd's 1 + 6n + 2n² workspace and
// the squares that it computes with fit in 32 bits.
const workLimit = 32_000

// Dsyev computes all eigenvalues of the n×n symmetric A in its triangle uplo,
// ascending, in w, and if jobz is lapack.EVCompute overwrites A with the
// eigenvectors as columns. It returns false if the iteration failed. Cost:
// about 9n³ flops at most, 2n² numbers of memory besides work. It is LAPACK's
// dsyevd, divide and conquer.
func (p LAPACK) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) (ok bool) {
	l := p.library
	if !l.has(dsyevd) || n > workLimit || (jobz != lapack.EVNone && jobz != lapack.EVCompute) || !square(uplo, n, a, lda) ||
		len(w) < n || lwork < 3*n-1 || len(work) < lwork || !finiteTriangle(uplo, n, a, lda) {
		return p.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	if err := l.syevd(byte(jobz), uplo, n, a, lda, w); err != nil {
		return false
	}
	if jobz == lapack.EVCompute {
		transpose(n, a, lda)
	}
	work[0] = float64(lwork)
	return true
}

// syevd leaves the eigenvectors as rows, for ascending values.
func (l *Library) syevd(jobz byte, uplo blas.Uplo, n int, a []float64, lda int, w []float64) error {
	floats, integers := 1+2*n, 1
	if jobz == byte(lapack.EVCompute) {
		floats, integers = 1+6*n+2*n*n, 3+5*n
	}
	work, iwork := make([]float64, floats), make([]int64, integers)
	info := l.info(dsyevd, l.frame().letter(jobz).letter(flipUplo(uplo)).integer(n).slice(a).integer(lda).
		slice(w).slice(work).integer(floats).indices(iwork).integer(integers))
	return eigenError(dsyevd, n, info)
}

// syevr computes the k largest eigenpairs: values ascending and vectors as the
// rows of z. It destroys a.
func (l *Library) syevr(uplo blas.Uplo, n int, a []float64, lda, k int, w, z []float64, ldz int) error {
	all, span := make([]float64, n), byte('I')
	if k == n {
		span = 'A'
	}
	support, integers := make([]int64, 2*n), make([]int64, 10*n)
	info := l.withWork(dsyevr, func(work []float64, lwork int) *frame {
		fr := l.frame().letter('V').letter(span).letter(flipUplo(uplo)).integer(n).slice(a).integer(lda).
			float(0).float(0).integer(n - k + 1).integer(n).float(0)
		fr.result(0)
		return fr.slice(all).slice(z).integer(ldz).indices(support).
			slice(work).integer(lwork).indices(integers).integer(len(integers))
	})
	copy(w, all[:k])
	return eigenError(dsyevr, n, info)
}

func eigenError(r routine, n, info int) error {
	if info != 0 {
		return fmt.Errorf("openblas: %s of a %d×%d matrix: %w (info %d)", routineNames[r], n, n, ErrNotConverged, info)
	}
	return nil
}

// SymEigen computes all eigenpairs of the n×n symmetric matrix whose upper
// triangle is in a, row by row at the given stride. It returns the values in
// ascending order and overwrites the rows of a with the orthonormal
// eigenvectors in the same order: the form that needs no transpose. Signs are
// as they come.
//
// Cost: about 9n³ flops at most; 2n² numbers of memory besides a. Up to order
// 32,000 it is dsyevd, beyond that dsyevr, which needs n² only.
//
// Errors: ErrNotFinite, ErrNotConverged, ErrMissing, ErrTooLarge. SymEigen
// panics if n is negative or a too short.
func (l *Library) SymEigen(a []float64, n, stride int) (values []float64, err error) {
	if err := l.checkEigen(a, n, stride); err != nil || n == 0 {
		return nil, err
	}
	values = make([]float64, n)
	if l.has(dsyevd) && n <= workLimit {
		return values, l.syevd(byte(lapack.EVCompute), blas.Upper, n, a, stride, values)
	}
	if !l.has(dsyevr) {
		return nil, fmt.Errorf("openblas: %s: dsyevd, dsyevr: %w", l.path, ErrMissing)
	}
	z := make([]float64, n*n)
	err = l.syevr(blas.Upper, n, a, stride, n, values, z, n)
	for i := range n {
		copy(a[i*stride:i*stride+n], z[i*n:(i+1)*n])
	}
	return values, err
}

// SymEigenTop computes the k largest eigenvalues of the n×n symmetric matrix
// whose upper triangle is in a, in ascending order, and their orthonormal
// eigenvectors as the k rows of length n of vectors. It destroys a. Signs are
// as they come.
//
// Cost: 4n³/3 flops, half of them in matrix-vector products, and about 4n²k;
// for k beyond n/5 SymEigen is the faster one. Memory: nk + 60n numbers
// besides a. It is dsyevr with a range of indices.
//
// Errors: as of SymEigen. SymEigenTop panics if n is negative, a too short or
// k not in 1…n.
func (l *Library) SymEigenTop(a []float64, n, stride, k int) (values, vectors []float64, err error) {
	if err := l.checkEigen(a, n, stride); err != nil {
		return nil, nil, err
	}
	if k < 1 || k > n {
		panic("openblas: SymEigenTop: k out of range")
	}
	if !l.has(dsyevr) {
		return nil, nil, fmt.Errorf("openblas: %s: dsyevr: %w", l.path, ErrMissing)
	}
	values, vectors = make([]float64, k), make([]float64, k*n)
	if err := l.syevr(blas.Upper, n, a, stride, k, values, vectors, n); err != nil {
		return nil, nil, err
	}
	return values, vectors, nil
}

func (l *Library) checkEigen(a []float64, n, stride int) error {
	switch {
	case n < 0:
		panic("openblas: negative order")
	case n == 0:
		return nil
	case stride < n || len(a) < (n-1)*stride+n:
		panic("openblas: matrix too short")
	case !fits(n, stride, 60*n):
		return fmt.Errorf("openblas: eigenproblem of order %d: %w", n, ErrTooLarge)
	}
	for i := range n {
		if !finiteRow(a[i*stride+i : i*stride+n]) {
			return fmt.Errorf("openblas: eigenproblem of order %d, row %d: %w", n, i, ErrNotFinite)
		}
	}
	return nil
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
