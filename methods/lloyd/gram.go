package lloyd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Gram divides n points into k clusters by exact kernel k-means: Lloyd's
// algorithm in the feature space of a kernel, on the n×n matrix of its values,
// of which the upper triangle is read. The centre of a cluster is the mean of its
// points' features, so that
//
//	‖φ(x_i) − c_j‖² = K_ii − 2/n_j Σ_{r∈j} K_ir + 1/n_j² Σ_{r,s∈j} K_rs.
//
// Options and Result mean what they mean for Cluster, but for this: Centers is
// nil, and Cost = Σ_i K_ii − Σ_j 1/n_j Σ_{r,s∈j} K_rs belongs to the means of the
// clusters returned, which after a stop by Tol or MaxIter is not more than that
// to the centres of the last assignment. The dimension by which Tol divides the
// total variance is n, as for the n×n root of the matrix. Distances that differ
// by less than 2^-49 of the largest K_ii are ties. Rounding leaves an error of
// about 2^-52·Σ K_ii in Cost: centre a Gram whose common part is large.
//
// Cost: n² additions for the first iteration, n for each point that changes
// cluster after it, O(nk) to assign. Memory beside the Gram: 16nk bytes.
//
// An error is returned if the matrix holds NaN or Inf, values above 1e290 or a
// negative diagonal, if k is not in [1, n], if options are wrong or ask for given
// centres, mini-batches or a warm start, or if the context ends. An empty matrix panics. That
// the matrix is positive semidefinite is not checked: of another, the cost may
// rise, and only MaxIter is sure to end.
//
// Reference: [KKM, Prop 2]; Dhillon, Guan and Kulis, Kernel k-means, KDD 2004.
func Gram(ctx context.Context, gram *mat.SymDense, k int, o Options, rng *rand.Rand) (Result, error) {
	n := gram.SymmetricDim()
	if n == 0 {
		panic("lloyd: no data")
	}
	var unfit error
	if o.Init == FromCenters || o.MiniBatch > 0 || o.Warm > 0 {
		unfit = errors.New("k-means on a Gram matrix has no coordinates: neither given centres nor mini-batches nor a warm start")
	}
	if err := errors.Join(o.check(n, k), unfit); err != nil {
		return Result{}, err
	}
	m, err := newGramMatrix(gram)
	if err != nil {
		return Result{}, err
	}
	var best Result
	for start := range o.Restarts {
		g := newGramRun(m, k)
		if err := g.init(ctx, o, rng); err != nil {
			return Result{}, err
		}
		if err := g.iterate(ctx, o); err != nil {
			return Result{}, err
		}
		if one := g.result; start == 0 || one.Cost < best.Cost {
			best = one
			best.Start = start
		}
	}
	best.warn(k)
	return best, nil
}

// gramRun is one start under way.
type gramRun struct {
	*gramMatrix
	k      int
	labels []int // of the last assignment
	sums   *gramSums
	result Result
}

func newGramRun(m *gramMatrix, k int) *gramRun {
	return &gramRun{gramMatrix: m, k: k, labels: make([]int, m.n), sums: newGramSums(m, k)}
}

// init finds the first centres: the means of given labels, or points.
func (g *gramRun) init(ctx context.Context, o Options, rng *rand.Rand) error {
	first := make([]int, g.n)
	for i := range first {
		first[i] = -1
		g.labels[i] = -1
	}
	if o.Init == FromLabels {
		copy(first, o.Labels)
		copy(g.labels, o.Labels)
		return g.sums.set(ctx, first)
	}
	// A point may be drawn twice where fewer than k differ: its second cluster
	// is then empty.
	for j, i := range g.plusPlus(trials(o.Init, g.k), rng) {
		if first[i] < 0 {
			first[i] = j
		}
	}
	return g.sums.set(ctx, first)
}

