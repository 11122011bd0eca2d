package kernel

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
)

// Kernel is a positive semidefinite function on R^D.
type Kernel interface {
	// String gives the resolved formula, bandwidth included; it enters record
	// keys, so two kernels with the same String must be the same function.
	String() string
	// At is the definition, for one pair of points of equal length. It is called side by side.
	At(x, y []float64) float64
	// Bound is κ = sup k(x,x), +Inf where the kernel is unbounded.
	Bound() float64
}

// blockwise is a kernel that fills blocks faster than value by value: it prepares points y
// (m×D) once for many blocks of others.
type blockwise interface{ against(y *mat.Dense) filler }

// against fills blocks of a kernel, pair by pair where it is not blockwise.
func against(k Kernel, y *mat.Dense) filler {
	if k, ok := k.(blockwise); ok {
		return k.against(y)
	}
	return pairwise(y, k.At)
}

// filler fills dst (n×(m−from)) with k(x_i, y_j), j ≥ from, for the rows of x
// (n×D) and the points y that it was made for. It may be called side by side.
type filler func(dst, x *mat.Dense, from int)

// A block of a kernel matrix is computed at once: with many rows, so that
// packing the other points for the matrix product pays, but of about
// blockValues numbers (8 MiB), so that it is still in cache when distances
// become kernel values; and there are blockCount blocks or more for the
// processors to share, where that leaves leastRows.
const (
	blockValues = 1 << 20
	blockCount  = 8
	leastRows   = 128
	mostRows    = 1024
)

// blockRows is how many of n rows of so many columns make a block; the number of
// processors has no part in it, so that results have none.
func blockRows(n, columns int) int {
	rows := min(blockValues/max(1, columns), mostRows, (n+blockCount-1)/blockCount)
	return max(leastRows, (rows+63)/64*64)
}

// Cross returns the n×m matrix of k(x_i, y_j) for x (n×D) and y (m×D). It costs
// n·m kernel evaluations, 2·n·m·D flops for kernels of distances and inner
// products. It panics when the widths of x and y differ.
func Cross(k Kernel, x, y *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	m, _ := y.Dims()
	dst := linalg.NewLarge(n, m)
	CrossTo(dst, k, x, y)
	return dst
}

// CrossTo is Cross into dst (n×m).
func CrossTo(dst *mat.Dense, k Kernel, x, y *mat.Dense) { Against(k, y).To(dst, x) }

// Columns are points y made ready for kernel values with many others. They are
// safe for concurrent use.
type Columns struct {
	m, d int
	fill filler
}

// Against makes the rows of y (m×D) ready: about 16·m·D bytes. They must not
// change.
func Against(k Kernel, y *mat.Dense) *Columns {
	m, d := y.Dims()
	return &Columns{m: m, d: d, fill: against(k, y)}
}

// To fills dst (n×m) with k(x_i, y_j) for the rows of x (n×D), by row blocks. It
// panics on other shapes.
func (c *Columns) To(dst, x *mat.Dense) {
	n, d := x.Dims()
	if r, columns := dst.Dims(); r != n || columns != c.m || d != c.d {
		panic(fmt.Sprintf("kernel: Cross of %d×%d and %d×%d points into %d×%d", n, d, c.m, c.d, r, columns))
	}
	byBlocks(n, c.m, func(from, to int) { c.fill(linalg.Rows(dst, from, to), linalg.Rows(x, from, to), 0) })
}

// Gram returns the n×n matrix of k(x_i, x_j). Only its upper triangle is
// computed, in blocks, and its diagonal is set from At, not from the matrix
// product.
func Gram(k Kernel, x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	if c := counterOf(k); c != nil {
		c.Read(n, n)
		k = c.Kernel
	}
	_, program := k.(Exec) // its blocks are no matrix products
	gram := mat.NewSymDense(n, nil)
	raw, fill := gram.RawSymmetric(), against(k, x)
	var free buffers
	byBlocks(n, n, func(from, to int) {
		buffer, release := free.take(to-from, n-from)
		defer release()
		fill(buffer, linalg.Rows(x, from, to), from)
		for i := from; i < to; i++ {
			copy(raw.Data[i*raw.Stride+i:i*raw.Stride+n], buffer.RawRowView(i - from)[i-from:])
			if !program {
				raw.Data[i*raw.Stride+i] = k.At(x.RawRowView(i), x.RawRowView(i))
			}
		}
	})
	if program {
		checkSemidefinite(gram)
	}
	return gram
}

// byBlocks calls f for consecutive ranges of n rows of so many columns, side by
// side where there are processors.
func byBlocks(n, columns int, f func(from, to int)) {
	size := blockRows(n, columns)
	threads.For((n+size-1)/size, func(i int) { f(i*size, min((i+1)*size, n)) })
}

// buffers are blocks that are free to be used again: one a goroutine, where each
// block would otherwise leave its memory to the collector.
type buffers struct{ pool sync.Pool }

// take is an r×c block with undefined contents, and what gives it back.
func (b *buffers) take(r, c int) (block *mat.Dense, release func()) {
	data, _ := b.pool.Get().(*[]float64)
	if data == nil || len(*data) < r*c {
		fresh := make([]float64, r*c)
		data = &fresh
	}
	return mat.NewDense(r, c, (*data)[:r*c]), func() { b.pool.Put(data) }
}
