package vector

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/linalg/threads"
)

const (
	badLength = "vector: slices differ in length"
	badShape  = "vector: shapes do not match"
)

// Gemm is
//
//	C = alpha·op(A)·op(B) + beta·C
//
// for an m×n matrix C, op(A) m×k and op(B) k×n, op being the transpose for
// blas.Trans and blas.ConjTrans. C must not overlap A or B. With beta = 0 what
// C held is ignored, NaN included; with alpha = 0 A and B are. Otherwise Inf
// and NaN propagate, zeros in A or B notwithstanding.
//
// An element of the result depends on its row of op(A), its column of op(B),
// alpha, beta and its old value alone: not on its place, on the other rows and
// columns, on strides and transposes, or on the number of goroutines. So a
// product computed in blocks of rows or columns has the bits of the whole.
//
// Cost: 2·m·n·k flops on as many goroutines as threads.Reserve allows, less where
// rows of A that stand together are zero at the same places, as in images, and
// pooled memory of about 3 MB a call and 0.4 MB a goroutine. Gemm panics if the
// shapes do not match or a slice is too short.
func Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, k := a.Rows, a.Cols
	if tA != blas.NoTrans {
		m, k = k, m
	}
	kb, n := b.Rows, b.Cols
	if tB != blas.NoTrans {
		kb, n = n, kb
	}
	if k != kb || c.Rows != m || c.Cols != n {
		panic(badShape)
	}
	if k == 0 && fits(c.Data, m, n, c.Stride) {
		// Empty operands have no data, which Dgemm refuses.
		p := product{m: m, n: n, beta: beta, c: matrix{c.Data, c.Stride, 1}}
		p.run()
		return
	}
	Implementation{}.Dgemm(tA, tB, m, n, k, alpha, a.Data, max(1, a.Stride), b.Data, max(1, b.Stride), beta, c.Data, max(1, c.Stride))
}

// Syrk is C = alpha·A·Aᵀ + beta·C (t = blas.NoTrans, A n×k) or
// C = alpha·Aᵀ·A + beta·C (t = blas.Trans, A k×n) on the stored triangle of
// the n×n matrix C; the other one is neither read nor written. An element has
// the bits that Gemm gives it.
//
// Cost: n²·k flops and those of the tiles that the diagonal crosses; memory and
// failures are those of Gemm.
func Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric) {
	n, k := a.Rows, a.Cols
	if t != blas.NoTrans {
		n, k = k, n
	}
	if c.N != n {
		panic(badShape)
	}
	Implementation{}.Dsyrk(c.Uplo, t, n, k, alpha, a.Data, max(1, a.Stride), beta, c.Data, max(1, c.Stride))
}

// part says which elements of C a product computes.
type part int

const (
	whole part = iota
	upper
	lower
)

// columnsOf is the range of columns of row i, of n, that are in the part.
func (p part) columnsOf(i, n int) (first, end int) {
	switch p {
	case upper:
		return min(i, n), n
	case lower:
		return 0, min(i+1, n)
	}
	return 0, n
}

// product is C = alpha·A·B + beta·C.
type product struct {
	m, n, k     int
	alpha, beta float64
	a, b, c     matrix
	part        part
	// most is the limit of goroutines, 0 for what package threads leaves room for.
	most int
	// ready is B, packed before; nil where it is not.
	ready *Packed
}

// operand is op(X) for row-major X.
func operand(t blas.Transpose, data []float64, stride int) matrix {
	if t == blas.NoTrans {
		return matrix{data, stride, 1}
	}
	return matrix{data, 1, stride}
}

// run computes the product.
func (p *product) run() {
	if p.m == 0 || p.n == 0 {
		return
	}
	if p.beta != 1 && (p.beta != 0 || p.alpha == 0 || p.k == 0) {
		p.scale()
	}
	if p.alpha == 0 || p.k == 0 {
		return
	}
	if p.m*p.n*p.k <= tinyProduct {
		p.tiny()
		return
	}
	if p.ready == nil && p.narrow() {
		p.m, p.n = p.n, p.m
		p.a, p.b, p.c = p.b.transposed(), p.a.transposed(), p.c.transposed()
	}
	workers, release := p.workers()
	defer release()
	p.blocks(tilesFor(active), workers)
}

// scale is C = beta·C.
func (p *product) scale() {
	for i := range p.m {
		first, end := p.part.columnsOf(i, p.n)
		row := p.c.data[i*p.c.row+first : i*p.c.row+end]
		if p.beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= p.beta
		}
	}
}

// narrow says that Cᵀ = Bᵀ·Aᵀ is cheaper: op(B) would have to be packed for a
// few rows of C, while its transpose can be read where it is.
func (p *product) narrow() bool {
	return p.part == whole && p.b.col != 1 && p.m <= narrowRows
}

// workers is how many goroutines compute the product: as many as it is worth, if
// there is room for them, which is kept until release.
func (p *product) workers() (count int, release func()) {
	flops := 2 * float64(p.m) * float64(p.n) * float64(p.k)
	if p.part != whole {
		flops /= 2
	}
	columns := tilesFor(active).columns()
	tasks := (p.m + leastRows - 1) / leastRows * ((min(p.n, panelColumns) + columns - 1) / columns)
	worth := max(1, min(tasks, int(flops/flopsOfGoroutine)))
	if p.most > 0 {
		return min(worth, p.most), func() {}
	}
	others := threads.Reserve(worth - 1)
	if others == 0 {
		return 1, func() {}
	}
	return 1 + others, func() { threads.Release(others) }
}
