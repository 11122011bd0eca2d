package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/threads"
	"mercer/internal/linalg/vector"
)

const (
	// trsmLeaf is the order of the diagonal blocks that RightSolver inverts;
	// everything off them is a product.
	trsmLeaf = 64
	// trsmRows is how many rows of B one goroutine solves for at a time.
	trsmRows = 512
)

// SolveLowerTrans overwrites B (n×k) with the solution X of Lᵀ·X = B, L an n×n
// lower triangular matrix. Cost: n²k flops.
//
// A zero on the diagonal gives Inf or NaN, as in BLAS: a factor from
// FactorPivoted has none. It panics if the shapes do not match or L is upper
// triangular.
func SolveLowerTrans(l *mat.TriDense, b *mat.Dense) {
	blas64.Trsm(blas.Left, blas.Trans, 1, lowerTriangle(l, b.RawMatrix().Rows), b.RawMatrix())
}

// SolveRight overwrites B (k×n) with the solution X of X·Lᵀ = B, which
// solves with L for the rows of B: it turns a block of kernel rows K(x, landmarks)
// into Nyström features without a transpose. Cost, accuracy and failures are
// those of RightSolver.
func SolveRight(b *mat.Dense, l *mat.TriDense) { NewRightSolver(l).Solve(b) }

func lowerTriangle(l *mat.TriDense, n int) blas64.Triangular {
	t := l.RawTriangular()
	if t.Uplo != blas.Lower || t.N != n {
		panic(mat.ErrShape)
	}
	return t
}

// RightSolver solves X·Lᵀ = B for many B. It is safe for concurrent use.
//
// Accuracy: the error of X is bounded elementwise by about n·eps·|X||Lᵀ||L⁻ᵀ|,
// as with substitution; the residual may be larger than that of substitution
// where a diagonal block of 64 is ill-conditioned.
type RightSolver struct {
	n        int
	inverses []*RightFactor // of the diagonal blocks
	updates  []*RightFactor // by step of the recursion
	scratch  sync.Pool      // of one leaf's columns
}

// NewRightSolver makes an n×n lower triangular L ready: n·64² flops, and on this
// program's own kernels 4n² bytes for a copy. A zero on the diagonal gives Inf
// or NaN in all solutions. It panics if L is upper triangular.
func NewRightSolver(l *mat.TriDense) *RightSolver {
	t := l.RawTriangular()
	lowerTriangle(l, t.N)
	s := &RightSolver{n: t.N}
	s.prepare(blas64.General{Rows: t.N, Cols: t.N, Stride: t.Stride, Data: t.Data})
	return s
}

// prepare goes through the recursion of solve.
func (s *RightSolver) prepare(l blas64.General) {
	if l.Rows <= trsmLeaf {
		inverse := newGeneral(l.Rows, l.Rows)
		for j := range l.Rows {
			inverse.Data[j*inverse.Stride+j] = 1
		}
		// On every back end the same: near the numerical rank its rounding is amplified.
		vector.Implementation{}.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit,
			l.Rows, l.Rows, 1, l.Data, l.Stride, inverse.Data, inverse.Stride)
		s.inverses = append(s.inverses, NewRightFactor(blas.Trans, inverse))
		return
	}
	half := trsmHalf(l.Rows)
	s.prepare(general(l, 0, 0, half, half))
	s.updates = append(s.updates, NewRightFactor(blas.Trans, general(l, half, 0, l.Rows-half, half)))
	s.prepare(general(l, half, half, l.Rows-half, l.Rows-half))
}

// trsmHalf halves n at a multiple of trsmLeaf.
func trsmHalf(n int) int { return (n + trsmLeaf - 1) / trsmLeaf / 2 * trsmLeaf }

// Solve overwrites B (k×n) with X: n²k flops and 64nk more, all in products.
// Ranges of rows are solved side by side. It panics if the shapes do not match.
func (s *RightSolver) Solve(b *mat.Dense) {
	raw := b.RawMatrix()
	if raw.Cols != s.n {
		panic(mat.ErrShape)
	}
	threads.For((raw.Rows+trsmRows-1)/trsmRows, func(i int) {
		rows := min(trsmRows, raw.Rows-i*trsmRows)
		scratch, _ := s.scratch.Get().(*blas64.General)
		if scratch == nil || scratch.Rows < rows {
			fresh := newGeneral(rows, min(trsmLeaf, s.n))
			scratch = &fresh
		}
		part := solution{RightSolver: s, scratch: general(*scratch, 0, 0, rows, scratch.Cols)}
		part.solve(general(raw, i*trsmRows, 0, rows, s.n))
		s.scratch.Put(scratch)
	})
}

// solution is a solve for some rows, on its way through the recursion.
type solution struct {
	*RightSolver
	scratch      blas64.General
	leaf, update int // the next ones
}

func (s *solution) solve(b blas64.General) {
	if b.Cols <= trsmLeaf {
		x := general(s.scratch, 0, 0, b.Rows, b.Cols)
		s.inverses[s.leaf].Mul(1, b, 0, x)
		s.leaf++
		for i := range b.Rows {
			copy(rowOf(b, i), rowOf(x, i))
		}
		return
	}
	half := trsmHalf(b.Cols)
	left, right := general(b, 0, 0, b.Rows, half), general(b, 0, half, b.Rows, b.Cols-half)
	s.solve(left)
	s.updates[s.update].Mul(-1, left, 1, right)
	s.update++
	s.solve(right)
}
