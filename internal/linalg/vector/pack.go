package vector

import (
	"sync"
	"unsafe"
)

// matrix is a view with strides: element (i, j) is data[i·row + j·col]. One of
// the strides is 1.
type matrix struct {
	data     []float64
	row, col int
}

// at is the view from (i, j) on.
func (m matrix) at(i, j int) []float64 { return m.data[i*m.row+j*m.col:] }

// transposed is the view of the transpose.
func (m matrix) transposed() matrix { return matrix{m.data, m.col, m.row} }

// pack writes rows × depth elements of src, from (i, p), to a sliver in which
// the elements of a column stand together: dst[q·width + r] is src(i+r, p+q).
// For rows ≤ r < width it is whatever dst held: lanes that do not mix with the
// others and whose results nobody stores.
func pack(dst []float64, src matrix, i, p, rows, depth, width int) {
	data := src.at(i, p)
	if src.row == 1 {
		if depth > 0 && packColumns(dst, data, src.col, rows, depth, width) {
			return
		}
		for q := range depth {
			copy(dst[q*width:q*width+rows], data[q*src.col:])
		}
		return
	}
	r := 0
	for ; r+4 <= rows; r += 4 {
		packRows4(dst[r:], data[r*src.row:], src.row, depth, width)
	}
	for ; r < rows; r++ {
		for q, v := range data[r*src.row : r*src.row+depth] {
			dst[q*width+r] = v
		}
	}
}

// packRows4 interleaves four rows.
func packRows4(dst, data []float64, stride, depth, width int) {
	if whole := depth &^ 3; whole > 0 && packVectors(dst, data, stride, whole, width) {
		if depth == whole {
			return
		}
		dst, data, depth = dst[whole*width:], data[whole:], depth-whole
	}
	r0 := data[:depth]
	r1 := data[stride : stride+depth][:len(r0)]
	r2 := data[2*stride : 2*stride+depth][:len(r0)]
	r3 := data[3*stride : 3*stride+depth][:len(r0)]
	for q, v := range r0 {
		d := dst[q*width : q*width+4 : q*width+4]
		d[0], d[1], d[2], d[3] = v, r1[q], r2[q], r3[q]
	}
}

// buffer is scratch memory that starts at a cache line.
type buffer []float64

const cacheLine = 64

// grow returns n elements with undefined contents.
func (b *buffer) grow(n int) []float64 {
	if len(*b) < n {
		s := make([]float64, n+cacheLine/8)
		skip := 0
		if over := uintptr(unsafe.Pointer(unsafe.SliceData(s))) % cacheLine; over != 0 {
			skip = int(cacheLine-over) / 8
		}
		*b = s[skip : skip+n]
	}
	return (*b)[:n]
}

// scratch is what one goroutine needs for blocks of A and tiles at the edge, and
// what a product needs for a panel of B.
type scratch struct {
	a, b  buffer
	steps []uint32
	kept  [blockRows / minTileRows][]uint32
	tile  [maxTileRows * maxTileColumns]float64
	panel panel
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}
