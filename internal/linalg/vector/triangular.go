package vector

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// triangularLeaf is the order of the diagonal blocks that go to gonum; all off
// them is Dgemm. triangularStrip is how many columns of B pass through one at a
// time, so that they stay in cache.
const (
	triangularLeaf  = 16
	triangularStrip = 128
)

// Dtrsm solves op(A)·X = alpha·B (blas.Left) or X·op(A) = alpha·B (blas.Right)
// for a triangular matrix A and stores X in B. Halving A recursively turns all
// but the diagonal blocks of 16 into Dgemm.
func (impl Implementation) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if k := order(s, m, n); k <= triangularLeaf || alpha == 0 || !validTriangular(s, ul, t, d, m, n, a, lda, b, ldb) {
		impl.Implementation.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	x := matrix{b, ldb, 1}
	if alpha != 1 {
		scale := product{m: m, n: n, beta: alpha, c: x}
		scale.run()
	}
	newTriangle(impl, s, ul, t, d, a, lda).solve(x, 0, order(s, m, n), m+n-order(s, m, n))
}

// Dtrmm is B = alpha·op(A)·B (blas.Left) or B = alpha·B·op(A) (blas.Right) for
// a triangular matrix A, by the recursion of Dtrsm.
func (impl Implementation) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	if k := order(s, m, n); k <= triangularLeaf || alpha == 0 || !validTriangular(s, ul, t, d, m, n, a, lda, b, ldb) {
		impl.Implementation.Dtrmm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	x := matrix{b, ldb, 1}
	newTriangle(impl, s, ul, t, d, a, lda).multiply(x, 0, order(s, m, n), m+n-order(s, m, n))
	if alpha != 1 {
		scale := product{m: m, n: n, beta: alpha, c: x}
		scale.run()
	}
}

// Dsymm is C = alpha·A·B + beta·C (blas.Left) or C = alpha·B·A + beta·C
// (blas.Right) for a symmetric matrix A, of which one triangle is read. It
// mirrors A into a full matrix, of as many elements, for Dgemm.
func (impl Implementation) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	k := order(s, m, n)
	if k <= triangularLeaf || alpha == 0 || !validTriangular(s, ul, blas.NoTrans, blas.Unit, m, n, a, lda, b, ldb) || !fits(c, m, n, ldc) {
		impl.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	mirror := scratches.Get().(*scratch)
	defer scratches.Put(mirror)
	full := mirror.b.grow(k * k)
	for i := range k {
		first, end := i, k
		if ul == blas.Lower {
			first, end = 0, i+1
		}
		row := a[i*lda+first : i*lda+end]
		copy(full[i*k+first:], row)
		for j, v := range row {
			full[(first+j)*k+i] = v
		}
	}
	if s == blas.Left {
		impl.Dgemm(blas.NoTrans, blas.NoTrans, m, n, m, alpha, full, k, b, ldb, beta, c, ldc)
	} else {
		impl.Dgemm(blas.NoTrans, blas.NoTrans, m, n, n, alpha, b, ldb, full, k, beta, c, ldc)
	}
}

// order is that of the triangular or symmetric factor.
func order(s blas.Side, m, n int) int {
	if s == blas.Left {
		return m
	}
	return n
}

func validTriangular(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) bool {
	k := order(s, m, n)
	return (s == blas.Left || s == blas.Right) && valid(ul, t) && (d == blas.Unit || d == blas.NonUnit) &&
		m > 0 && n > 0 && fits(a, k, k, lda) && fits(b, m, n, ldb)
}

// triangle is op(A) on one side of B.
type triangle struct {
	impl  Implementation
	left  bool
	lower bool // that op(A) is
	trans blas.Transpose
	a     blas64.Triangular
	op    matrix
}

func newTriangle(impl Implementation, s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, a []float64, lda int) *triangle {
	return &triangle{
		impl: impl, left: s == blas.Left, lower: (ul == blas.Lower) == (t == blas.NoTrans), trans: t,
		a:  blas64.Triangular{Uplo: ul, Diag: d, Stride: lda, Data: a},
		op: operand(t, a, lda),
	}
}

