package methods

import (
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// finiteCoordinates are those of points under a kernel of finite rank r, n×r,
// where r is so far below n that they are cheaper than the kernel matrix.
func finiteCoordinates(k kernel.Kernel, x *mat.Dense) (*mat.Dense, bool) {
	finite, ok := k.(kernel.Finite)
	n, _ := x.Dims()
	if !ok || finite.Rank() == 0 || 4*finite.Rank() > n {
		return nil, false
	}
	return finite.Coordinates(x), true
}
