package vector

import (
	"math"
	"math/bits"
)

// tileFunc is a micro-kernel: for a tile of C of fixed size it computes
//
//	C[i,j] = alpha·Σₚ A[i,p]·B[p,j]            (add false)
//	C[i,j] = alpha·Σₚ A[i,p]·B[p,j] + C[i,j]   (add true)
//
// with p = 0, 1, …, k−1 in this order in one accumulator that starts at 0, and
// with a fused multiply-add in each step and in the update. A[i,p] is
// a[i·rowA + p·colA], B[p,j] is b[p·rowB + j] and C[i,j] is c[i·rowC + j].
type tileFunc func(k int, a []float64, rowA, colA int, b []float64, rowB int, c []float64, rowC int, alpha float64, add bool)

// stepsFunc is a micro-kernel for the tallest tile and packed operands: it takes
// the rows of B that steps name, each by its offset in bytes for a B of one vector
// a row. A has a column for each of them. It looks stepsAhead steps beyond the last
// one, for what to fetch: they must be in memory, whatever they say.
type stepsFunc func(steps []uint32, a, b, c []float64, rowC int, alpha float64, add bool)

// tiles are the micro-kernels of an instruction set, for tiles of 1, 2, 4, …
// up to rows rows and 1, 2, … up to vectors vectors of lanes columns.
type tiles struct {
	rows, lanes, vectors int
	functions            []tileFunc

	// steps are for tiles of 1, 2, … vectors, and squeeze removes what is zero in
	// all rows of a packed sliver of the tallest; nil where there are none.
	steps   []stepsFunc
	squeeze func(packed []float64, steps []uint32, depth int) int
}

// columns is the width of the widest tile.
func (t *tiles) columns() int { return t.lanes * t.vectors }

// height is that of the tallest tile that fits into so many rows.
func (t *tiles) height(rows int) int {
	if rows >= t.rows {
		return t.rows
	}
	return 1 << (bits.Len(uint(rows)) - 1)
}

// microKernel is the micro-kernel for a tile.
func (t *tiles) microKernel(height, vectors int) tileFunc {
	return t.functions[(bits.Len(uint(height))-1)*t.vectors+vectors-1]
}

const (
	stepsAhead     = 4
	minTileRows    = 4 // of the tallest tiles
	maxTileRows    = 8
	maxTileColumns = 24
)

var tilesPortable = tiles{rows: 4, lanes: 4, vectors: 1, functions: []tileFunc{tile1x4, tile2x4, tile4x4}}

func tile4x4(k int, a []float64, rowA, colA int, b []float64, rowB int, c []float64, rowC int, alpha float64, add bool) {
	tile2x4(k, a, rowA, colA, b, rowB, c, rowC, alpha, add)
	tile2x4(k, a[2*rowA:], rowA, colA, b, rowB, c[2*rowC:], rowC, alpha, add)
}

func tile2x4(k int, a []float64, rowA, colA int, b []float64, rowB int, c []float64, rowC int, alpha float64, add bool) {
	tile1x4(k, a, rowA, colA, b, rowB, c, rowC, alpha, add)
	tile1x4(k, a[rowA:], rowA, colA, b, rowB, c[rowC:], rowC, alpha, add)
}

// tile1x4 is the micro-kernel in Go. Where math.FMA is not an instruction it
// rounds twice a step.
func tile1x4(k int, a []float64, _, colA int, b []float64, rowB int, c []float64, _ int, alpha float64, add bool) {
	var sum [4]float64
	for p := range k {
		row := b[p*rowB : p*rowB+4 : p*rowB+4]
		v := a[p*colA]
		sum[0] = multiplyAdd(v, row[0], sum[0])
		sum[1] = multiplyAdd(v, row[1], sum[1])
		sum[2] = multiplyAdd(v, row[2], sum[2])
		sum[3] = multiplyAdd(v, row[3], sum[3])
	}
	c = c[:4]
	for j, s := range sum {
		if add {
			c[j] = multiplyAdd(alpha, s, c[j])
		} else {
			c[j] = alpha * s
		}
	}
}

// multiplyAdd is a step of the portable path; the conversion keeps the compiler from
// fusing some of the steps.
func multiplyAdd(x, y, z float64) float64 {
	if fusedInHardware {
		return math.FMA(x, y, z)
	}
	return z + float64(x*y)
}
