package lloyd

import (
	"context"
	"math/rand/v2"
)

// patience is how many steps without a lower smoothed cost stop the mini-batch
// variant.
const patience = 10

// miniBatch takes steps of o.MiniBatch points drawn with replacement: each is
// assigned to its nearest centre, and each centre moves to the mean of all
// points that it was ever given, so that its learning rate is one over their
// number, and a bad start is long remembered. A centre that gets none in a whole pass moves to the point of the
// batch that is farthest from its centre and forgets what it was given.
//
// The steps stop when the squared shift of the centres, or the cost of the
// batch, smoothed over about half a pass, is at most Tol times the mean variance
// of the columns, or has had no new minimum for 10 steps after the first pass.
// Then all points are assigned once.
//
// Cost: 2bdk flops a step, b the batch; one pass over x at the end.
//
// Reference: Sculley, Web-scale k-means clustering, WWW 2010.
// Deviation: the points of a batch move their centre together, which gives the
// same centre as one after another; the stopping rule is scikit-learn's.
func (r *run) miniBatch(ctx context.Context, o Options, rng *rand.Rand) error {
	p := r.space.(*points)
	p.sums = nil // its centres are no means of clusters
	b := miniBatch{run: r, points: p, rows: make([]int, o.MiniBatch), label: make([]int, o.MiniBatch),
		got: make([]int, r.k), sum: make([]float64, r.k*p.d), seen: make([]float64, r.k), idle: make([]int, r.k),
		smoothing: min(1, 2*float64(o.MiniBatch)/float64(r.n+1))}
	steps := (o.MaxIter*r.n + o.MiniBatch - 1) / o.MiniBatch
	for r.result.Iterations < steps {
		for t := range b.rows {
			b.rows[t] = rng.IntN(r.n)
		}
		if err := b.evaluate(ctx); err != nil {
			return err
		}
		shift, cost := b.move()
		p.now.prepare(p)
		r.result.Iterations++
		if b.stops(shift, cost, o.Tol) {
			r.result.Converged = true
			break
		}
	}
	_, err := r.assign(ctx)
	return err
}

// miniBatch is the state of the steps.
type miniBatch struct {
	*run
	points    *points
	rows      []int     // of the batch
	label     []int     // of each of them
	got       []int     // points of the batch, for each centre
	sum       []float64 // of their differences from it
	seen      []float64 // points that each centre was given
	idle      []int     // points drawn since it was last given one
	smoothing float64
	shift     float64 // smoothed
	cost      float64
	least     float64
	since     int // steps since the least smoothed cost
}

// evaluate finds the nearest centres of the batch.
func (b *miniBatch) evaluate(ctx context.Context) error {
	size := min(productRows(b.points.d, b.k), b.n)
	tasks := (len(b.rows) + size - 1) / size
	return parallel(ctx, tasks, min(b.workers(), tasks), func(worker, task int) {
		place := task * size
		b.nearest(worker, b.rows[place:min(len(b.rows), place+size)], func(_ int, near nearest) {
			b.label[place] = near.label
			place++
		})
	})
}

// move takes the centres to the batch. It returns their squared shift and the mean squared
// distance of the batch to the centres before.
func (b *miniBatch) move() (shift, cost float64) {
	farthest, reach, buffer := b.rows[0], -1.0, b.points.buffer()
	clear(b.got)
	clear(b.sum)
	for place, i := range b.rows {
		label := b.label[place]
		own, x := b.points.now.row(label), b.points.row(i, buffer)
		value := SquaredDistance(x, own)
		cost += value / float64(len(b.rows))
		if value > reach {
			farthest, reach = i, value
		}
		b.got[label]++
		into := b.sum[label*len(x):][:len(x)]
		for c, v := range x {
			into[c] += v - own[c]
		}
	}
	for j := range b.k {
		centre := b.points.now.row(j)
		moved := b.sum[j*len(centre):][:len(centre)]
		b.idle[j] += len(b.rows)
		if b.got[j] > 0 {
			b.idle[j] = 0
			b.seen[j] += float64(b.got[j])
			for c := range moved {
				moved[c] /= b.seen[j]
			}
		} else if b.idle[j] >= b.n && reach > 0 {
			for c, v := range b.points.row(farthest, buffer) {
				moved[c] = v - centre[c]
			}
			b.seen[j], b.idle[j], reach = 1, 0, 0
			b.result.Reassigned++
		}
		for c, v := range moved {
			centre[c] += v
			shift += v * v
		}
	}
	return shift, cost
}

// stops takes over the figures of a step and says whether they are enough.
func (b *miniBatch) stops(shift, cost, tol float64) bool {
	if b.result.Iterations == 1 {
		b.shift, b.cost, b.least = shift, cost, cost
		return false
	}
	b.shift += b.smoothing * (shift - b.shift)
	b.cost += b.smoothing * (cost - b.cost)
	b.since++
	if b.cost < b.least {
		b.least, b.since = b.cost, 0
	}
	if b.result.Iterations*len(b.rows) < b.n {
		return false
	}
	return b.shift <= tol*b.variance() || b.since >= patience
}
