package linalg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/vector"
)

// eps is the distance from 1 to the next float64.
const eps = 0x1p-52

// pivotedPanel is how many rows are factored between two updates of the
// trailing matrix.
const pivotedPanel = 64

// ErrNotFinite reports NaN or Inf in the input of a factorisation or in what
// an operator returned.
var ErrNotFinite = errors.New("NaN or Inf")

// ErrIndefinite reports a matrix that is not positive semidefinite beyond
// rounding.
var ErrIndefinite = errors.New("matrix is not positive semidefinite")

// PivotedCholesky is a truncated Cholesky factorisation with complete
// pivoting of an n×n positive semidefinite matrix: PᵀAP ≈ F·Fᵀ.
type PivotedCholesky struct {
	// L is the leading Rank×Rank factor, lower triangular with a positive,
	// non-increasing diagonal: A[Piv[:Rank], Piv[:Rank]] = L·Lᵀ. It is empty
	// (the zero TriDense) at rank 0.
	L *mat.TriDense
	// Factor is F, n×Rank, whose row i belongs to row Piv[i] of A; its first
	// Rank rows are L, in the same memory. Empty at rank 0.
	Factor *mat.Dense
	// Piv is the permutation: row i of the factor is row Piv[i] of A.
	// Piv[:Rank] are the chosen pivots, in the order of choice.
	Piv []int
	// Rank is the numerical rank at the tolerance.
	Rank int
	// Residual is the largest diagonal element of PᵀAP − FFᵀ, Trace their
	// sum, both clamped at 0: Residual ≤ ‖A − PFFᵀPᵀ‖_op ≤ Trace. Both are 0
	// at full rank.
	Residual, Trace float64
}

// DefaultPivotTolerance is n·2^-52, LAPACK's choice in dpstrf: pivots below
// that fraction of the largest diagonal element are rounding errors of the
// elimination of the others.
func DefaultPivotTolerance(n int) float64 { return float64(n) * eps }

// FactorPivoted factors the n×n matrix a, which is left unchanged. It stops at
// the first step where the largest remaining diagonal element is at most
// tol times the largest diagonal element of a: tol = 0 stops at exact zero, a
// negative tol means DefaultPivotTolerance(n). Equal pivots are resolved in
// favour of the lowest position, so the result is deterministic.
//
// Cost: n²r − nr²+ r³/3 flops at rank r, all but 64nr of them in Gemm; one
// n×n copy and the order of each of its panels. The zero matrix has rank 0 and no error.
//
// Errors: ErrNotFinite for NaN or Inf in the upper triangle; ErrIndefinite if
// an off-diagonal element exceeds the largest diagonal one, or if an element
// of the remainder PᵀAP − FFᵀ exceeds 2·max(tol, √eps) times that: a positive
// semidefinite matrix allows neither, and the rounding of the elimination,
// which small pivots amplify, stays well below. Without error every element of
// A − PFFᵀPᵀ is within that bound. Indefiniteness below it is not detected.
//
// Reference: LAPACK dpstrf (Lucas 2004, LAPACK-style codes for pivoted
// Cholesky). Deviation: the stopping test is relative, the first pivot
// included, and the unfactored part is checked and dropped.
func FactorPivoted(a *mat.SymDense, tol float64) (PivotedCholesky, error) {
	n := a.SymmetricDim()
	if tol < 0 || math.IsNaN(tol) {
		tol = DefaultPivotTolerance(n)
	}
	top, err := checkSemidefinite(a)
	if err != nil {
		return PivotedCholesky{}, fmt.Errorf("linalg: pivoted Cholesky of a %d×%d matrix: %w", n, n, err)
	}
	f := newPivotedState(a, tol*top)
	for f.rank < n && f.panel() {
	}
	if err := f.checkRemainder(2 * max(tol, math.Sqrt(eps)) * top); err != nil {
		return PivotedCholesky{}, fmt.Errorf("linalg: pivoted Cholesky of a %d×%d matrix: %w", n, n, err)
	}
	return f.result(), nil
}

