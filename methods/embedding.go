package methods

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/kernel"
)

// NystromEmbedding maps points to R^r so that inner products are those of their
// projections onto the span of the landmarks' kernel functions: φ̃(x) =
// L⁻¹k_pivots(x), K_mm ≈ LLᵀ on r pivots. It differs from Λ^(−1/2)Uᵀk_m(x) by a
// rotation, which changes no distance.
//
// Reference: [KKM, Alg 1].
type NystromEmbedding struct {
	basis  *landmarkBasis
	kernel kernel.Kernel
}

// NewNystromEmbedding picks the landmarks among the points of p and factors
// their kernel matrix: m²D + m³/3 flops and 16m² bytes beside the cost of the
// landmarks' rule.
func NewNystromEmbedding(ctx context.Context, p Problem, o NystromOptions, rng *rand.Rand) (*NystromEmbedding, error) {
	method, err := o.Method()
	if err != nil {
		return nil, err
	}
	basis, err := method.(nystrom).basis(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	return &NystromEmbedding{basis: basis, kernel: p.Kernel}, nil
}

// Dim is r, the numerical rank of the landmarks' kernel matrix.
func (e *NystromEmbedding) Dim() int { return e.basis.rank() }

// Warnings are what a reader should know: fewer landmarks than asked for, a rank
// below their number.
func (e *NystromEmbedding) Warnings() []string { return e.basis.warnings }

// Map returns the n×r coordinates of the rows of x (n×D): n·m kernel values and
// n·r² flops, by row blocks.
func (e *NystromEmbedding) Map(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	embedded := mat.NewDense(n, e.Dim(), nil)
	p := Problem{X: x, Kernel: e.kernel}
	for from := 0; from < n; from += rowsPerBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+rowsPerBlock, n)
		e.basis.coordinates(embedded.Slice(from, to, 0, e.Dim()).(*mat.Dense), p, from, to)
	}
	return embedded, nil
}
