package lloyd

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	draws "mercer/internal/counts"
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
	if _, err := newPoints(ctx, dense(x)); err != nil { // looks at the values
		return Result{}, err
	}
	return clusterCounts(ctx, &countedPoints{x: x}, times, k, o, rng)
}

// GramCounts is Gram of points of which row i of the matrix stands for times[i], as
// ClusterCounts is Cluster. An iteration costs u² flops.
func GramCounts(ctx context.Context, gram *mat.SymDense, times []float64, k int, o Options, rng *rand.Rand) (Result, error) {
	if gram.SymmetricDim() == 0 {
		panic("lloyd: no data")
	}
	m, err := newGramMatrix(gram)
	if err != nil {
		return Result{}, err
	}
	return clusterCounts(ctx, &countedGram{gramMatrix: m}, times, k, o, rng)
}

// space is where points that stand for several are clustered.
type space interface {
	// between is the squared distance of rows a and b, 0 where it is rounding.
	between(a, b int) float64
	// seed makes the rows chosen the centres.
	seed(chosen []int)
	// move makes the centres the means of clusters, in which row i has the weight
	// w[j][i] in cluster j, of sum total[j], and returns the sum of squared shifts.
	move(weights [][]float64, total []float64) float64
	// to is the squared distance of row i to centre j, +Inf where there is none.
	to(i, j int) float64
	// room is how much farther than the nearest centre another may be to count as
	// near, and large what is more than rounding of a squared distance.
	room() (near, large float64)
	// variance is what Options.Tol multiplies.
	variance(times []float64) float64
	// result fills in centres and cost.
	result(r *Result, weights [][]float64, total, times []float64)
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
	for i := range distance {
		distance[i] = r.between(i, chosen[0])
	}
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
			for i, before := range distance {
				next[i] = min(before, r.between(i, candidate))
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
		for i := task * rows; i < min((task+1)*rows, len(fresh)); i++ {
			fresh[i], ties[i] = r.nearest(i)
		}
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

func (r *countedRun) nearest(i int) (label int, tie bool) {
	distance, least := make([]float64, r.k), math.Inf(1)
	for j := range distance {
		distance[j] = r.to(i, j)
		least = min(least, distance[j])
	}
	near, _ := r.room()
	label = -1
	for j, v := range distance {
		if v > least+near {
			continue
		}
		if label >= 0 {
			return label, true
		}
		label = j
	}
	return label, false
}

// fill is that of run: of a row that stands for several points one alone moves.
func (r *countedRun) fill() (filled int) {
	var distance []float64
	_, large := r.room()
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
			if v > large && r.count[r.labels[i]] > 1 && (farthest < 0 || v > distance[farthest]) {
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

// weights are how many points of each row a cluster has, and of all rows.
func (r *countedRun) weights() (of [][]float64, total []float64) {
	of = make([][]float64, r.k)
	for j := range of {
		of[j] = make([]float64, len(r.times))
	}
	for i, label := range r.labels {
		of[label][i] = r.times[i]
	}
	for _, m := range r.single {
		of[m.from][m.point]--
		of[m.to][m.point]++
	}
	return of, r.count
}

// countedPoints are points with coordinates.
type countedPoints struct {
	x       *mat.Dense
	centres *mat.Dense // k×d
}

// between rounds as seeds do, so that these are the same.
func (s *countedPoints) between(a, b int) float64 {
	return coarse(SquaredDistance(s.x.RawRowView(a), s.x.RawRowView(b)))
}

func (s *countedPoints) seed(chosen []int) {
	_, d := s.x.Dims()
	s.centres = mat.NewDense(len(chosen), d, nil)
	for j, i := range chosen {
		s.centres.SetRow(j, s.x.RawRowView(i))
	}
}

func (s *countedPoints) move(weights [][]float64, total []float64) float64 {
	shift := 0.0
	_, d := s.x.Dims()
	for j, of := range weights {
		if total[j] == 0 {
			continue
		}
		mean := make([]float64, d)
		for i, w := range of {
			if w != 0 {
				floats.AddScaled(mean, w/total[j], s.x.RawRowView(i))
			}
		}
		shift += SquaredDistance(mean, s.centres.RawRowView(j))
		s.centres.SetRow(j, mean)
	}
	return shift
}

func (s *countedPoints) to(i, j int) float64 {
	return SquaredDistance(s.x.RawRowView(i), s.centres.RawRowView(j))
}

func (*countedPoints) room() (near, large float64) { return 0, 0 }

// variance is the mean over the columns.
func (s *countedPoints) variance(times []float64) float64 {
	_, d := s.x.Dims()
	n, mean, sum := floats.Sum(times), make([]float64, d), 0.0
	for i, c := range times {
		floats.AddScaled(mean, c/n, s.x.RawRowView(i))
	}
	for i, c := range times {
		sum += c * SquaredDistance(s.x.RawRowView(i), mean)
	}
	return sum / n / float64(d)
}

func (s *countedPoints) result(r *Result, weights [][]float64, _, times []float64) {
	r.Centers = mat.DenseCopyOf(s.centres)
	for j, of := range weights {
		for i, w := range of {
			if w != 0 {
				r.Cost += times[i] * s.to(i, j)
			}
		}
	}
}

// countedGram are points by their kernel matrix.
type countedGram struct {
	*gramMatrix
	sums   *mat.Dense // k×u, ⟨c_j, φ(x_i)⟩
	square []float64  // ‖c_j‖², +Inf where there is no centre
}

func (s *countedGram) between(a, b int) float64 { return s.squaredDistance(a, b) }

// seed leaves the second of two equal rows without a centre.
func (s *countedGram) seed(chosen []int) {
	s.sums, s.square = mat.NewDense(len(chosen), s.n, nil), make([]float64, len(chosen))
	seen := map[int]bool{}
	for j, i := range chosen {
		s.square[j] = math.Inf(1)
		if seen[i] {
			continue
		}
		seen[i] = true
		s.square[j] = s.diagonal[i]
		for r := range s.n {
			s.sums.Set(j, r, s.at(r, i))
		}
	}
}

func (s *countedGram) move(weights [][]float64, total []float64) float64 {
	shift := 0.0
	for j, of := range weights {
		was, before := s.square[j], mat.Row(nil, j, s.sums)
		s.mean(j, of, total[j])
		if total[j] > 0 && !math.IsInf(was, 1) {
			cross := 0.0
			for i, w := range of {
				cross += w / total[j] * before[i]
			}
			shift += max(0, was+s.square[j]-2*cross)
		}
	}
	return shift
}

// mean makes centre j the mean of points.
func (s *countedGram) mean(j int, weights []float64, total float64) {
	sums := s.sums.RawRowView(j)
	clear(sums)
	s.square[j] = math.Inf(1)
	if total == 0 {
		return
	}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		for r := range i {
			sums[r] += w * s.at(r, i)
		}
		floats.AddScaled(sums[i:], w, s.row(i))
	}
	floats.Scale(1/total, sums)
	s.square[j] = floats.Dot(sums, weights) / total
}

func (s *countedGram) to(i, j int) float64 {
	return s.square[j] - 2*s.sums.At(j, i) + s.diagonal[i]
}

func (s *countedGram) room() (near, large float64) { return 0x1p-49 * s.size, 0x1p-48 * s.size }

// variance is that of all coordinates over their number, that of the points.
func (s *countedGram) variance(times []float64) float64 {
	n, trace, all := floats.Sum(times), 0.0, 0.0
	for i, c := range times {
		trace += c * s.diagonal[i]
		row := s.row(i)
		all += c * c * row[0]
		for r, v := range row[1:] {
			all += 2 * c * times[i+1+r] * v
		}
	}
	return max(0, trace/n-all/n/n) / n
}

// result is the cost of the clusters' means.
func (s *countedGram) result(r *Result, weights [][]float64, total, times []float64) {
	for j, of := range weights {
		if total[j] == 0 {
			continue
		}
		s.mean(j, of, total[j])
		for i, w := range of {
			if w != 0 {
				r.Cost += w * max(0, s.to(i, j))
			}
		}
	}
}
