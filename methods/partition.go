package methods

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg/threads"
	"mercer/methods/lloyd"
)

// embeddedCentres assigns points to centres in an embedding. Where that is
// isometric, the squared distance in H is
//
//	‖k(·,x) − c_j‖² = k(x,x) − ‖z(x)‖² + ‖z(x) − c_j‖²:
//
// what the projection leaves of k(·,x) counts, or distances under different
// embeddings could not be compared.
//
// Reference: [KKM, §2, W(C, μ)].
type embeddedCentres struct {
	embedding *Embedding
	kernel    kernel.Kernel
	centres   *mat.Dense // k×d
}

// Distances says "H" for an isometric embedding.
func (c *embeddedCentres) Distances() string {
	if c.embedding.Isometric {
		return "H"
	}
	return "embedding"
}

// Assign embeds the points by row blocks and costs 3ndk flops beside.
func (c *embeddedCentres) Assign(ctx context.Context, x *mat.Dense) (labels []int, squared []float64, err error) {
	n, _ := x.Dims()
	labels, squared = make([]int, n), make([]float64, n)
	err = c.embedding.eachBlock(ctx, x, func(from int, rows, z *mat.Dense) {
		count, _ := rows.Dims()
		var norms []float64
		if c.embedding.Isometric {
			norms = kernel.Diagonal(c.kernel, rows)
		}
		eachRow(count, func(i int) {
			row := z.RawRowView(i)
			label, distance := c.nearest(row)
			if c.embedding.Isometric {
				distance += max(0, norms[i]-floats.Dot(row, row))
			}
			labels[from+i], squared[from+i] = label, distance
		})
	})
	return labels, squared, err
}

// nearest is the centre of least squared distance to z, of equals the lowest.
func (c *embeddedCentres) nearest(z []float64) (label int, squared float64) {
	k, _ := c.centres.Dims()
	squared = math.Inf(1)
	for j := range k {
		if s := lloyd.SquaredDistance(z, c.centres.RawRowView(j)); s < squared {
			label, squared = j, s
		}
	}
	return label, squared
}

// eachRow calls f for every i below n, runs of them side by side.
func eachRow(n int, f func(i int)) {
	const run = 64
	threads.For((n+run-1)/run, func(r int) {
		for i := r * run; i < min((r+1)*run, n); i++ {
			f(i)
		}
	})
}
