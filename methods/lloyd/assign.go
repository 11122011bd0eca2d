package lloyd

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Assign gives each row of x, n×d, the nearest row of centers, k×d, of equals
// the lowest, and its squared distance, by differences. It panics if the shapes
// differ, and returns an error if either holds NaN, Inf or values whose squares
// overflow, or if the context ends. Cost: 2ndk flops, two passes over x.
func Assign(ctx context.Context, x, centers *mat.Dense) (labels []int, sqDistances []float64, err error) {
	n, d := x.Dims()
	k, columns := centers.Dims()
	if n == 0 || k == 0 || columns != d {
		panic(fmt.Sprintf("lloyd: %d×%d points and %d×%d centres", n, d, k, columns))
	}
	p, err := newPoints(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	r := newRun(p, k, Options{Bounds: None})
	if err := r.init(ctx, Options{Init: FromCenters, Centers: centers}, nil); err != nil {
		return nil, nil, err
	}
	if _, err := r.assign(ctx); err != nil {
		return nil, nil, err
	}
	sqDistances, err = r.ownDistances(ctx)
	return r.labels, sqDistances, err
}

// chunkRows is the number of rows of a chunk.
func (p *points) chunkRows() int { return blocksOfChunk * blockRows(p.d) }

func (p *points) chunks() int { return (p.n + p.chunkRows() - 1) / p.chunkRows() }

// eachChunk calls do for each chunk of rows [from, to).
func (p *points) eachChunk(ctx context.Context, workers int, do func(worker, chunk, from, to int)) error {
	size := p.chunkRows()
	return parallel(ctx, p.chunks(), workers, func(worker, chunk int) {
		do(worker, chunk, chunk*size, min(p.n, (chunk+1)*size))
	})
}

// assign gives every point its nearest centre and brings the sums up to date.
// It returns how many labels changed.
func (r *run) assign(ctx context.Context) (changed int, err error) {
	err = r.eachChunk(ctx, len(r.scratch), func(worker, _, from, to int) {
		s := r.scratch[worker]
		for i := from; i < to; i++ {
			if r.bounds != nil && r.labels[i] >= 0 && r.bounds.holds(i, r.labels[i]) {
				continue
			}
			s.index = append(s.index, i)
			if len(s.index) == cap(s.index) {
				r.evaluate(s)
			}
		}
		r.evaluate(s)
	})
	r.result.Ties = 0
	for _, s := range r.scratch {
		if s.counts.changed > 0 {
			r.sums.absorb(s.delta)
		}
		changed += s.counts.changed
		r.result.Ties += s.counts.ties
		r.result.Evaluated += s.counts.evaluated
		s.counts = counts{}
	}
	return changed, err
}

// evaluate finds the labels of the gathered points.
func (r *run) evaluate(s *scratch) {
	s.evaluate(r.points, r.now, func(place int, near nearest, distance []float64) {
		i := s.index[place]
		if near.tie {
			s.counts.ties++
		}
		if old := r.labels[i]; old != near.label {
			s.counts.changed++
			r.labels[i] = near.label
			if old < 0 {
				s.delta.add(near.label, r.row(i))
			} else {
				s.delta.move(old, near.label, r.row(i))
			}
		}
		if r.bounds != nil {
			r.bounds.record(i, near, distance)
		}
	})
	s.counts.evaluated += len(s.index)
	s.index = s.index[:0]
}

// ownDistances are the squared distances of the points to their centres.
func (r *run) ownDistances(ctx context.Context) ([]float64, error) {
	out := make([]float64, r.n)
	err := r.eachChunk(ctx, len(r.scratch), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			out[i] = squaredDistance(r.row(i), r.now.row(r.labels[i]))
		}
	})
	return out, err
}

// cost is Σ_i ‖x_i − c_{label i}‖² by differences: sums of chunks, added in order.
func (p *points) cost(ctx context.Context, labels []int, c *centres) (float64, error) {
	parts := make([]float64, p.chunks())
	err := p.eachChunk(ctx, workers(len(parts)), func(_, chunk, from, to int) {
		for i := from; i < to; i++ {
			parts[chunk] += squaredDistance(p.row(i), c.row(labels[i]))
		}
	})
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return total, err
}
