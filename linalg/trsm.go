package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// trsmLeaf is the order of the diagonal blocks handed to blas64.Trsm;
	// everything off them is Gemm.
	trsmLeaf = 32
	// trsmStrip is how many columns of B pass through a diagonal block at a
	// time, so that they stay in cache.
	trsmStrip = 256
)

// SolveLower overwrites B (n×k) with the solution X of L·X = B, L an n×n
// lower triangular matrix. Cost: n²k flops, all but n·32·k of them in Gemm.
//
// A zero on the diagonal gives Inf or NaN, as in BLAS: a factor from
// FactorPivoted has none. SolveLower panics if the shapes do not match or L is
// upper triangular.
func SolveLower(l *mat.TriDense, b *mat.Dense) {
	t, x := triangularPair(l, b.RawMatrix(), b.RawMatrix().Rows)
	solveLower(t, x)
}

// SolveLowerTrans overwrites B (n×k) with the solution X of Lᵀ·X = B. Cost and
// failures are those of SolveLower.
func SolveLowerTrans(l *mat.TriDense, b *mat.Dense) {
	t, x := triangularPair(l, b.RawMatrix(), b.RawMatrix().Rows)
	solveLowerTrans(t, x)
}

// SolveRight overwrites B (k×n) with the solution X of X·Lᵀ = B, which is
// SolveLower for the rows of B: it turns a block of kernel rows K(x, landmarks)
// into Nyström features without a transpose. Cost and failures are those of
// SolveLower.
func SolveRight(b *mat.Dense, l *mat.TriDense) {
	t, x := triangularPair(l, b.RawMatrix(), b.RawMatrix().Cols)
	solveRight(t, x)
}

func triangularPair(l *mat.TriDense, b blas64.General, n int) (blas64.General, blas64.General) {
	t := l.RawTriangular()
	if t.Uplo != blas.Lower || t.N != n {
		panic(mat.ErrShape)
	}
	return blas64.General{Rows: t.N, Cols: t.N, Stride: t.Stride, Data: t.Data}, b
}

// split halves n at a multiple of trsmLeaf.
func split(n int) int {
	leaves := (n + trsmLeaf - 1) / trsmLeaf
	return leaves / 2 * trsmLeaf
}

func solveLower(l, b blas64.General) {
	n, k := b.Rows, b.Cols
	if n <= trsmLeaf || !pureGo() {
		solveLeaf(blas.NoTrans, l, b)
		return
	}
	h := split(n)
	top, bottom := general(b, 0, 0, h, k), general(b, h, 0, n-h, k)
	solveLower(general(l, 0, 0, h, h), top)
	gemm(blas.NoTrans, blas.NoTrans, -1, general(l, h, 0, n-h, h), top, 1, bottom)
	solveLower(general(l, h, h, n-h, n-h), bottom)
}

func solveLowerTrans(l, b blas64.General) {
	n, k := b.Rows, b.Cols
	if n <= trsmLeaf || !pureGo() {
		solveLeaf(blas.Trans, l, b)
		return
	}
	h := split(n)
	top, bottom := general(b, 0, 0, h, k), general(b, h, 0, n-h, k)
	solveLowerTrans(general(l, h, h, n-h, n-h), bottom)
	gemm(blas.Trans, blas.NoTrans, -1, general(l, h, 0, n-h, h), bottom, 1, top)
	solveLowerTrans(general(l, 0, 0, h, h), top)
}

func solveRight(l, b blas64.General) {
	k, n := b.Rows, b.Cols
	if n <= trsmLeaf || !pureGo() {
		blas64.Trsm(blas.Right, blas.Trans, 1, lowerOf(l), b)
		return
	}
	h := split(n)
	left, right := general(b, 0, 0, k, h), general(b, 0, h, k, n-h)
	solveRight(general(l, 0, 0, h, h), left)
	gemm(blas.NoTrans, blas.Trans, -1, left, general(l, h, 0, n-h, h), 1, right)
	solveRight(general(l, h, h, n-h, n-h), right)
}

// solveLeaf solves with a diagonal block, a strip of B at a time to stay in
// cache; another BLAS than gonum's gets the whole solve.
func solveLeaf(t blas.Transpose, l, b blas64.General) {
	width := trsmStrip
	if !pureGo() {
		width = b.Cols
	}
	for j := 0; j < b.Cols; j += width {
		strip := general(b, 0, j, b.Rows, min(width, b.Cols-j))
		blas64.Trsm(blas.Left, t, 1, lowerOf(l), strip)
	}
}

func lowerOf(l blas64.General) blas64.Triangular {
	return blas64.Triangular{
		Uplo: blas.Lower, Diag: blas.NonUnit,
		N: l.Rows, Stride: l.Stride, Data: l.Data,
	}
}
