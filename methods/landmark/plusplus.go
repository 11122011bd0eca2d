package landmark

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// plusPlus draws by k-means++ in H.
//
// Reference: Arthur & Vassilvitskii 2007, in the kernel's feature space as in
// Oglic & Gärtner 2017.
func (p *problem) plusPlus() (Set, error) {
	if _, err := p.setDiagonal(); err != nil {
		return Set{}, err
	}
	indices, err := p.spread(p.ctx, min(proposals, p.m), p.rng)
	if err != nil {
		return Set{}, err
	}
	return p.short(Set{Indices: indices}, "the others coincide with them to rounding"), nil
}

// spread draws the first point uniformly and each other with probability
// proportional to its squared distance in H from the nearest of those before,
// ‖φ(x) − φ(c)‖² = k(x,x) + k(c,c) − 2k(x,c), until all are at 0.
//
// As for pivots, points are proposed in blocks by the distances at the start of a
// round, and kept with probability new over old.
func (p *problem) spread(ctx context.Context, block int, rng *rand.Rand) ([]int, error) {
	first := rng.IntN(p.total)
	if p.times != nil {
		first = counts.At(p.sums, first)
	}
	chosen := []int{first}
	distance := slices.Repeat([]float64{math.Inf(1)}, p.n)
	if err := p.approach(distance, chosen); err != nil {
		return nil, err
	}
	for len(chosen) < p.m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sums := cumulative(times(p.times, distance))
		if sums[p.n-1] == 0 {
			break
		}
		proposed := make([]int, block)
		for i := range proposed {
			proposed[i] = drawFrom(sums, rng)
		}
		kept := p.keepFar(proposed, distance, p.m-len(chosen), rng)
		if err := p.approach(distance, kept); err != nil {
			return nil, err
		}
		chosen = append(chosen, kept...)
	}
	return chosen, nil
}

// sqDistance is ‖φ(x_i) − φ(x_j)‖² from k(x_i, x_j); what rounding may have left
// is 0.
func (p *problem) sqDistance(i, j int, value float64) float64 {
	size := p.diag[i] + p.diag[j]
	if d := size - 2*value; i != j && d > linalg.DefaultPivotTolerance(16)*size {
		return d
	}
	return 0
}

// keepFar decides which of the proposed points are kept, up to most.
func (p *problem) keepFar(proposed []int, distance []float64, most int, rng *rand.Rand) []int {
	points := linalg.SelectRows(p.x, proposed)
	values := kernel.Cross(p.kernel, points, points)
	var kept, at []int
	for i, index := range proposed {
		left := distance[index]
		for _, j := range at {
			left = min(left, p.sqDistance(index, proposed[j], values.At(i, j)))
		}
		if u := rng.Float64(); len(kept) < most && u*distance[index] < left {
			kept, at = append(kept, index), append(at, i)
		}
	}
	return kept
}

// approach lowers the distances to those from the points added.
func (p *problem) approach(distance []float64, added []int) error {
	points := linalg.SelectRows(p.x, added)
	buffer := mat.NewDense(min(rowsPerBlock, p.n), len(added), nil)
	return p.eachBlock(p.n, func(from, to int) {
		block := linalg.Rows(buffer, 0, to-from)
		kernel.CrossTo(block, p.kernel, linalg.Rows(p.x, from, to), points)
		for i := from; i < to; i++ {
			for j, index := range added {
				distance[i] = min(distance[i], p.sqDistance(i, index, block.At(i-from, j)))
			}
		}
	})
}
