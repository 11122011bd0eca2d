package lloyd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	draws "mercer/internal/counts"
	"mercer/internal/linalg"
)

// ClusterCounts is Cluster of points of which row i of x (u×d) stands for times[i]:
// the same centres, and the label that all of these have, from the same stream, up to
// rounding where points are tied. Cost and what warnings count are those of all
// points; so are the seeds, the variance of Options.Tol, and that an empty cluster is
// given one point of a row.
//
// Cost: 2ud flops for each candidate of a seed, 2udk for an iteration. Bounds are not
// used and Evaluated is not counted; given centres or labels, Warm and MiniBatch are
// errors.
func ClusterCounts(ctx context.Context, x *mat.Dense, times []float64, k int, o Options, rng *rand.Rand) (Result, error) {
	if n, d := x.Dims(); n == 0 || d == 0 {
		panic("lloyd: no data")
	}
	p, err := newPoints(ctx, dense(x))
	if err != nil {
		return Result{}, err
	}
	return clusterCounts(ctx, &countedPoints{points: p}, times, k, o, rng)
}

// GramCounts is Gram of points of which row i of the matrix stands for times[i], as
// ClusterCounts is Cluster. An iteration costs 2u²k flops.
func GramCounts(ctx context.Context, gram *mat.SymDense, times []float64, k int, o Options, rng *rand.Rand) (Result, error) {
	if gram.SymmetricDim() == 0 {
		panic("lloyd: no data")
	}
	m, err := newGramMatrix(gram)
	if err != nil {
		return Result{}, err
	}
	return clusterCounts(ctx, &countedGram{gramMatrix: m, gram: linalg.Symmetric(gram)}, times, k, o, rng)
}

// countedRun is one start under way.
type countedRun struct {
	space
	times  []float64
	k      int
	labels []int     // −1 before the first assignment
	single []move    // one point each that went to an empty cluster by itself
	count  []float64 // points of each cluster
	result Result
}

func clusterCounts(ctx context.Context, s space, times []float64, k int, o Options, rng *rand.Rand) (best Result, err error) {
	n := floats.Sum(times)
	if err := o.check(int(n), k); err != nil {
		return Result{}, err
	}
	if o.Warm > 0 || o.MiniBatch > 0 || o.Init == FromCenters || o.Init == FromLabels {
		return Result{}, errors.New("k-means: a sample of counts takes no given centres or labels, no mini-batches and no warm start")
	}
	for start := range o.Restarts {
		r := newCountedRun(s, times, k)
		s.seed(r.plusPlus(trials(o.Init, k), n, rng))
		if err := r.iterate(ctx, o); err != nil {
			return Result{}, err
		}
		if start == 0 || r.result.Cost < best.Cost {
			best = r.result
			best.Start = start
		}
	}
	best.warn(k)
	return best, nil
}

func newCountedRun(s space, times []float64, k int) *countedRun {
	r := &countedRun{space: s, times: times, k: k, labels: make([]int, len(times))}
	for i := range r.labels {
		r.labels[i] = -1
	}
	return r
}

// plusPlus chooses k rows as that of points does, of which each row has several.
func (r *countedRun) plusPlus(trials int, n float64, rng *rand.Rand) []int {
	sums := floats.CumSum(make([]float64, len(r.times)), r.times)
	uniform := func() int { return draws.At(sums, rng.IntN(int(n))) }
	distance := make([]float64, len(r.times))
	chosen := []int{uniform()}
	r.distances(distance, chosen[0])
	for len(chosen) < r.k {
		weights := floats.MulTo(make([]float64, len(distance)), r.times, distance)
		total := floats.Sum(weights)
		var best []float64
		least, winner := math.Inf(1), 0
		for range trials {
			var candidate int
			if total == 0 {
				candidate = uniform()
			} else {
				candidate = drawByWeight(weights, []float64{total}, len(weights), rng)
			}
			next, after := make([]float64, len(distance)), 0.0
			r.distances(next, candidate)
			for i, before := range distance {
				next[i] = min(before, next[i])
				after += r.times[i] * next[i]
			}
			if after < least {
				best, least, winner = next, after, candidate
			}
		}
		distance = best
		chosen = append(chosen, winner)
	}
	return chosen
}

