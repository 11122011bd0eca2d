package lloyd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// someCounts are u points of R^d in a few groups, and how many each stands for.
func someCounts(u, d int, rng *rand.Rand) (x *mat.Dense, times []float64) {
	x, times = mat.NewDense(u, d, nil), make([]float64, u)
	for i := range u {
		for c := range d {
			x.Set(i, c, 3*float64(i%5)*float64(c%2)+rng.NormFloat64())
		}
		times[i] = float64(1 + rng.IntN(7))
	}
	return x, times
}

// writtenOut repeats each row, and says which row each is.
func writtenOut(x *mat.Dense, times []float64) (points *mat.Dense, row []int) {
	for i, c := range times {
		row = append(row, slices.Repeat([]int{i}, int(c))...)
	}
	_, d := x.Dims()
	points = mat.NewDense(len(row), d, nil)
	for p, i := range row {
		points.SetRow(p, x.RawRowView(i))
	}
	return points, row
}

func linear(x *mat.Dense) *mat.SymDense {
	n, _ := x.Dims()
	gram := mat.NewSymDense(n, nil)
	gram.SymOuterK(1, x)
	return gram
}

// TestCounts holds clusters of counts to those of all points, from the same stream:
// labels, iterations and costs; with so many clusters that some are filled by one point
// of a row; with one iteration, several starts, no tolerance.
func TestCounts(t *testing.T) {
	for seed := range uint64(12) {
		for i, o := range []Options{
			{Init: GreedyPlusPlus, Restarts: 1, Tol: 1e-4, MaxIter: 300},
			{Init: PlusPlus, Restarts: 3, Tol: 0, MaxIter: 50},
			{Init: PlusPlus, Restarts: 1, Tol: 0, MaxIter: 1},
		} {
			for _, k := range []int{1, 4, 13, 30} {
				d := []int{3, leastColumns + 4, 1}[seed%3] // by differences, by products, on a line
				x, times := someCounts(40, d, rand.New(rand.NewPCG(seed, 1)))
				points, row := writtenOut(x, times)
				stream := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 9)) }
				name := fmt.Sprintf("seed %d, options %d, k = %d", seed, i, k)
				few, err := Cluster(context.Background(), x, times, k, o, stream())
				if err != nil {
					t.Fatal(name, err)
				}
				all, err := Cluster(context.Background(), points, nil, k, o, stream())
				if err != nil {
					t.Fatal(name, err)
				}
				sameClusters(t, name, few, all, row)
				if few.Start == all.Start && !mat.EqualApprox(few.Centers, all.Centers, 1e-12) {
					t.Errorf("%s: other centres", name)
				}
				few, err = Gram(context.Background(), linear(x), times, k, o, stream())
				if err != nil {
					t.Fatal(name, err)
				}
				if all, err = Gram(context.Background(), linear(points), nil, k, o, stream()); err != nil {
					t.Fatal(name, err)
				}
				sameClusters(t, name+", Gram", few, all, row)
			}
		}
	}
}

func sameClusters(t *testing.T, name string, few, all Result, row []int) {
	t.Helper()
	if math.Abs(few.Cost-all.Cost) > 1e-11*(1+all.Cost) {
		t.Errorf("%s: the cost is %.15g, want %.15g", name, few.Cost, all.Cost)
	}
	if few.Start != all.Start { // two of equal cost, to rounding
		return
	}
	for p, i := range row {
		if few.Labels[i] != all.Labels[p] {
			t.Errorf("%s: row %d has label %d, its points have %d", name, i, few.Labels[i], all.Labels[p])
			return
		}
	}
	few.Labels, few.Centers, few.Cost, few.Evaluated = all.Labels, all.Centers, all.Cost, all.Evaluated
	if got, want := fmt.Sprintf("%+v", few), fmt.Sprintf("%+v", all); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
}

// TestCountsFill holds clusters to those of all points where given centres are so far
// away that no point is theirs.
func TestCountsFill(t *testing.T) {
	for seed := range uint64(20) {
		x, times := someCounts(14, 2, rand.New(rand.NewPCG(seed, 1)))
		points, row := writtenOut(x, times)
		o := Options{Init: FromCenters, Restarts: 1, MaxIter: 100}
		o.Centers = mat.NewDense(5, 2, []float64{0, 0, 100, 100, 0, 3, -100, 7, 1e3, 1e3})
		all, err := Cluster(context.Background(), points, nil, 5, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		few, err := Cluster(context.Background(), x, times, 5, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameClusters(t, fmt.Sprintf("seed %d", seed), few, all, row)
		if all.Reassigned < 3 {
			t.Errorf("seed %d: %d empty clusters were filled", seed, all.Reassigned)
		}
	}
}

// TestMoreClustersThanRows: every row has a cluster of its own, and the others are
// empty.
func TestMoreClustersThanRows(t *testing.T) {
	x, times := someCounts(20, 3, rand.New(rand.NewPCG(4, 1)))
	for name, run := range map[string]func(rng *rand.Rand) (Result, error){
		"points": func(rng *rand.Rand) (Result, error) {
			return Cluster(context.Background(), x, times, 25, DefaultOptions(), rng)
		},
		"Gram": func(rng *rand.Rand) (Result, error) {
			return Gram(context.Background(), linear(x), times, 25, DefaultOptions(), rng)
		},
	} {
		r, err := run(rand.New(rand.NewPCG(4, 2)))
		if err != nil {
			t.Fatal(err)
		}
		different := slices.Compact(slices.Sorted(slices.Values(r.Labels)))
		if r.Empty != 5 || len(different) != 20 || r.Cost > 1e-9 {
			t.Errorf("%s: %d empty clusters, %d labels, cost %g", name, r.Empty, len(different), r.Cost)
		}
	}
}

func TestCountsRefuse(t *testing.T) {
	x, times := someCounts(10, 2, rand.New(rand.NewPCG(1, 1)))
	o := DefaultOptions()
	for says, change := range map[string]func(o *Options, k *int){
		"no mini-batches": func(o *Options, _ *int) { o.MiniBatch = 5 },
		"no warm start":   func(o *Options, _ *int) { o.Warm = 0.5 },
		"lower k":         func(_ *Options, k *int) { *k = 1000 },
	} {
		changed, k := o, 3
		change(&changed, &k)
		if _, err := Cluster(context.Background(), x, times, k, changed, rand.New(rand.NewPCG(1, 1))); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Gram(ended, linear(x), times, 3, o, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("an ended context is no error")
	}
	x.Set(3, 1, math.NaN())
	if _, err := Cluster(context.Background(), x, times, 3, o, rand.New(rand.NewPCG(1, 1))); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("NaN: %v", err)
	}
}
