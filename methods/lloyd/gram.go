package lloyd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Gram divides n points into k clusters by exact kernel k-means: Lloyd's
// algorithm in the feature space of a kernel, on the n×n matrix of its values,
// of which the upper triangle is read. The centre of a cluster is the mean of its
// points' features, so that
//
//	‖φ(x_i) − c_j‖² = K_ii − 2/n_j Σ_{r∈j} K_ir + 1/n_j² Σ_{r,s∈j} K_rs.
//
// Weights, Options and Result mean what they mean for Cluster, but for this: Centers is
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
// negative diagonal, if k is not between 1 and the number of points, if options are wrong
// or ask for given centres, mini-batches or a warm start, or if the context ends. An empty
// matrix panics. That the matrix is positive semidefinite is not checked: of another, the
// cost may rise, and only MaxIter is sure to end.
//
// Reference: [KKM, Prop 2]; Dhillon, Guan and Kulis, Kernel k-means, KDD 2004.
func Gram(ctx context.Context, matrix *mat.SymDense, weights []float64, k int, o Options, rng *rand.Rand) (Result, error) {
	g := gramSpace(matrix, weights)
	unfit := o.Init == FromCenters || o.MiniBatch > 0 || o.Warm > 0
	if err := o.check(g.total, k, unfit, "a Gram matrix has no coordinates: neither given centres nor mini-batches nor a warm start"); err != nil {
		return Result{}, err
	}
	if err := g.look(); err != nil {
		return Result{}, err
	}
	return starts(ctx, g, k, o, rng)
}

// gram is the space of a Gram matrix. For each centre j and item i it keeps Σ_{r∈j} K_ri,
// exact as in sums: what changes is what the items that change cluster contribute.
type gram struct {
	items
	data     []float64
	stride   int
	diagonal []float64
	size     float64 // largest K_ii
	grid     grid    // for any sum of a row
	scatter  float64 // Σ_i K_ii/n − Σ_ij K_ij/n², NaN before the first means

	k      int
	of     []member  // of the centres
	hi, lo []float64 // k×n
	count  []float64 // points of each centre
	square []float64 // ‖c_j‖² times count²
}

const largestKernel = 1e290

func gramSpace(matrix *mat.SymDense, weights []float64) *gram {
	raw := matrix.RawSymmetric()
	return &gram{items: newItems(raw.N, weights, raw.N), data: raw.Data, stride: raw.Stride}
}

// look checks the matrix.
func (g *gram) look() error {
	g.diagonal, g.scatter = make([]float64, g.n), math.NaN()
	largest := 0.0
	for i := range g.n {
		for offset, v := range g.data[i*g.stride+i : i*g.stride+g.n] {
			if !(math.Abs(v) <= largestKernel) {
				return fmt.Errorf("k-means: the Gram matrix has %v at [%d, %d]: must be finite and below %g", v, i, i+offset, largestKernel)
			}
			largest = max(largest, math.Abs(v))
		}
		g.diagonal[i] = g.at(i, i)
		if g.diagonal[i] < 0 {
			return fmt.Errorf("k-means: the Gram matrix has %v at [%d, %d]: a kernel's diagonal is not negative", g.diagonal[i], i, i)
		}
		g.size = max(g.size, g.diagonal[i])
	}
	g.rounding = 0x1p-48 * g.size
	g.grid = newGrid([]float64{largest * g.largestWeight()}, g.n)
	return nil
}

func (g *gram) at(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return g.data[i*g.stride+j]
}

func (g *gram) toItem(b int) func(a int) float64 {
	return func(a int) float64 { return g.between(a, b) }
}

// between is ‖φ(x_i) − φ(x_j)‖², 0 where it is not above rounding.
func (g *gram) between(i, j int) float64 {
	if v := g.diagonal[i] + g.diagonal[j] - 2*g.at(i, j); i != j && v > 0x1p-49*g.size {
		return v
	}
	return 0
}

func (g *gram) toItems(chosen []int) func(worker, from, to int, distance [][]float64) {
	return func(_, from, to int, distance [][]float64) {
		for t, b := range chosen {
			for i := from; i < to; i++ {
				distance[t][i] = g.between(i, b)
			}
		}
	}
}

// seed leaves the second of two equal items without a centre: fewer than k differ.
func (g *gram) seed(ctx context.Context, chosen []int) error {
	g.k, g.of = len(chosen), nil
	g.hi, g.lo = make([]float64, g.k*g.n), make([]float64, g.k*g.n)
	g.count, g.square = make([]float64, g.k), make([]float64, g.k)
	var of []member
	for j, i := range chosen {
		if !slices.Contains(chosen[:j], i) {
			of = append(of, member{i, j, 1})
		}
	}
	slices.SortFunc(of, func(a, b member) int { return a.item - b.item })
	return g.set(ctx, of)
}

func (g *gram) means(ctx context.Context, c *clusters) (shift float64, err error) {
	before, points, square := g.of, g.count, g.square
	if err := g.set(ctx, c.members(&g.items)); err != nil {
		return 0, err
	}
	if math.IsNaN(g.scatter) {
		g.setScatter()
	}
	cross := make([]compensated, g.k) // Σ over the old members of the new sums
	for _, m := range before {
		cross[m.cluster].add(m.weight * g.sum(m.cluster, m.item))
	}
	for j, now := range g.count {
		if old := points[j]; old > 0 && now > 0 {
			shift += max(0, square[j]/old/old+g.square[j]/now/now-2*cross[j].value()/old/now)
		}
	}
	return shift, nil
}