// LargestDiagonal is the largest diagonal element of a matrix of order 1 or more: no
// element of a positive semidefinite one is larger.
func LargestDiagonal(a mat.Symmetric) float64 {
	largest := a.At(0, 0)
	for i := range a.SymmetricDim() {
		largest = max(largest, a.At(i, i))
	}
	return largest
}

// checkSemidefinite scans the upper triangle once for NaN, Inf and elements that
// no positive semidefinite matrix has, and returns the largest diagonal element.
func checkSemidefinite(a *mat.SymDense) (largest float64, err error) {
	s := a.RawSymmetric()
	top := math.Inf(-1)
	var off float64
	var at [2]int
	for i := range s.N {
		for j, v := range s.Data[i*s.Stride+i : i*s.Stride+s.N] {
			switch {
			case math.IsNaN(v) || math.IsInf(v, 0):
				return 0, fmt.Errorf("element (%d, %d) is %v: %w", i, i+j, v, ErrNotFinite)
			case j == 0:
				top = max(top, v)
			case math.Abs(v) > off:
				off, at = math.Abs(v), [2]int{i, i + j}
			}
		}
	}
	// The slack covers elements and diagonal that were rounded separately.
	if top < 0 || off > top*(1+1e-8) {
		return 0, fmt.Errorf("element (%d, %d) is %.6g in magnitude but the largest diagonal element %.6g: %w",
			at[0], at[1], off, top, ErrIndefinite)
	}
	return top, nil
}

// pivotedState is the right-looking factorisation in progress: u holds the
// rows of Fᵀ above rank and the trailing matrix (upper triangle) below it,
// in pivoted order; rows of finished panels stay in the order of their time.
type pivotedState struct {
	u      blas64.General
	piv    []int
	diag   []float64 // remaining diagonal, by position
	stop   float64
	rank   int
	panel0 int     // first row of the current panel
	orders [][]int // piv at the end of each finished panel, whose rows stay in that order
}

func newPivotedState(a *mat.SymDense, stop float64) *pivotedState {
	s := a.RawSymmetric()
	f := &pivotedState{
		u: newGeneral(s.N, s.N), piv: make([]int, s.N), diag: make([]float64, s.N), stop: stop,
	}
	for i := range s.N {
		copy(rowOf(f.u, i)[i:], s.Data[i*s.Stride+i:i*s.Stride+s.N])
		f.piv[i] = i
	}
	return f
}

// panel factors up to pivotedPanel rows and updates the trailing matrix. It
// reports false when the tolerance was reached.
func (f *pivotedState) panel() bool {
	n := f.u.Rows
	f.panel0 = f.rank
	for i := f.rank; i < n; i++ {
		f.diag[i] = f.u.Data[i*f.u.Stride+i]
	}
	end := min(f.rank+pivotedPanel, n)
	for f.rank < end {
		best := f.rank
		for i := f.rank + 1; i < n; i++ {
			if f.diag[i] > f.diag[best] {
				best = i
			}
		}
		if f.diag[best] <= f.stop {
			return false
		}
		f.swap(f.rank, best)
		f.eliminate()
	}
	if rest := n - end; rest > 0 {
		f.orders = append(f.orders, slices.Clone(f.piv))
		rows := general(f.u, f.panel0, end, end-f.panel0, rest)
		steadySyrk(rows, general(f.u, end, end, rest, rest))
	}
	return true
}

// steadySyrk is upper(C) −= AᵀA by own kernels, where this processor has them: as
// with the products in eliminate, every back end is to find the same pivots.
func steadySyrk(a, c blas64.General) {
	if !vector.Accelerated() {
		syrk(blas.Trans, -1, a, c)
		return
	}
	vector.Implementation{}.Dsyrk(blas.Upper, blas.Trans, c.Rows, a.Rows, -1, a.Data, a.Stride, 1, c.Data, c.Stride)
}

