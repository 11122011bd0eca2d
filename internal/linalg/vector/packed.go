package vector

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Packed is op(B), k×n, in the order in which the micro-kernels read it: packed
// once for many products. It is safe for concurrent use.
type Packed struct {
	rows, columns int
	b             matrix
	tiles         *tiles
	panels        [][]float64 // by firstColumn, then firstDepth
	finite        []bool      // of each panel
}

// Pack copies op(B), about 8·k·n bytes.
func Pack(t blas.Transpose, b blas64.General) *Packed {
	k, n := b.Rows, b.Cols
	if t != blas.NoTrans {
		k, n = n, k
	}
	if !fits(b.Data, b.Rows, b.Cols, b.Stride) || k == 0 || n == 0 {
		panic(badShape)
	}
	p := &Packed{rows: k, columns: n, b: operand(t, b.Data, b.Stride), tiles: tilesFor(active)}
	w := panel{product: product{n: n, k: k, b: p.b}, tiles: p.tiles}
	for w.next() {
		var memory buffer
		w.packed = memory.grow(w.slivers() * p.tiles.columns() * w.depth)
		for index := range w.slivers() {
			w.packSliver(index)
		}
		p.panels, p.finite = append(p.panels, w.packed), append(p.finite, finite(w.packed))
	}
	return p
}

// Mul is C = alpha·op(A)·B + beta·C, with the bits that Dgemm gives. Cost and
// failures are those of Dgemm, less the packing of B.
func (p *Packed) Mul(tA blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.General) {
	m, k := a.Rows, a.Cols
	if tA != blas.NoTrans {
		m, k = k, m
	}
	if k != p.rows || c.Rows != m || c.Cols != p.columns || !fits(a.Data, a.Rows, a.Cols, a.Stride) || !fits(c.Data, m, p.columns, c.Stride) {
		panic(badShape)
	}
	work := product{
		m: m, n: p.columns, k: k, alpha: alpha, beta: beta,
		a: operand(tA, a.Data, a.Stride), b: p.b, c: matrix{c.Data, c.Stride, 1}, ready: p,
	}
	work.run()
}
