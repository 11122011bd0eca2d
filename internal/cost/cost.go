// Package cost counts what a computation takes, before it is run: floating-point
// operations, and the bytes of the arrays that it holds at once.
//
//  1. The building blocks here, and those of the routines that know their own
//     workspace (linalg.TopCost, linalg.PivotedCost, lloyd.Cost), are costs of matrices,
//     kernel values and decompositions.
//  2. Methods, rules of landmarks, measures and populations add them up: Plus for
//     what is held beside each other, Then for what comes after each other.
//  3. Package runner refuses what exceeds its memory, and packs cells side by side, by the
//     sums.
//
// Bytes count arrays that must be there at the same time. Garbage, buffers of a fixed
// size and the program itself are not in them.
//
//	n, m, D, ℓ      n, m, dim, ell
package cost

import (
	"os"
	"strings"
	"sync"
)

// Cost is what a computation takes.
type Cost struct {
	Flops float64
	Bytes float64 // of the arrays that are held at once
}

// Plus is the cost of two computations whose arrays are held beside each other.
func (c Cost) Plus(other Cost) Cost {
	return Cost{c.Flops + other.Flops, c.Bytes + other.Bytes}
}

// Then is the cost of a computation and one after it, which starts when the arrays of
// the first are free again: the larger ones count.
func (c Cost) Then(other Cost) Cost {
	return Cost{c.Flops + other.Flops, max(c.Bytes, other.Bytes)}
}

// ValueFlops is the cost of a kernel value or a random feature beside the flops of its
// inner product.
const ValueFlops = 20

// Numbers are count numbers in double precision.
func Numbers(count float64) Cost { return Cost{Bytes: 8 * count} }

// Symmetric is a symmetric matrix of order n. Only its upper triangle is written:
// pages below it stay without memory, unless the system backs all memory by huge
// pages.
func Symmetric(n float64) Cost {
	const page = 4096
	if wholeSquares() {
		return Numbers(n * n)
	}
	return Cost{Bytes: min(8*n*n, 4*n*n+page/2*n)}
}

// wholeSquares says that the system backs all memory by huge pages.
var wholeSquares = sync.OnceValue(func() bool {
	mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && strings.Contains(string(mode), "[always]")
})

// Values are count kernel values of points in R^dim, each from an inner product. What
// they are kept in is not in it.
func Values(count, dim float64) Cost { return Cost{Flops: count * (2*dim + ValueFlops)} }

// Gram is the kernel matrix of n points in R^dim.
func Gram(n, dim float64) Cost {
	return Cost{Flops: n * n * (dim + ValueFlops)}.Plus(Symmetric(n))
}