// eliminate computes row rank of Fᵀ from the trailing matrix and the earlier
// rows of the panel, and takes its squares off the remaining diagonal.
func (f *pivotedState) eliminate() {
	j, n, u := f.rank, f.u.Rows, f.u
	pivot := math.Sqrt(f.diag[j])
	u.Data[j*u.Stride+j] = pivot
	f.rank++
	if j == n-1 {
		return
	}
	row := u.Data[j*u.Stride+j+1 : j*u.Stride+n]
	if k := j - f.panel0; k > 0 {
		done := general(u, f.panel0, j+1, k, n-j-1)
		column := blas64.Vector{N: k, Inc: u.Stride, Data: u.Data[f.panel0*u.Stride+j:]}
		// On every back end the same: where a matrix is near its numerical rank, the
		// rounding here decides about pivots and all that is made of them.
		gonum.Implementation{}.Dgemv(blas.Trans, k, n-j-1, -1, done.Data, done.Stride, column.Data, column.Inc, 1, row, 1)
	}
	for i := range row {
		row[i] /= pivot
		f.diag[j+1+i] -= row[i] * row[i]
	}
}

// swap exchanges positions j < p in the symmetric trailing matrix (upper
// storage) and in the panel's rows of Fᵀ. Those of finished panels stay as they
// are: see result.
func (f *pivotedState) swap(j, p int) {
	if j == p {
		return
	}
	d, s, n := f.u.Data, f.u.Stride, f.u.Rows
	for i := f.panel0; i < j; i++ {
		d[i*s+j], d[i*s+p] = d[i*s+p], d[i*s+j]
	}
	for i := j + 1; i < p; i++ {
		d[j*s+i], d[i*s+p] = d[i*s+p], d[j*s+i]
	}
	for i := p + 1; i < n; i++ {
		d[j*s+i], d[p*s+i] = d[p*s+i], d[j*s+i]
	}
	d[j*s+j], d[p*s+p] = d[p*s+p], d[j*s+j]
	f.diag[j], f.diag[p] = f.diag[p], f.diag[j]
	f.piv[j], f.piv[p] = f.piv[p], f.piv[j]
}

// checkRemainder fails if what the factor leaves of the matrix has an element
// beyond limit, off the diagonal or negative on it: a positive semidefinite
// remainder is bounded by its diagonal, which is below the tolerance.
func (f *pivotedState) checkRemainder(limit float64) error {
	n, r := f.u.Rows, f.rank
	if r == n {
		return nil
	}
	rest := general(f.u, r, r, n-r, n-r)
	syrk(blas.Trans, -1, general(f.u, f.panel0, r, r-f.panel0, n-r), rest)
	for i := range n - r {
		for j, v := range rowOf(rest, i)[i:] {
			if j == 0 && v < -limit || j > 0 && math.Abs(v) > limit {
				return fmt.Errorf("after %d pivots element (%d, %d) of the remainder is %.3g, its diagonal at most %.3g: %w",
					r, f.piv[r+i], f.piv[r+i+j], v, slices.Max(f.diag[r:]), ErrIndefinite)
			}
		}
	}
	return nil
}

func (f *pivotedState) result() PivotedCholesky {
	n, r := f.u.Rows, f.rank
	c := PivotedCholesky{L: &mat.TriDense{}, Factor: &mat.Dense{}, Piv: f.piv, Rank: r}
	for _, d := range f.diag[r:] {
		c.Residual = max(c.Residual, d)
		c.Trace += max(0, d)
	}
	if r == 0 {
		return c
	}
	factor := newGeneral(n, r)
	f.transposeInto(factor)
	c.Factor = denseOf(factor)
	c.L = mat.NewTriDense(r, mat.Lower, factor.Data[:r*r:r*r])
	return c
}

// transposeInto fills the factor (n×rank), in the order of piv, with the rows of Fᵀ,
// each panel of which is in the order that it was finished in.
func (f *pivotedState) transposeInto(factor blas64.General) {
	n, position := f.u.Rows, make([]int, f.u.Rows)
	for at, original := range f.piv {
		position[original] = at
	}
	for first := 0; first < f.rank; first += pivotedPanel {
		order := f.piv // of the last panel
		if panel := first / pivotedPanel; panel < len(f.orders) {
			order = f.orders[panel]
		}
		rows := general(f.u, first, 0, min(pivotedPanel, f.rank-first), n)
		for column := first; column < n; column++ {
			to := factor.Data[position[order[column]]*factor.Stride+first:][:rows.Rows]
			for i := range to {
				to[i] = rows.Data[i*rows.Stride+column]
			}
		}
	}
}
