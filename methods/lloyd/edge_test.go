package lloyd

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// labelsMatch says whether two labellings are the same up to names.
func labelsMatch(a, b []int) bool {
	there, back := map[int]int{}, map[int]int{}
	for i := range a {
		j, ok := there[a[i]]
		l, ok2 := back[b[i]]
		if ok && j != b[i] || ok2 && l != a[i] {
			return false
		}
		there[a[i]], back[b[i]] = b[i], a[i]
	}
	return true
}

// TestSeparatedMixtures: clusters 20 standard deviations apart are found by
// greedy seeding, by plain seeding with restarts, and by mini-batches.
func TestSeparatedMixtures(t *testing.T) {
	for _, d := range []int{2, 30} {
		x, truth := mixture(3000, d, 5, 20, 11)
		greedy, restarts, batches := DefaultOptions(), DefaultOptions(), DefaultOptions()
		greedy.Init, greedy.Restarts = GreedyPlusPlus, 3
		restarts.Init, restarts.Restarts = PlusPlus, 10
		batches.Init, batches.Restarts, batches.MiniBatch = GreedyPlusPlus, 3, 100
		for name, o := range map[string]Options{"greedy": greedy, "restarts": restarts, "mini-batch": batches} {
			r := cluster(t, x, 5, o, 2)
			if !labelsMatch(r.Labels, truth) || !r.Converged || len(r.Warnings) > 0 {
				t.Errorf("d=%d %s: not the mixture: converged %v, cost %v, %q", d, name, r.Converged, r.Cost, r.Warnings)
			}
		}
	}
}

func TestOneCluster(t *testing.T) {
	x, _ := mixture(500, 12, 3, 1, 4)
	r := cluster(t, x, 1, DefaultOptions(), 1)
	mean := bruteMeans(x, make([]int, 500), mat.NewDense(1, 12, nil))
	if !mat.EqualApprox(r.Centers, mean, 1e-14) || !r.Converged || r.Ties != 0 || slices.Max(r.Labels) != 0 {
		t.Errorf("k = 1: centre %v, want %v", r.Centers, mean)
	}
}

func TestAsManyClustersAsPoints(t *testing.T) {
	for _, d := range []int{1, 3, 20} {
		x, _ := mixture(40, d, 40, 1, 4)
		for _, plain := range []bool{false, true} {
			o := DefaultOptions()
			o.Plain = plain
			r := cluster(t, x, 40, o, 1)
			used := slices.Compact(slices.Sorted(slices.Values(r.Labels)))
			if r.Cost != 0 || len(used) != 40 || r.Empty != 0 || !r.Converged {
				t.Errorf("d=%d, plain %v: cost %v, %d clusters used, %d empty", d, plain, r.Cost, len(used), r.Empty)
			}
		}
	}
}

// TestFewerDistinctPoints: constant data, and three points many times over.
func TestFewerDistinctPoints(t *testing.T) {
	for _, s := range []struct{ values, k, d int }{{1, 1, 2}, {1, 4, 2}, {3, 5, 9}, {3, 3, 9}} {
		x := mat.NewDense(90, s.d, nil)
		for i := range 90 {
			for c := range s.d {
				x.Set(i, c, float64(i%s.values)*1.7+0.1)
			}
		}
		for _, init := range []Init{PlusPlus, GreedyPlusPlus, FromCenters} {
			o := DefaultOptions()
			o.Init, o.Centers = init, firstRows(x, s.k)
			r := cluster(t, x, s.k, o, 3)
			if r.Cost > 1e-24 || r.Empty != s.k-s.values || !r.Converged {
				t.Errorf("%d values, k = %d, %s: cost %v, %d empty", s.values, s.k, init, r.Cost, r.Empty)
			}
			if (r.Empty > 0) != strings.Contains(strings.Join(r.Warnings, "\n"), "empty") {
				t.Errorf("%d values, k = %d: warnings %q", s.values, s.k, r.Warnings)
			}
		}
	}
}

