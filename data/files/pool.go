package files

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Pool is a store of N points in R^D of which rows are drawn. A Pool does not
// change once made, so any number of goroutines may draw from it.
type Pool interface {
	// Len is the number of points N.
	Len() int
	// Dim is the dimension D.
	Dim() int
	// Rows writes the points of the given indices, in that order and as often
	// as they are named, into dst. An empty dst is sized len(idx)×D; any other
	// must have that shape. Rows panics on another shape, on an index outside
	// [0, N), and on no indices at all. Cost: 8·len(idx)·D bytes.
	Rows(idx []int, dst *mat.Dense)
}

// Viewer is a Pool that may have points in memory as float64.
type Viewer interface {
	Pool
	// View is the points from … to−1 themselves, not to be written to; nil where
	// they are not rows of a matrix one after another.
	View(from, to int) *mat.Dense
}

// DensePool is a Pool over a float64 matrix, N×D, which it does not copy.
type DensePool struct{ X *mat.Dense }

// Len is the number of rows of X.
func (p DensePool) Len() int { n, _ := p.X.Dims(); return n }

// Dim is the number of columns of X.
func (p DensePool) Dim() int { _, d := p.X.Dims(); return d }

// Rows copies rows of X; see Pool.
func (p DensePool) Rows(idx []int, dst *mat.Dense) {
	size(dst, len(idx), p.Dim())
	for i, j := range idx {
		copy(dst.RawRowView(i), p.X.RawRowView(j))
	}
}

// View is a slice of X.
func (p DensePool) View(from, to int) *mat.Dense {
	return p.X.Slice(from, to, 0, p.Dim()).(*mat.Dense)
}

// BytePool is a Pool over N·D bytes, row by row: coordinate = byte/divisor. It
// holds the bytes alone, 8 times less than float64 takes.
type BytePool struct {
	data  []byte
	d     int
	value [256]float64 // value[b] = b/divisor, correctly rounded
}

// NewBytePool returns the Pool of len(data)/d points, whose coordinates are
// byte/divisor: 1 keeps the bytes' values, 255 maps them into [0,1]. The data
// are kept, not copied. It panics if d does not divide len(data) or if divisor
// is not positive.
func NewBytePool(data []byte, d int, divisor float64) *BytePool {
	if d <= 0 || len(data)%d != 0 {
		panic(fmt.Sprintf("files: %d bytes are no whole number of points of dimension %d", len(data), d))
	}
	if !(divisor > 0) {
		panic(fmt.Sprintf("files: divisor %v is not positive", divisor))
	}
	p := &BytePool{data: slices.Clip(data), d: d}
	for b := range p.value {
		p.value[b] = float64(b) / divisor
	}
	return p
}

// Len is the number of points.
func (p *BytePool) Len() int { return len(p.data) / p.d }

// Dim is the number of bytes of a point.
func (p *BytePool) Dim() int { return p.d }

// Bytes are all the points' bytes, N·D, row by row, not to be written to.
func (p *BytePool) Bytes() []byte { return p.data }

// Rows converts the rows asked for; see Pool.
func (p *BytePool) Rows(idx []int, dst *mat.Dense) {
	size(dst, len(idx), p.d)
	for i, j := range idx {
		row := dst.RawRowView(i)
		for c, b := range p.data[j*p.d : (j+1)*p.d] {
			row[c] = p.value[b]
		}
	}
}

// selection is some of a Pool's points, by reference.
type selection struct {
	Pool
	idx []int
}

func (s selection) Len() int { return len(s.idx) }

func (s selection) Rows(idx []int, dst *mat.Dense) {
	s.Pool.Rows(pick(s.idx, idx), dst)
}

// View is that of the Pool where the points from … to−1 are neighbours there.
func (s selection) View(from, to int) *mat.Dense {
	v, ok := s.Pool.(Viewer)
	if !ok {
		return nil
	}
	for i, j := range s.idx[from:to] {
		if j != s.idx[from]+i {
			return nil
		}
	}
	return v.View(s.idx[from], s.idx[from]+to-from)
}

func size(dst *mat.Dense, n, d int) {
	if n == 0 {
		panic("files: Rows of no indices")
	}
	if dst.IsEmpty() {
		dst.ReuseAs(n, d)
		return
	}
	if r, c := dst.Dims(); r != n || c != d {
		panic(fmt.Sprintf("files: Rows into a %d×%d matrix, want %d×%d", r, c, n, d))
	}
}