// plusPlus chooses k points as that of points does.
func (g *gramRun) plusPlus(trials int, rng *rand.Rand) []int {
	chosen := []int{rng.IntN(g.n)}
	weights := make([]float64, g.n)
	for i := range weights {
		weights[i] = g.squaredDistance(i, chosen[0])
	}
	total := sum(weights)
	for len(chosen) < g.k {
		var best []float64
		least, winner := math.Inf(1), 0
		for range trials {
			candidate := drawByWeight(weights, []float64{total}, g.n, rng)
			next := make([]float64, g.n)
			for i, before := range weights {
				next[i] = min(before, g.squaredDistance(i, candidate))
			}
			if after := sum(next); after < least {
				best, least, winner = next, after, candidate
			}
		}
		weights, total = best, least
		chosen = append(chosen, winner)
	}
	return chosen
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// iterate is that of run.
func (g *gramRun) iterate(ctx context.Context, o Options) error {
	enough := false
	for {
		changed := g.assign()
		last := g.result.Iterations == o.MaxIter
		filled := 0
		if !last {
			filled = g.fill()
		}
		if last || filled == 0 && (enough || changed == 0) {
			if !last && !enough {
				g.result.Iterations++
			}
			g.result.Converged = enough || changed == 0
			return g.finish(ctx)
		}
		g.result.Iterations++
		shift, err := g.update(ctx)
		if err != nil {
			return err
		}
		enough = shift <= o.Tol*g.variance/float64(g.n)
	}
}

// finish computes the cost from the labels.
func (g *gramRun) finish(ctx context.Context) error {
	if err := g.sums.set(ctx, g.labels); err != nil {
		return err
	}
	within := make([]compensated, g.k)
	for i, label := range g.labels {
		within[label].add(g.diagonal[i])
	}
	var cost compensated
	for j, count := range g.sums.count {
		if count == 0 {
			g.result.Empty++
			continue
		}
		within[j].add(-g.sums.total[j] / float64(count))
		cost.add(max(0, within[j].value()))
	}
	g.result.Cost, g.result.Labels = cost.value(), g.labels
	return nil
}

// update moves the centres to the means of the labels and returns the sum of
// the squared shifts.
func (g *gramRun) update(ctx context.Context) (float64, error) {
	old := append([]int(nil), g.sums.owner...)
	oldCount, oldTotal := append([]int(nil), g.sums.count...), append([]float64(nil), g.sums.total...)
	if err := g.sums.set(ctx, g.labels); err != nil {
		return 0, err
	}
	if math.IsNaN(g.variance) {
		var trace, all compensated
		for i, v := range g.diagonal {
			trace.add(v)
			for j := range g.k {
				all.add(g.sums.sum(j, i))
			}
		}
		n := float64(g.n)
		g.variance = max(0, trace.value()/n-all.value()/n/n)
	}
	cross := make([]compensated, g.k) // Σ over the old members of the new sums
	for i, j := range old {
		if j >= 0 {
			cross[j].add(g.sums.sum(j, i))
		}
	}
	shift := 0.0
	for j, count := range g.sums.count {
		if before, now := float64(oldCount[j]), float64(count); before > 0 && now > 0 {
			shift += max(0, oldTotal[j]/before/before+g.sums.total[j]/now/now-2*cross[j].value()/before/now)
		}
	}
	return shift, nil
}

// assign gives every point the nearest centre, of equals the lowest.
func (g *gramRun) assign() (changed int) {
	g.result.Ties = 0
	g.result.Evaluated += g.n
	room := 0x1p-49 * g.size
	value := make([]float64, g.k)
	for i := range g.n {
		best := math.Inf(1)
		for j := range value {
			value[j] = g.relative(i, j)
			best = min(best, value[j])
		}
		label, near := -1, 0
		for j, v := range value {
			if v <= best+room {
				near++
				if label < 0 {
					label = j
				}
			}
		}
		if near > 1 {
			g.result.Ties++
		}
		if label != g.labels[i] {
			g.labels[i] = label
			changed++
		}
	}
	return changed
}

// relative is ‖φ(x_i) − c_j‖² − K_ii, +Inf if the cluster has no centre.
func (g *gramRun) relative(i, j int) float64 {
	count := float64(g.sums.count[j])
	if count == 0 {
		return math.Inf(1)
	}
	return g.sums.total[j]/count/count - 2*g.sums.sum(j, i)/count
}

// fill is that of run: each empty cluster gets the farthest point.
func (g *gramRun) fill() (filled int) {
	count := make([]int, g.k)
	for _, label := range g.labels {
		count[label]++
	}
	var distance []float64
	for j := range g.k {
		if count[j] > 0 {
			continue
		}
		if distance == nil {
			distance = make([]float64, g.n)
			for i, label := range g.labels {
				distance[i] = g.diagonal[i] + g.relative(i, label)
			}
		}
		farthest := -1
		for i, v := range distance {
			if v > 0x1p-48*g.size && count[g.labels[i]] > 1 && (farthest < 0 || v > distance[farthest]) {
				farthest = i
			}
		}
		if farthest < 0 {
			return filled
		}
		count[g.labels[farthest]]--
		count[j]++
		g.labels[farthest] = j
		g.result.Reassigned++
		filled++
		for i := range distance {
			distance[i] = min(distance[i], g.squaredDistance(i, farthest))
		}
	}
	return filled
}