// iterate is that of run.
func (r *countedRun) iterate(ctx context.Context, o Options) error {
	tolerance := o.Tol * r.variance(r.times)
	enough := false
	for {
		changed, err := r.assign(ctx)
		if err != nil {
			return err
		}
		last, filled := r.result.Iterations == o.MaxIter, 0
		if !last {
			filled = r.fill()
		}
		weights, total := r.weights()
		if last || filled == 0 && (enough || changed == 0) {
			if !last && !enough {
				r.result.Iterations++
			}
			r.result.Converged = enough || changed == 0
			r.space.result(&r.result, weights, total, r.times)
			r.result.Labels = r.labels
			for _, count := range r.count {
				if count == 0 {
					r.result.Empty++
				}
			}
			return nil
		}
		r.result.Iterations++
		enough = r.move(weights, total) <= tolerance
	}
}

// assign gives every row the nearest centre, of equals the lowest.
func (r *countedRun) assign(ctx context.Context) (changed int, err error) {
	const rows = 64
	tasks := (len(r.labels) + rows - 1) / rows
	fresh, ties := make([]int, len(r.labels)), make([]bool, len(r.labels))
	err = parallel(ctx, tasks, workers(tasks), func(_, task int) {
		from, to := task*rows, min((task+1)*rows, len(fresh))
		r.nearest(from, fresh[from:to], ties[from:to])
	})
	r.result.Ties, r.single = 0, nil
	r.count = make([]float64, r.k)
	for i, label := range fresh {
		if ties[i] {
			r.result.Ties += int(r.times[i])
		}
		if label != r.labels[i] {
			changed++
		}
		r.count[label] += r.times[i]
	}
	r.labels = fresh
	return changed, err
}

// fill is that of run: of a row that stands for several points one alone moves.
func (r *countedRun) fill() (filled int) {
	var distance []float64
	for j := range r.k {
		if r.count[j] > 0 {
			continue
		}
		if distance == nil {
			distance = make([]float64, len(r.labels))
			for i, label := range r.labels {
				distance[i] = r.to(i, label)
			}
		}
		farthest := -1
		for i, v := range distance {
			if v > r.large() && r.count[r.labels[i]] > 1 && (farthest < 0 || v > distance[farthest]) {
				farthest = i
			}
		}
		if farthest < 0 {
			return filled
		}
		r.count[r.labels[farthest]]--
		r.count[j]++
		if r.times[farthest] == 1 {
			r.labels[farthest] = j
		} else {
			r.single = append(r.single, move{farthest, r.labels[farthest], j})
		}
		filled++
		r.result.Reassigned++
		for i := range distance {
			distance[i] = min(distance[i], r.between(i, farthest))
		}
	}
	return filled
}

// member is a row of which a cluster has so many points.
type member struct {
	row    int
	weight float64
}

// weights are the members of each cluster, by row, and how many points these are.
func (r *countedRun) weights() (of [][]member, total []float64) {
	of = make([][]member, r.k)
	for i, label := range r.labels {
		of[label] = append(of[label], member{i, r.times[i]})
	}
	for _, m := range r.single {
		addPoints(of, m.from, m.point, -1)
		addPoints(of, m.to, m.point, 1)
	}
	return of, r.count
}

// addPoints changes how many points of a row cluster j has.
func addPoints(of [][]member, j, row int, count float64) {
	at, found := slices.BinarySearchFunc(of[j], row, func(m member, row int) int { return m.row - row })
	if !found {
		of[j] = slices.Insert(of[j], at, member{row: row})
	}
	of[j][at].weight += count
}
