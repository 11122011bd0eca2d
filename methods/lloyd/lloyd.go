package lloyd

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"
)

// Cluster divides the n rows of x, n×d, into k clusters by k-means: labels and
// centres for which Σ_i ‖x_i − c_{label i}‖² is low, by Lloyd's algorithm from
// each of Options.Restarts starts.
//
// Cost: a start draws k centres, each in one pass over x and 2nd flops (greedy:
// times 2 + log k). An iteration costs at most 2ndk flops and one pass over x;
// with bounds only the points whose label could change are touched, which in all
// is a few passes. One pass for statistics at first, one for the first sums and one
// for the cost at the end of a start. Memory beside x: 32n bytes and 8n for each candidate of a seed, bounds
// as said at Bounds, 16kd bytes a goroutine, up to 64 MB of past centres, a copy
// of up to 4096 rows and one of the sample of Options.Warm, and at most about 2 MB
// a goroutine for blocks.
//
// An error is returned if x or given centres hold NaN, Inf or values whose
// squares overflow, if k is not in [1, n], if options are wrong, or if the
// context ends: it is looked at between chunks of rows. Given centres or labels
// of the wrong shape panic, as does an empty x. Not converged, empty clusters
// and ties are warnings in the result.
//
// The result depends on x, k, o and the stream alone: the bits are the same for
// every GOMAXPROCS, kind of bounds and BLAS back end.
//
// Reference: Lloyd, Least squares quantization in PCM, IEEE Transactions on
// Information Theory 28 (1982); k-means++: Arthur and Vassilvitskii, SODA 2007;
// centres refined on samples first: Bradley and Fayyad, ICML 1998.
// Deviation: the sums behind the centres are exact (two parts on grids), so
// they are updated by the points that changed cluster alone and never drift.
func Cluster(ctx context.Context, x *mat.Dense, k int, o Options, rng *rand.Rand) (Result, error) {
	return dense(x).cluster(ctx, k, o, rng)
}

// ClusterSingle is Cluster of points in single precision, half the memory: centres,
// sums and costs are in double precision, and where the error of a product in single
// precision leaves more than one centre that could be the nearest, differences in double
// decide. So the result is that of the same points as float64, at half the time where
// products and reading the points are most of it.
func ClusterSingle(ctx context.Context, x blas32.General, k int, o Options, rng *rand.Rand) (Result, error) {
	return (&points{single: x.Data, stride: x.Stride, n: x.Rows, d: x.Cols}).cluster(ctx, k, o, rng)
}

// cluster is Cluster of points that nothing is known of yet.
func (p *points) cluster(ctx context.Context, k int, o Options, rng *rand.Rand) (Result, error) {
	n, d := p.n, p.d
	if n == 0 || d == 0 {
		panic("lloyd: no data")
	}
	if err := o.check(n, k); err != nil {
		return Result{}, err
	}
	if o.Init == FromCenters {
		if r, c := o.Centers.Dims(); r != k || c != d {
			panic(fmt.Sprintf("lloyd: given centres are %d×%d, not %d×%d", r, c, k, d))
		}
	}
	if o.MiniBatch > 0 {
		o.Bounds = None
	}
	p, err := newPoints(ctx, p)
	if err != nil {
		return Result{}, err
	}
	var first Result
	if o.Warm > 0 {
		if first, err = p.warm(ctx, k, o, rng); err != nil {
			return Result{}, err
		}
		o.Init, o.Centers, o.Restarts = FromCenters, first.Centers, 1
	}
	best, err := p.starts(ctx, k, o, rng)
	if err != nil {
		return Result{}, err
	}
	if o.Warm > 0 {
		best.Start, best.Sampled = first.Start, first.Iterations
	}
	best.warn(k)
	return best, nil
}