// TestEmptyClusters: a centre far from all points gets the farthest point.
func TestEmptyClusters(t *testing.T) {
	for _, d := range []int{1, 12} {
		x := mat.NewDense(6, d, nil)
		for i, v := range []float64{0, 1, 2, 10, 11, 30} {
			x.Set(i, 0, v)
		}
		centers := mat.NewDense(4, d, nil)
		for j, v := range []float64{1, 1000, 10, 2000} {
			centers.Set(j, 0, v)
		}
		o := from(centers)
		r := cluster(t, x, 4, o, 1)
		// 30 is 20 from its centre and goes to cluster 1; then 0, 2 and 11 are at
		// distance 1, and the lowest of them, 0, goes to cluster 3.
		want := []int{3, 0, 0, 2, 2, 1}
		if !slices.Equal(r.Labels, want) || r.Reassigned != 2 || r.Empty != 0 || math.Abs(r.Cost-1) > 1e-15 || len(r.Warnings) != 1 {
			t.Errorf("d=%d: labels %v, want %v; %d reassigned, cost %v, %q", d, r.Labels, want, r.Reassigned, r.Cost, r.Warnings)
		}
	}
}

// TestTies: a point between two centres goes to the first, by differences and by
// products, whatever the bounds: {-3, -3, 0} and {1, 3} have the means -2 and 2, with 0
// between.
func TestTies(t *testing.T) {
	for _, d := range []int{1, 12} {
		x, centers := mat.NewDense(5, d, nil), mat.NewDense(2, d, nil)
		centers.Set(0, 0, -2)
		centers.Set(1, 0, 2)
		for i, v := range []float64{-3, -3, 0, 1, 3} {
			x.Set(i, 0, v)
		}
		for _, plain := range []bool{false, true} {
			o := from(centers)
			o.Plain = plain
			r := cluster(t, x, 2, o, 1)
			if r.Ties != 1 || !slices.Equal(r.Labels, []int{0, 0, 0, 1, 1}) || !strings.Contains(strings.Join(r.Warnings, ""), "second centre") {
				t.Errorf("d = %d, plain %v: labels %v, %d ties, want 1, %q", d, plain, r.Labels, r.Ties, r.Warnings)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	x, _ := mixture(300, 10, 3, 1, 1)
	with := func(i, c int, v float64) *mat.Dense {
		y := mat.DenseCopyOf(x)
		y.Set(i, c, v)
		return y
	}
	scaled := func(f float64) *mat.Dense {
		y := mat.DenseCopyOf(x)
		y.Scale(f, y)
		return y
	}
	edit := func(f func(o *Options)) Options {
		o := DefaultOptions()
		f(&o)
		return o
	}
	centers := firstRows(x, 3)
	centers.Set(1, 2, math.NaN())
	for _, c := range []struct {
		x    *mat.Dense
		k    int
		o    Options
		want string
	}{
		{with(7, 4, math.NaN()), 3, DefaultOptions(), "x[7, 4] is NaN"},
		{with(0, 0, math.NaN()), 3, DefaultOptions(), "x[0, 0] is NaN"},
		{with(299, 9, math.Inf(-1)), 3, DefaultOptions(), "x[299, 9] is -Inf"},
		{with(9, 1, 1e200), 3, DefaultOptions(), "squares of row"},
		{scaled(1e149), 3, DefaultOptions(), "scale the data"},
		{scaled(1e-149), 3, DefaultOptions(), "scale the data"},
		{x, 0, DefaultOptions(), "k = 0"},
		{x, 301, DefaultOptions(), "k = 301 clusters of n = 300"},
		{x, 3, edit(func(o *Options) { o.Restarts = 0 }), "restarts 0"},
		{x, 3, edit(func(o *Options) { o.MaxIter = 0 }), "max_iter 0"},
		{x, 3, edit(func(o *Options) { o.Tol = math.NaN() }), "tol NaN"},
		{x, 3, edit(func(o *Options) { o.Tol = -1 }), "tol -1"},
		{x, 3, edit(func(o *Options) { o.MiniBatch = -1 }), "mini_batch -1"},
		{x, 3, edit(func(o *Options) { o.Warm = 1 }), "warm 1: must be"},
		{x, 3, edit(func(o *Options) { o.Warm = math.NaN() }), "warm NaN"},
		{x, 3, edit(func(o *Options) { o.Warm, o.MiniBatch = 0.5, 10 }), "warm 0.5 with mini_batch 10"},
		{x, 3, edit(func(o *Options) { o.Init = "random" }), `init "random"`},
		{x, 3, edit(func(o *Options) { o.Init, o.Centers, o.Restarts = FromCenters, centers, 2 }), "restarts 2 from given centers"},
		{x, 3, edit(func(o *Options) { o.Init, o.Centers = FromCenters, centers }), "given centre 1 has NaN in column 2"},
	} {
		if _, err := Cluster(ctx, c.x, nil, c.k, c.o, stream(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one about %q", err, c.want)
		}
	}
}

func TestPanics(t *testing.T) {
	ctx := context.Background()
	x, _ := mixture(30, 3, 3, 1, 1)
	o := from(mat.NewDense(2, 2, nil))
	for name, f := range map[string]func(){
		"centres of another dimension": func() { _, _ = Cluster(ctx, x, nil, 2, o, nil) },
		"weights of other points":      func() { _, _ = Cluster(ctx, x, make([]float64, 3), 2, DefaultOptions(), nil) },
		"no data":                      func() { _, _ = Cluster(ctx, &mat.Dense{}, nil, 1, DefaultOptions(), stream(1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestRestarts: the best of five starts on one stream is the least of the five.
func TestRestarts(t *testing.T) {
	x, _ := mixture(800, 6, 12, 3, 9)
	one := DefaultOptions()
	rng, least, which, costs := stream(4), math.Inf(1), 0, map[float64]bool{}
	for start := range 5 {
		r, err := Cluster(context.Background(), x, nil, 12, one, rng)
		if err != nil {
			t.Fatal(err)
		}
		costs[r.Cost] = true
		if r.Cost < least {
			least, which = r.Cost, start
		}
	}
	five := one
	five.Restarts = 5
	if r := cluster(t, x, 12, five, 4); r.Cost != least || r.Start != which {
		t.Errorf("best of five: cost %v of start %d, want %v of %d", r.Cost, r.Start, least, which)
	}
	if len(costs) < 2 || which == 0 {
		t.Errorf("the starts do not tell the best from the first: choose other data")
	}
}

// expiring is a context that ends after so many looks.
type expiring struct {
	context.Context
	looks chan struct{}
}

func (e expiring) Err() error {
	select {
	case <-e.looks:
		return nil
	default:
		return context.Canceled
	}
}

// TestCancellation ends the context at each look that a run takes.
func TestCancellation(t *testing.T) {
	x, _ := mixture(900, 10, 4, 0.5, 2)
	gram := &mat.SymDense{}
	gram.SymOuterK(1, x)
	batches := DefaultOptions()
	batches.MiniBatch, batches.MaxIter = 300, 3
	short := DefaultOptions()
	short.MaxIter = 3
	warm := short
	warm.Warm = 0.3
	for name, f := range map[string]func(ctx context.Context) error{
		"cluster":    func(ctx context.Context) error { _, err := Cluster(ctx, x, nil, 4, short, stream(1)); return err },
		"warm":       func(ctx context.Context) error { _, err := Cluster(ctx, x, nil, 4, warm, stream(1)); return err },
		"mini-batch": func(ctx context.Context) error { _, err := Cluster(ctx, x, nil, 4, batches, stream(1)); return err },
		"gram":       func(ctx context.Context) error { _, err := Gram(ctx, gram, nil, 4, short, stream(1)); return err },
	} {
		cancelled := 0
		for looks := 0; ; looks++ {
			ctx := expiring{context.Background(), make(chan struct{}, looks)}
			for range looks {
				ctx.looks <- struct{}{}
			}
			err := f(ctx)
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v", name, err)
			}
			cancelled++
		}
		if cancelled < 8 { // four phases at least look before and after
			t.Errorf("%s looks at its context %d times", name, cancelled)
		}
	}
}
