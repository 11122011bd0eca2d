package linalg

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// ErrNotConverged reports that the dense eigensolver's iteration failed, which
// no finite matrix is known to cause.
var ErrNotConverged = errors.New("eigenvalue iteration did not converge")

// EigenSym computes all eigenvalues of the n×n symmetric matrix a, in
// descending order, and the orthonormal eigenvectors as the columns of an n×n
// matrix in the same order. The sign of each vector is fixed: its entry of
// largest magnitude, the first of them on ties, is positive.
//
// a is not changed. Cost: about 9n³ flops; memory is that of EigenCost. Values are
// accurate to a small multiple of n·2^-52·‖A‖.
//
// Errors: ErrNotFinite for NaN or Inf in the upper triangle; ErrNotConverged.
func EigenSym(a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	values, rows, err := eigenRows(a)
	if err != nil {
		return nil, nil, fmt.Errorf("linalg: eigendecomposition: %w", err)
	}
	columns := newGeneral(len(values), len(values))
	transposeInto(columns, rows)
	return values, denseOf(columns), nil
}

// eigenRows is EigenSym with the eigenvectors as rows.
func eigenRows(a *mat.SymDense) ([]float64, blas64.General, error) {
	s := a.RawSymmetric()
	n := s.N
	// A stride that is a multiple of a large power of two sends whole columns
	// to the same few cache lines: 512 would be slower than 700.
	full := general(newGeneral(n, n+8), 0, 0, n, n)
	var largest float64
	for i := range n {
		row := s.Data[i*s.Stride+i : i*s.Stride+n]
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, blas64.General{}, fmt.Errorf("row %d of a %d×%d matrix: %w", i, n, n, ErrNotFinite)
			}
			largest = max(largest, math.Abs(v))
		}
		copy(rowOf(full, i)[i:], row)
	}
	scale := safeScale(largest)
	blas64.Scal(scale, vectorOf(full.Data))
	values := make([]float64, n)
	if !solveSym(full, values) {
		return nil, blas64.General{}, fmt.Errorf("%d×%d matrix: %w", n, n, ErrNotConverged)
	}
	blas64.Scal(1/scale, vectorOf(values))
	reverse(values, full)
	fixSigns(full)
	return values, full, nil
}

// solveSym replaces a matrix, of which the upper triangle is read, by its eigenvectors as
// rows and fills values, both ascending. It is false if the iteration failed.
func solveSym(a blas64.General, values []float64) bool {
	if library != nil && library.HasSymEigen(a.Rows) {
		return library.SymEigen(a.Rows, a.Data, a.Stride, values)
	}
	work := make([]float64, 1)
	upper := blas64.Symmetric{Uplo: blas.Upper, N: a.Rows, Stride: a.Stride, Data: a.Data}
	lapack64.Syev(lapack.EVCompute, upper, values, work, -1)
	work = make([]float64, int(work[0]))
	if !lapack64.Syev(lapack.EVCompute, upper, values, work, len(work)) {
		return false
	}
	transpose(a)
	return true
}

// transpose replaces a square matrix by its transpose, in tiles that stay in
// cache.
func transpose(a blas64.General) {
	const tile = 32
	for i0 := 0; i0 < a.Rows; i0 += tile {
		for j0 := i0; j0 < a.Rows; j0 += tile {
			for i := i0; i < min(i0+tile, a.Rows); i++ {
				for j := max(j0, i+1); j < min(j0+tile, a.Rows); j++ {
					above, below := i*a.Stride+j, j*a.Stride+i
					a.Data[above], a.Data[below] = a.Data[below], a.Data[above]
				}
			}
		}
	}
}

// safeScale is the power of two that brings the largest element near 1 if its
// square may overflow or underflow, and 1 otherwise. gonum's own scaling of
// such matrices panics in Dsterf (v0.17).
func safeScale(largest float64) float64 {
	if largest == 0 || largest > 1e-100 && largest < 1e100 {
		return 1
	}
	_, e := math.Frexp(largest)
	return math.Ldexp(1, min(-e, 1000))
}

// reverse turns ascending eigenpairs into descending ones.
func reverse(values []float64, rows blas64.General) {
	for i, j := 0, len(values)-1; i < j; i, j = i+1, j-1 {
		values[i], values[j] = values[j], values[i]
		blas64.Swap(vectorOf(rowOf(rows, i)), vectorOf(rowOf(rows, j)))
	}
}

// fixSigns makes the first entry of largest magnitude of each row positive.
func fixSigns(rows blas64.General) {
	for i := range rows.Rows {
		row := rowOf(rows, i)
		at := 0
		for j, v := range row {
			if math.Abs(v) > math.Abs(row[at]) {
				at = j
			}
		}
		if row[at] < 0 {
			for j := range row {
				row[j] = -row[j]
			}
		}
	}
}
