package vector

import (
	"math/bits"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// singleDepth is how many products are summed before they are added to an element
// of a product in single precision.
const singleDepth = 256

// SingleError is a bound on the relative error of a sum of k products in single precision,
// of which one factor is rounded to it: the error is at most this share of the sum of
// magnitudes, where nothing over- or underflows.
func SingleError(k int) float64 {
	pieces := (k + singleDepth - 1) / singleDepth
	return float64(min(k, singleDepth)+pieces+3) * 0x1p-24
}

// singleTileFunc is tileFunc in single precision: A[i,p] is a[rows[i] + p], and B has no
// gaps between its rows.
type singleTileFunc func(k int, a []float32, rows []int, b []float32, c []float32, rowC int, alpha float32, add bool)

// singleTiles are tiles in single precision.
type singleTiles struct {
	rows, lanes, vectors int
	functions            []singleTileFunc
}

var singleTilesPortable = singleTiles{rows: 1, lanes: 8, vectors: 1, functions: []singleTileFunc{single1x8}}

// single1x8 is the micro-kernel in Go, which rounds twice a step.
func single1x8(k int, a []float32, rows []int, b []float32, c []float32, _ int, alpha float32, add bool) {
	var sum [8]float32
	for p, v := range a[rows[0]:][:k] {
		for j, w := range b[8*p:][:8] {
			sum[j] += float32(v * w)
		}
	}
	c = c[:8]
	for j, s := range sum {
		if add {
			c[j] += float32(alpha * s)
		} else {
			c[j] = alpha * s
		}
	}
}

// PackedSingle is op(B), k×n, rounded to single precision, in the order in which the
// micro-kernels read it. It is safe for concurrent use.
type PackedSingle struct {
	rows, columns int
	tiles         *singleTiles
	data          []float32 // slivers of whole vectors, by pieces of singleDepth rows
}

// PackSingle copies op(B), about 4·k·n bytes.
func PackSingle(t blas.Transpose, b blas64.General) *PackedSingle {
	k, n := b.Rows, b.Cols
	if t != blas.NoTrans {
		k, n = n, k
	}
	if !fits(b.Data, b.Rows, b.Cols, b.Stride) || k == 0 || n == 0 {
		panic(badShape)
	}
	p := &PackedSingle{rows: k, columns: n, tiles: singleTilesFor(active)}
	p.data = make([]float32, k*p.padded(n))
	view := operand(t, b.Data, b.Stride)
	p.slivers(func(first, depth, column, columns int, sliver []float32) {
		width := p.padded(columns)
		for q := range depth {
			for j, row := 0, view.at(first+q, column); j < columns; j++ {
				sliver[q*width+j] = float32(row[j*view.col])
			}
		}
	})
	return p
}

// padded is a number of columns, with what fills the last vector.
func (p *PackedSingle) padded(columns int) int {
	return (columns + p.tiles.lanes - 1) / p.tiles.lanes * p.tiles.lanes
}

// slivers calls do for all pieces of B: rows first …, columns column ….
func (p *PackedSingle) slivers(do func(first, depth, column, columns int, sliver []float32)) {
	at, widest := 0, p.tiles.lanes*p.tiles.vectors
	for first := 0; first < p.rows; first += singleDepth {
		depth := min(singleDepth, p.rows-first)
		for column := 0; column < p.columns; column += widest {
			columns := min(widest, p.columns-column)
			size := depth * p.padded(columns)
			do(first, depth, column, columns, p.data[at:at+size])
			at += size
		}
	}
}

// Mul is C = alpha·A·B, or C += alpha·A·B if add is true, in single precision, on the
// caller's processor alone. Row i of A is a[rows[i]:], and no copy is made of it. The
// products of an element are summed in the order of k, in pieces of 256, whatever the
// other rows and columns are. The error is at most SingleError(k)·|alpha|·|A|·|B|, B
// before it was rounded.
//
// AVX-512 and AVX2 give the same bits; portable Go rounds products before it adds them.
// It panics if a row of A or C does not fit.
func (p *PackedSingle) Mul(alpha float32, a []float32, rows []int, c blas32.General, add bool) {
	if c.Rows != len(rows) || c.Cols != p.columns || c.Rows > 0 && (c.Stride < c.Cols || len(c.Data) < (c.Rows-1)*c.Stride+c.Cols) {
		panic(badShape)
	}
	for _, at := range rows {
		_ = a[at:][:p.rows] // the micro-kernels do not check
	}
	var tile []float32 // at the right edge, where the last vector of a row would not fit
	if p.columns%p.tiles.lanes > 0 {
		tile = make([]float32, p.tiles.rows*p.tiles.lanes*p.tiles.vectors)
	}
	block := len(rows)
	if p.columns <= p.tiles.lanes*p.tiles.vectors { // A is what comes from memory: read it in order
		block = p.tiles.rows
	}
	for i := 0; i < len(rows); i += block {
		end := min(i+block, len(rows))
		p.block(alpha, a, rows[i:end], c.Data[i*c.Stride:], c.Stride, add, tile)
	}
}

// block is Mul of some rows.
func (p *PackedSingle) block(alpha float32, a []float32, rows []int, c []float32, rowC int, add bool, tile []float32) {
	p.slivers(func(first, depth, column, columns int, sliver []float32) {
		width := p.padded(columns)
		for i := 0; i < len(rows); {
			height := min(p.tiles.rows, 1<<(bits.Len(uint(len(rows)-i))-1))
			from := c[i*rowC+column:]
			to, stride := from, rowC
			if width > columns {
				to, stride = tile, width
				copySingle(to, width, from, rowC, height, columns)
			}
			f := p.tiles.functions[(bits.Len(uint(height))-1)*p.tiles.vectors+width/p.tiles.lanes-1]
			f(depth, a[first:], rows[i:], sliver, to, stride, alpha, add || first > 0)
			if width > columns {
				copySingle(from, rowC, to, width, height, columns)
			}
			i += height
		}
	})
}

func copySingle(to []float32, rowTo int, from []float32, rowFrom, rows, columns int) {
	for r := range rows {
		copy(to[r*rowTo:r*rowTo+columns], from[r*rowFrom:])
	}
}
