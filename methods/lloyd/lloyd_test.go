package lloyd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// mixture draws n points around k centres that lie apart times a normal one.
func mixture(n, d, k int, apart float64, seed uint64) (x *mat.Dense, truth []int) {
	rng := stream(seed)
	means := mat.NewDense(k, d, nil)
	for j := range k {
		for c := range d {
			means.Set(j, c, apart*rng.NormFloat64())
		}
	}
	x, truth = mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		truth[i] = rng.IntN(k)
		for c := range d {
			x.Set(i, c, means.At(truth[i], c)+rng.NormFloat64())
		}
	}
	return x, truth
}

// lattice draws points of few small integers: many are equal, many lie exactly
// between centres, and all sums are exact.
func lattice(n, d, values int, seed uint64) *mat.Dense {
	rng := stream(seed)
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for c := range d {
			x.Set(i, c, float64(rng.IntN(values)))
		}
	}
	return x
}

func firstRows(x *mat.Dense, k int) *mat.Dense {
	_, d := x.Dims()
	return mat.DenseCopyOf(x.Slice(0, k, 0, d))
}

// bruteAssign is the definition: all distances, the lowest of equals.
func bruteAssign(x, centers *mat.Dense) (labels []int, cost float64) {
	n, d := x.Dims()
	k, _ := centers.Dims()
	labels = make([]int, n)
	for i := range n {
		best := math.Inf(1)
		for j := range k {
			sum := 0.0
			for c := range d {
				diff := x.At(i, c) - centers.At(j, c)
				sum += diff * diff
			}
			if sum < best {
				best, labels[i] = sum, j
			}
		}
		cost += best
	}
	return labels, cost
}

// bruteMeans are the means of the clusters, by compensated sums; the centre of an
// empty one stays.
func bruteMeans(x *mat.Dense, labels []int, centers *mat.Dense) *mat.Dense {
	k, d := centers.Dims()
	sum, rest, count := mat.NewDense(k, d, nil), mat.NewDense(k, d, nil), make([]float64, k)
	for i, label := range labels {
		count[label]++
		for c := range d {
			a, b := sum.At(label, c), x.At(i, c)
			s := a + b
			part := s - a
			rest.Set(label, c, rest.At(label, c)+((a-(s-part))+(b-part)))
			sum.Set(label, c, s)
		}
	}
	sum.Add(sum, rest)
	for j := range k {
		for c := range d {
			if count[j] == 0 {
				sum.Set(j, c, centers.At(j, c))
			} else {
				sum.Set(j, c, sum.At(j, c)/count[j])
			}
		}
	}
	return sum
}

func cluster(t testing.TB, x *mat.Dense, k int, o Options, seed uint64) Result {
	t.Helper()
	r, err := Cluster(context.Background(), x, nil, k, o, stream(seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func from(centers *mat.Dense) Options {
	o := DefaultOptions()
	o.Init, o.Centers, o.Tol = FromCenters, centers, 0
	return o
}

// TestAgainstBrute holds the labels after each number of iterations against the
// definition, from the same centres, for every kind of bounds, and demands that
// the cost never rises. Continuous data have no near ties at these seeds; on the
// lattice ties abound, and all sums are exact, so that the lowest index decides.
func TestAgainstBrute(t *testing.T) {
	type data struct {
		name string
		x    *mat.Dense
		k    int
	}
	var sets []data
	for _, s := range []struct{ n, d, k int }{{400, 1, 3}, {700, 2, 12}, {900, 5, 4}, {1500, 9, 10}, {3000, 40, 7}, {2600, 150, 30}, {60, 3, 60}} {
		x, _ := mixture(s.n, s.d, s.k, 0.6, uint64(s.n))
		sets = append(sets, data{fmt.Sprintf("overlapping/n=%d/d=%d/k=%d", s.n, s.d, s.k), x, s.k})
	}
	for _, s := range []struct{ n, d, k, values int }{{500, 2, 6, 5}, {2000, 3, 9, 4}, {3000, 12, 8, 2}, {3000, 9, 20, 3}} {
		sets = append(sets, data{fmt.Sprintf("lattice/n=%d/d=%d/k=%d", s.n, s.d, s.k), distinctFirst(lattice(s.n, s.d, s.values, 7), s.k), s.k})
	}
	offset, _ := mixture(1200, 20, 6, 1, 5)
	offset.Apply(func(_, _ int, v float64) float64 { return v + 1e7 }, offset)
	sets = append(sets, data{"far from the origin", offset, 6}, data{"decaying", decaying(2000, 120, 8, 5), 8})
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			againstBrute(t, s.x, s.k)
		})
	}
}

// distinctFirst swaps rows so that the first k differ.
func distinctFirst(x *mat.Dense, k int) *mat.Dense {
	n, _ := x.Dims()
	for j := range k {
		for i := j; i < n; i++ {
			seen := false
			for before := range j {
				seen = seen || slices.Equal(x.RawRowView(i), x.RawRowView(before))
			}
			if !seen {
				row := slices.Clone(x.RawRowView(i))
				x.SetRow(i, x.RawRowView(j))
				x.SetRow(j, row)
				break
			}
		}
	}
	return x
}

func againstBrute(t *testing.T, x *mat.Dense, k int) {
	centers := firstRows(x, k)
	labels, cost := bruteAssign(x, centers)
	const most = 40
	for iterations := 1; iterations <= most; iterations++ {
		centers = bruteMeans(x, labels, centers)
		next, nextCost := bruteAssign(x, centers)
		if nextCost > cost*(1+1e-12) { // rounding of a sum of thousands of terms
			t.Fatalf("the reference's own cost rises from %v to %v", cost, nextCost)
		}
		for _, plain := range []bool{false, true} {
			o := from(firstRows(x, k))
			o.Plain, o.MaxIter = plain, iterations
			r := cluster(t, x, k, o, 1)
			if r.Reassigned > 0 {
				t.Fatal("an empty cluster: choose other data")
			}
			if !slices.Equal(r.Labels, next) {
				t.Fatalf("plain %v: labels differ after %d iterations", plain, iterations)
			}
			// Sums of n terms in two orders: n·2^-53 of the sum at most, n ≤ 3000.
			if math.Abs(r.Cost-nextCost) > 1e-12*nextCost {
				t.Fatalf("plain %v: cost %v, want %v", plain, r.Cost, nextCost)
			}
		}
		if slices.Equal(next, labels) {
			return
		}
		labels, cost = next, nextCost
	}
}