// warm clusters a sample of the points.
func (p *points) warm(ctx context.Context, k int, o Options, rng *rand.Rand) (Result, error) {
	few, err := newPoints(ctx, p.sample(sampleRows(p.n, max(k, int(o.Warm*float64(p.n))), rng)))
	if err != nil {
		return Result{}, err
	}
	return few.starts(ctx, k, o, rng)
}

// sample is a copy of some rows.
func (p *points) sample(rows []int) *points {
	few := &points{n: len(rows), d: p.d, stride: p.d}
	if p.single == nil {
		x := mat.NewDense(few.n, p.d, nil)
		for place, i := range rows {
			p.copyRow(x.RawRowView(place), i)
		}
		return dense(x)
	}
	few.single = make([]float32, few.n*p.d)
	for place, i := range rows {
		copy(few.single[place*p.d:][:p.d], p.single[i*p.stride:])
	}
	return few
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
func (p *points) starts(ctx context.Context, k int, o Options, rng *rand.Rand) (best Result, err error) {
	for start := range o.Restarts {
		one, err := p.start(ctx, k, o, rng)
		if err != nil {
			return Result{}, err
		}
		if start == 0 || one.Cost < best.Cost {
			best = one
			best.Start = start
		}
	}
	return best, nil
}

// start makes one start and follows it to its end.
func (p *points) start(ctx context.Context, k int, o Options, rng *rand.Rand) (Result, error) {
	r := newRun(p, k, o)
	if err := r.init(ctx, o, rng); err != nil {
		return Result{}, err
	}
	iterate := r.iterate
	if o.MiniBatch > 0 {
		iterate = func(ctx context.Context, o Options) error { return r.miniBatch(ctx, o, rng) }
	}
	if err := iterate(ctx, o); err != nil {
		return Result{}, err
	}
	cost, err := p.cost(ctx, r.labels, r.now)
	r.result.Cost, r.result.Labels = cost, r.labels
	r.result.Centers = mat.NewDense(k, p.d, r.now.data)
	for _, count := range r.sums.count {
		if count == 0 {
			r.result.Empty++
		}
	}
	return r.result, err
}

// init finds the first centres.
func (r *run) init(ctx context.Context, o Options, rng *rand.Rand) error {
	switch o.Init {
	case FromCenters:
		for j := range r.k {
			copy(r.now.row(j), o.Centers.RawRowView(j))
			for c, v := range r.now.row(j) {
				if !(v >= -largestMagnitude && v <= largestMagnitude) {
					return fmt.Errorf("k-means: given centre %d has %v in column %d: must be finite and below %g", j, v, c, largestMagnitude)
				}
			}
		}
	case FromLabels:
		for i, label := range o.Labels {
			r.labels[i] = label
			r.sums.add(label, r.points, []int{i}, 1)
		}
		for j := range r.k {
			r.sums.mean(r.now.row(j), j)
		}
	default:
		chosen, err := r.plusPlus(ctx, r.k, trials(o.Init, r.k), rng)
		if err != nil {
			return err
		}
		for j, i := range chosen {
			r.copyRow(r.now.row(j), i)
		}
	}
	return r.moved(ctx)
}

// moved prepares for an assignment to centres that have been changed.
func (r *run) moved(ctx context.Context) error {
	r.now.shift(r.points)
	r.now.pack(r.points)
	if r.bounds == nil {
		return ctx.Err()
	}
	return r.bounds.advance(ctx, r.now, r.labels)
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
		shift := r.update()
		enough = shift <= o.Tol*r.meanVariance
		if err := r.moved(ctx); err != nil {
			return err
		}
	}
}

// update moves the centres to the means of their clusters and returns the sum
// of the squared shifts. The centre of an empty cluster stays.
func (r *run) update() float64 {
	shift := 0.0
	mean := make([]float64, r.d)
	for j := range r.k {
		if r.sums.count[j] == 0 {
			continue
		}
		r.sums.mean(mean, j)
		shift += SquaredDistance(mean, r.now.row(j))
		copy(r.now.row(j), mean)
	}
	return shift
}
