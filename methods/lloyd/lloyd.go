package lloyd

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"
)

// Cluster divides the n rows of x, n×d, into k clusters by k-means: labels and
// centres for which Σ_i w_i ‖x_i − c_{label i}‖² is low, by Lloyd's algorithm from
// each of Options.Restarts starts. Row i stands for w_i = weights[i] points in one
// place; with nil weights each is one point. With weights, labels and centres are, up to
// rounding, those of all points from the same stream.
//
// Cost: a start draws k centres, each in one pass over x and 2nd flops (greedy:
// times 2 + log k). An iteration costs at most 2ndk flops and one pass over x;
// with bounds only the points whose label could change are touched, which in all
// is a few passes. One pass for statistics at first, one for the first sums and one
// for the cost at the end of a start. Memory beside x: 40n bytes and 8n for each candidate of a seed, bounds
// of 16 bytes a row, 16kd bytes a goroutine, a copy
// of the sample of Options.Warm, and at most about 2 MB a goroutine for blocks.
//
// An error is returned if x or given centres hold NaN, Inf or values whose
// squares overflow, if k is not between 1 and the number of points, if options are
// wrong, if weights come with mini-batches or a warm start, or if the context ends: it
// is looked at between chunks of rows. Given centres or weights of the wrong shape panic,
// as does an empty x. Not converged, empty clusters and ties are warnings in the result.
//
// The result depends on x, weights, k, o and the stream alone: the bits are the same for
// every GOMAXPROCS, BLAS back end, and with bounds or without.
//
// Reference: Lloyd, Least squares quantization in PCM, IEEE Transactions on
// Information Theory 28 (1982); k-means++: Arthur and Vassilvitskii, SODA 2007;
// centres refined on samples first: Bradley and Fayyad, ICML 1998.
// Deviation: without weights the sums behind the centres are exact (two parts on
// grids), so they are updated by the points that changed cluster alone and never drift.
func Cluster(ctx context.Context, x *mat.Dense, weights []float64, k int, o Options, rng *rand.Rand) (Result, error) {
	return clusterPoints(ctx, dense(x, weights), k, o, rng)
}

// ClusterSingle is Cluster of points that are kept in single precision, half the memory:
// the result is that of the same points as float64.
func ClusterSingle(ctx context.Context, x blas32.General, k int, o Options, rng *rand.Rand) (Result, error) {
	return clusterPoints(ctx, singles(x), k, o, rng)
}

func clusterPoints(ctx context.Context, p *points, k int, o Options, rng *rand.Rand) (Result, error) {
	unfit := p.weights != nil && (o.Warm > 0 || o.MiniBatch > 0)
	if err := o.check(p.total, k, unfit, "a sample of counts takes no mini-batches and no warm start"); err != nil {
		return Result{}, err
	}
	if err := o.checkCenters(k, p.d); err != nil {
		return Result{}, err
	}
	if err := p.look(ctx); err != nil {
		return Result{}, err
	}
	if o.Warm == 0 {
		return starts(ctx, p, k, o, rng)
	}
	few := p.sample(sampleRows(p.n, max(k, int(o.Warm*float64(p.n))), rng))
	if err := few.look(ctx); err != nil {
		return Result{}, err
	}
	first, err := starts(ctx, few, k, o, rng)
	if err != nil {
		return Result{}, err
	}
	o.Init, o.Centers, o.Restarts = FromCenters, first.Centers, 1
	r, err := starts(ctx, p, k, o, rng)
	r.Start, r.Sampled = first.Start, first.Iterations
	return r, err
}

// sampleRows draws so many of n rows without replacement, in ascending order.
func sampleRows(n, rows int, rng *rand.Rand) []int {
	out := make([]int, 0, rows)
	for i := range n {
		if rng.IntN(n-i) < rows-len(out) {
			out = append(out, i)
		}
	}
	return out
}

// starts makes all starts and returns the best.
func starts(ctx context.Context, s space, k int, o Options, rng *rand.Rand) (best Result, err error) {
	for start := range o.Restarts {
		one, err := newRun(s, k, o).start(ctx, o, rng)
		if err != nil {
			return Result{}, err
		}
		if start == 0 || one.Cost < best.Cost {
			best = one
			best.Start = start
		}
	}
	best.warn(k)
	return best, nil
}

// run is one start under way.
type run struct {
	space
	*items
	clusters
	k      int
	bounds *bounds // nil to evaluate all
	tasks  []task  // of goroutines
	result Result
}

// task is what a goroutine finds in an assignment.
type task struct {
	open                     []int     // items of the chunk that must be evaluated
	gained                   []float64 // points, by cluster
	changed, ties, evaluated int
}

func newRun(s space, k int, o Options) *run {
	r := &run{space: s, items: s.all(), k: k}
	r.labels, r.count = make([]int, r.n), make([]float64, k)
	for i := range r.labels {
		r.labels[i] = -1
	}
	if p, ok := s.(*points); ok && !o.Plain && o.MiniBatch == 0 {
		r.bounds = newBounds(p, k)
	}
	r.tasks = make([]task, r.workers())
	for w := range r.tasks {
		r.tasks[w].gained = make([]float64, k)
	}
	return r
}

