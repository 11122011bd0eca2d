package methods

import (
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// finiteCoordinates are those of points under a kernel of finite rank r, n×r,
// where r is so far below n that they are cheaper than the kernel matrix.
func finiteCoordinates(k kernel.Kernel, x *mat.Dense) (*mat.Dense, bool) {
	if n, _ := x.Dims(); rankBelow(k, n) == 0 {
		return nil, false
	}
	return k.(kernel.Finite).Coordinates(x), true
}

// rankBelow is the rank of a kernel whose coordinates are cheaper than the kernel
// matrix of n points; 0 for other kernels.
func rankBelow(k kernel.Kernel, n int) float64 {
	if finite, ok := k.(kernel.Finite); ok && 4*finite.Rank() <= n {
		return float64(finite.Rank())
	}
	return 0
}
