package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/linalg"
)

// Kernel is a positive semidefinite function on R^D.
type Kernel interface {
	// String gives the resolved formula, bandwidth included; it enters record
	// keys, so two kernels with the same String must be the same function.
	String() string
	// At is the definition, for one pair of points of equal length.
	At(x, y []float64) float64
	// Bound is κ = sup k(x,x), +Inf where the kernel is unbounded.
	Bound() float64
	// against prepares points y (m×D) once for many blocks of others.
	against(y *mat.Dense) filler
}

// filler fills dst (n×(m−from)) with k(x_i, y_j), j ≥ from, for the rows of x
// (n×D) and the points y that it was made for. It may be called side by side.
type filler func(dst, x *mat.Dense, from int)

// rowsPerBlock is how many rows of a kernel matrix are computed at once: large
// enough for the matrix product to run at speed, small enough for a block of
// 4096 columns to stay at 8 MiB.
const rowsPerBlock = 256

// Cross returns the n×m matrix of k(x_i, y_j) for x (n×D) and y (m×D). It costs
// n·m kernel evaluations, 2·n·m·D flops for kernels of distances and inner
// products. It panics when the widths of x and y differ.
func Cross(k Kernel, x, y *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	m, _ := y.Dims()
	dst := mat.NewDense(n, m, nil)
	CrossTo(dst, k, x, y)
	return dst
}

// CrossTo is Cross into dst (n×m).
func CrossTo(dst *mat.Dense, k Kernel, x, y *mat.Dense) {
	n, dx := x.Dims()
	m, dy := y.Dims()
	if r, c := dst.Dims(); r != n || c != m || dx != dy {
		panic(fmt.Sprintf("kernel: Cross of %d×%d and %d×%d points into %d×%d", n, dx, m, dy, r, c))
	}
	fill := k.against(y)
	byBlocks(n, func(from, to int) { fill(rows(dst, from, to), rows(x, from, to), 0) })
}

// Gram returns the n×n matrix of k(x_i, x_j). Only its upper triangle is
// computed, in blocks, and its diagonal is set from At, not from the matrix
// product.
func Gram(k Kernel, x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	gram := mat.NewSymDense(n, nil)
	raw, fill := gram.RawSymmetric(), k.against(x)
	byBlocks(n, func(from, to int) {
		buffer := mat.NewDense(to-from, n-from, nil)
		fill(buffer, rows(x, from, to), from)
		for i := from; i < to; i++ {
			copy(raw.Data[i*raw.Stride+i:i*raw.Stride+n], buffer.RawRowView(i - from)[i-from:])
			raw.Data[i*raw.Stride+i] = k.At(x.RawRowView(i), x.RawRowView(i))
		}
	})
	return gram
}

// byBlocks calls f for consecutive ranges of n rows, side by side where there are
// processors.
func byBlocks(n int, f func(from, to int)) {
	linalg.Parallel((n+rowsPerBlock-1)/rowsPerBlock, func(i int) {
		f(i*rowsPerBlock, min((i+1)*rowsPerBlock, n))
	})
}

// rows is the view of rows from..to-1.
func rows(a *mat.Dense, from, to int) *mat.Dense {
	_, c := a.Dims()
	return a.Slice(from, to, 0, c).(*mat.Dense)
}