// start finds the first centres and follows them to their end.
func (r *run) start(ctx context.Context, o Options, rng *rand.Rand) (Result, error) {
	if err := r.begin(ctx, o, rng); err != nil {
		return Result{}, err
	}
	var err error
	if o.MiniBatch > 0 {
		err = r.miniBatch(ctx, o, rng)
	} else {
		err = r.iterate(ctx, o)
	}
	if err != nil {
		return Result{}, err
	}
	r.result.Labels, r.result.Centers = r.labels, r.centres()
	for _, count := range r.count {
		if count == 0 {
			r.result.Empty++
		}
	}
	r.result.Cost, err = r.cost(ctx, &r.clusters)
	return r.result, err
}

// begin finds the first centres.
func (r *run) begin(ctx context.Context, o Options, rng *rand.Rand) error {
	if o.Init == FromCenters {
		c := newCentres(o.Centers.Dims())
		for j := range c.k {
			copy(c.row(j), o.Centers.RawRowView(j))
		}
		r.space.(*points).begin(c)
		return nil
	}
	chosen, err := plusPlus(ctx, r.space, r.k, trials(o.Init, r.k), rng)
	if err != nil {
		return err
	}
	return r.seed(ctx, chosen)
}

// iterate assigns and moves until nothing changes, or as the options say. The
// last step is always an assignment: labels belong to the centres returned.
func (r *run) iterate(ctx context.Context, o Options) error {
	enough := false
	for {
		changed, err := r.assign(ctx)
		if err != nil {
			return err
		}
		if r.result.Iterations == o.MaxIter {
			r.result.Converged = enough || changed == 0
			return nil
		}
		filled, err := r.fill(ctx)
		if err != nil {
			return err
		}
		if filled == 0 && (enough || changed == 0) {
			if !enough {
				r.result.Iterations++
			}
			r.result.Converged = true
			return nil
		}
		r.result.Iterations++
		shift, err := r.means(ctx, &r.clusters)
		if err != nil {
			return err
		}
		enough = shift <= o.Tol*r.variance()
	}
}

// assign gives every item its nearest centre, of equals the lowest, and returns how many
// labels changed.
func (r *run) assign(ctx context.Context) (changed int, err error) {
	for _, m := range r.alone {
		r.count[m.to]--
		r.count[m.from]++
	}
	r.alone = nil
	if r.bounds != nil {
		r.bounds.advance()
	}
	err = r.eachChunk(ctx, func(worker, _, from, to int) {
		t := &r.tasks[worker]
		t.open = t.open[:0]
		for i := from; i < to; i++ {
			if r.bounds == nil || r.labels[i] < 0 || !r.bounds.holds(i, r.labels[i]) {
				t.open = append(t.open, i)
			}
		}
		t.evaluated += len(t.open)
		r.nearest(worker, t.open, func(i int, near nearest) { r.found(t, i, near) })
		r.follow(worker, from, to, r.labels)
	})
	r.result.Ties = 0
	for w := range r.tasks {
		t := &r.tasks[w]
		changed += t.changed
		r.result.Ties += t.ties
		r.result.Evaluated += t.evaluated
		for j, points := range t.gained {
			r.count[j] += points
		}
		clear(t.gained)
		t.changed, t.ties, t.evaluated = 0, 0, 0
	}
	return changed, err
}

// found takes over the nearest centre of item i.
func (r *run) found(t *task, i int, near nearest) {
	if near.tie {
		t.ties += int(r.weight(i))
	}
	if r.bounds != nil {
		r.bounds.record(i, near.first+near.err, near.second-near.err)
	}
	old := r.labels[i]
	if old == near.label {
		return
	}
	t.changed++
	t.gained[near.label] += r.weight(i)
	if old >= 0 {
		t.gained[old] -= r.weight(i)
	}
	r.labels[i] = near.label
}

// fill gives each empty cluster the point that is farthest from its own centre,
// of equals the lowest, and never the only one of its cluster. Points as near
// to one that was just given away count as near, so that equal points are not
// given twice. A cluster stays empty if no such point is left. It returns how
// many clusters were filled.
//
// Cost: nothing without empty clusters; else one pass over x for all and one
// for each.
func (r *run) fill(ctx context.Context) (filled int, err error) {
	var distance []float64
	for j := range r.k {
		if r.count[j] > 0 {
			continue
		}
		if distance == nil {
			distance = make([]float64, r.n)
			err = r.eachChunk(ctx, func(_, _, from, to int) {
				for i := from; i < to; i++ {
					distance[i] = r.distance(i, r.labels[i])
				}
			})
		}
		farthest := -1
		for i, v := range distance {
			if v > r.rounding && r.count[r.labels[i]] > 1 && (farthest < 0 || v > distance[farthest]) {
				farthest = i
			}
		}
		if err != nil || farthest < 0 {
			return filled, err
		}
		r.give(farthest, j)
		filled++
		given := r.toItem(farthest)
		err = r.eachChunk(ctx, func(_, _, from, to int) {
			for i := from; i < to; i++ {
				distance[i] = min(distance[i], given(i))
			}
		})
	}
	return filled, err
}

// give moves one point of an item to an empty cluster.
func (r *run) give(item, cluster int) {
	own := r.labels[item]
	r.count[own]--
	r.count[cluster]++
	r.result.Reassigned++
	if r.weight(item) > 1 {
		r.alone = append(r.alone, move{item, own, cluster})
		return
	}
	r.labels[item] = cluster
	r.follow(0, item, item+1, r.labels)
	if r.bounds != nil {
		r.bounds.forget(item)
	}
}