func (g *gram) setScatter() {
	var trace, all compensated
	for i, v := range g.diagonal {
		trace.add(g.weight(i) * v)
		for j := range g.k {
			all.add(g.weight(i) * g.sum(j, i))
		}
	}
	g.scatter = max(0, trace.value()/g.total-all.value()/g.total/g.total)
}

func (g *gram) variance() float64 { return g.scatter / g.total }

// nearest takes centres as equally near whose distances differ by no more than rounding.
func (g *gram) nearest(_ int, index []int, found func(item int, near nearest)) {
	room := 0x1p-49 * g.size
	value := make([]float64, g.k)
	for _, i := range index {
		best := math.Inf(1)
		for j := range value {
			value[j] = g.relative(i, j)
			best = min(best, value[j])
		}
		near := nearest{label: -1}
		for j, v := range value {
			if v > best+room {
				continue
			}
			near.tie = near.label >= 0
			if near.label < 0 {
				near.label = j
			}
		}
		found(i, near)
	}
}

func (*gram) follow(int, int, int, []int) {}

// relative is ‖φ(x_i) − c_j‖² − K_ii, +Inf if the cluster has no centre.
func (g *gram) relative(i, j int) float64 {
	count := g.count[j]
	if count == 0 {
		return math.Inf(1)
	}
	return g.square[j]/count/count - 2*g.sum(j, i)/count
}

func (g *gram) distance(i, j int) float64 { return g.diagonal[i] + g.relative(i, j) }

func (g *gram) cost(ctx context.Context, c *clusters) (float64, error) {
	if err := g.set(ctx, c.members(&g.items)); err != nil {
		return 0, err
	}
	within := make([]compensated, g.k)
	for _, m := range g.of {
		within[m.cluster].add(m.weight * g.diagonal[m.item])
	}
	var cost compensated
	for j, count := range g.count {
		if count > 0 {
			within[j].add(-g.square[j] / count)
			cost.add(max(0, within[j].value()))
		}
	}
	return cost.value(), nil
}

func (*gram) centres() *mat.Dense { return nil }

// sum is Σ_{r∈j} K_ri.
func (g *gram) sum(j, i int) float64 { return g.hi[j*g.n+i] + g.lo[j*g.n+i] }

// change is an item of whose points a cluster gets so many, from another or, with −1, none.
type change struct {
	item, from, to int
	weight         float64
}

// set makes the centres the means of clusters by their members. Cost: n for each item that
// has changed, or n² where these are many.
func (g *gram) set(ctx context.Context, of []member) error {
	changes, few := g.changes(of)
	if !few {
		clear(g.hi)
		clear(g.lo)
		changes = changes[:0]
		for _, m := range of {
			changes = append(changes, change{m.item, -1, m.cluster, m.weight})
		}
	}
	const width = 256
	tasks := (g.n + width - 1) / width
	err := parallel(ctx, tasks, workers(tasks), func(_, task int) {
		g.apply(changes, task*width, min(g.n, (task+1)*width))
	})
	g.of, g.count, g.square = of, make([]float64, g.k), make([]float64, g.k)
	within := make([]compensated, g.k)
	for _, m := range of {
		g.count[m.cluster] += m.weight
		within[m.cluster].add(m.weight * g.sum(m.cluster, m.item))
	}
	for j := range within {
		g.square[j] = within[j].value()
	}
	return err
}

// changes are those from the members of the centres, if they are few.
func (g *gram) changes(of []member) (changes []change, few bool) {
	if len(of) != g.n || len(g.of) != g.n {
		return nil, false
	}
	for i, m := range of {
		before := g.of[i]
		if m.item != before.item || m.weight != before.weight {
			return nil, false
		}
		if m.cluster != before.cluster {
			changes = append(changes, change{m.item, before.cluster, m.cluster, m.weight})
		}
	}
	return changes, len(changes) <= g.n/2
}

// apply brings the sums of the items in [from, to) up to date.
func (g *gram) apply(changes []change, from, to int) {
	a, b := g.grid.hi[0], g.grid.lo[0]
	hi, lo := make([]float64, g.k+1), make([]float64, g.k+1) // the last for those from nowhere
	for i := from; i < to; i++ {
		clear(hi)
		clear(lo)
		for _, m := range changes {
			v := m.weight * g.at(i, m.item)
			h := (v + a) - a
			l := ((v - h) + b) - b
			out := m.from
			if out < 0 {
				out = g.k
			}
			hi[out] -= h
			lo[out] -= l
			hi[m.to] += h
			lo[m.to] += l
		}
		for j := range g.k {
			g.hi[j*g.n+i] += hi[j]
			g.lo[j*g.n+i] += lo[j]
		}
	}
}

// compensated is a sum whose rounding is carried along (Neumaier).
type compensated struct{ sum, rest float64 }

func (c *compensated) add(v float64) {
	sum := c.sum + v
	if math.Abs(c.sum) >= math.Abs(v) {
		c.rest += (c.sum - sum) + v
	} else {
		c.rest += (v - sum) + c.sum
	}
	c.sum = sum
}

func (c compensated) value() float64 { return c.sum + c.rest }