// solve overwrites the rows (columns, on the right) from i to before end of x
// with the solution of the diagonal block of op(A). width is the other extent.
func (t *triangle) solve(x matrix, i, end, width int) {
	if end-i <= triangularLeaf {
		t.leaf(x, i, end, width, gonumSolve)
		return
	}
	half := t.middle(i, end)
	// Substitution starts at the top for L·X and X·U, at the end for the others.
	if t.lower == t.left {
		t.solve(x, i, half, width)
		t.update(x, half, end, i, half, width, -1)
		t.solve(x, half, end, width)
	} else {
		t.solve(x, half, end, width)
		t.update(x, i, half, half, end, width, -1)
		t.solve(x, i, half, width)
	}
}

// multiply is solve's inverse: the same steps in the opposite order.
func (t *triangle) multiply(x matrix, i, end, width int) {
	if end-i <= triangularLeaf {
		t.leaf(x, i, end, width, gonumMultiply)
		return
	}
	half := t.middle(i, end)
	if t.lower == t.left {
		t.multiply(x, half, end, width)
		t.update(x, half, end, i, half, width, 1)
		t.multiply(x, i, half, width)
	} else {
		t.multiply(x, i, half, width)
		t.update(x, i, half, half, end, width, 1)
		t.multiply(x, half, end, width)
	}
}

// middle halves a range at a multiple of triangularLeaf.
func (t *triangle) middle(i, end int) int {
	leaves := (end - i + triangularLeaf - 1) / triangularLeaf
	return i + leaves/2*triangularLeaf
}

// update adds to the rows (columns) to… of x alpha times the block of op(A)
// that couples them to the rows (columns) from….
func (t *triangle) update(x matrix, to, toEnd, from, fromEnd, width int, alpha float64) {
	p := product{alpha: alpha, beta: 1, k: fromEnd - from, most: t.impl.Workers}
	if t.left {
		p.m, p.n = toEnd-to, width
		p.a = matrix{t.op.at(to, from), t.op.row, t.op.col}
		p.b = matrix{x.at(from, 0), x.row, 1}
		p.c = matrix{x.at(to, 0), x.row, 1}
	} else {
		p.m, p.n = width, toEnd-to
		p.a = matrix{x.at(0, from), x.row, 1}
		p.b = matrix{t.op.at(from, to), t.op.row, t.op.col}
		p.c = matrix{x.at(0, to), x.row, 1}
	}
	p.run()
}

type leafFunc func(t *triangle, s blas.Side, trans blas.Transpose, m, n int, a, b []float64, ldb int)

func gonumSolve(t *triangle, s blas.Side, trans blas.Transpose, m, n int, a, b []float64, ldb int) {
	t.impl.Implementation.Dtrsm(s, t.a.Uplo, trans, t.a.Diag, m, n, 1, a, t.a.Stride, b, ldb)
}

func gonumMultiply(t *triangle, s blas.Side, trans blas.Transpose, m, n int, a, b []float64, ldb int) {
	t.impl.Implementation.Dtrmm(s, t.a.Uplo, trans, t.a.Diag, m, n, 1, a, t.a.Stride, b, ldb)
}

// leaf applies a diagonal block in strips. On the right X·op(A) is handled as
// op(A)ᵀ·Xᵀ on transposed strips, for which gonum has long vectors.
func (t *triangle) leaf(x matrix, i, end, width int, f leafFunc) {
	k := end - i
	a := t.a.Data[i*t.a.Stride+i:]
	if t.left {
		for j := 0; j < width; j += triangularStrip {
			f(t, blas.Left, t.trans, k, min(triangularStrip, width-j), a, x.at(i, j), x.row)
		}
		return
	}
	flipped := blas.Trans
	if t.trans != blas.NoTrans {
		flipped = blas.NoTrans
	}
	var strip [triangularLeaf * triangularStrip]float64
	for j := 0; j < width; j += triangularStrip {
		rows := min(triangularStrip, width-j)
		pack(strip[:], x, j, i, rows, k, rows)
		f(t, blas.Left, flipped, k, rows, a, strip[:], rows)
		for r := range rows {
			row := x.at(j+r, i)[:k]
			for q := range row {
				row[q] = strip[q*rows+r]
			}
		}
	}
}
