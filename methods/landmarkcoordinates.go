package methods

import (
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
)

// landmarkCoordinates maps points to R^r so that inner products are those of their
// projections onto the span of the landmarks' kernel functions: φ̃(x) =
// L⁻¹k_pivots(x), K_mm ≈ LLᵀ on r pivots. It differs from Λ^(−1/2)Uᵀk_m(x) by a
// rotation, which changes no distance.
//
// Reference: [KKM, Alg 1].
type landmarkCoordinates struct {
	basis *landmarkBasis
}

// rowsPerMap is how many rows one goroutine embeds at a time: their kernel values
// are still in cache when the triangular solve needs them.
const rowsPerMap = 512

// Len is r, the numerical rank of the landmarks' kernel matrix.
func (e *landmarkCoordinates) Len() int { return e.basis.rank() }

// Eval returns the n×r coordinates of the rows of x (n×D): n·m kernel values and
// n·r² flops, by row blocks.
func (e *landmarkCoordinates) Eval(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	z := linalg.NewLarge(n, e.Len())
	threads.For((n+rowsPerMap-1)/rowsPerMap, func(i int) {
		from, to := i*rowsPerMap, min((i+1)*rowsPerMap, n)
		e.basis.coordinates(linalg.Rows(z, from, to), linalg.Rows(x, from, to), Sample{})
	})
	return z
}
