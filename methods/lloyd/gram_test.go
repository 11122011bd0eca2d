package lloyd

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// gramOf is FFᵀ, with rubbish below the diagonal, which must not be read.
func gramOf(f *mat.Dense) *mat.SymDense {
	gram := &mat.SymDense{}
	gram.SymOuterK(1, f)
	raw := gram.RawSymmetric()
	for i := range raw.N {
		for j := range i {
			raw.Data[i*raw.Stride+j] = math.NaN()
		}
	}
	return gram
}

func clusterGram(t testing.TB, gram *mat.SymDense, k int, o Options, seed uint64) Result {
	t.Helper()
	r, err := Gram(context.Background(), gram, nil, k, o, stream(seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGramAgainstCluster: from the same seeds, k-means of FFᵀ takes the same
// steps as k-means of F; costs agree to 1e-9 of the total, 10^6 roundings.
func TestGramAgainstCluster(t *testing.T) {
	for _, s := range []struct{ n, d, k int }{{50, 2, 3}, {300, 4, 5}, {900, 20, 8}, {700, 3, 40}, {300, 5, 1}} {
		f, _ := mixture(s.n, s.d, s.k, 0.8, uint64(s.n))
		gram := gramOf(f)
		o := DefaultOptions()
		o.Tol = 0
		total := 0.0
		for i := range s.n {
			total += gram.At(i, i)
		}
		for o.MaxIter = 1; o.MaxIter < 60; o.MaxIter++ {
			want, got := cluster(t, f, s.k, o, 1), clusterGram(t, gram, s.k, o, 1)
			if !slices.Equal(want.Labels, got.Labels) || want.Converged != got.Converged || want.Iterations != got.Iterations {
				t.Fatalf("n=%d k=%d: labels differ after %d iterations", s.n, s.k, o.MaxIter)
			}
			means := bruteMeans(f, got.Labels, want.Centers)
			cost := costOf(f, got.Labels, means)
			if math.Abs(cost-got.Cost) > 1e-9*total || got.Cost > want.Cost+1e-9*total {
				t.Fatalf("n=%d k=%d: cost %v, want %v and at most %v", s.n, s.k, got.Cost, cost, want.Cost)
			}
			if got.Converged {
				if math.Abs(want.Cost-got.Cost) > 1e-9*total {
					t.Fatalf("converged costs %v and %v", want.Cost, got.Cost)
				}
				break
			}
		}
	}
}

func costOf(x *mat.Dense, labels []int, centers *mat.Dense) (cost float64) {
	for i, label := range labels {
		cost += SquaredDistance(x.RawRowView(i), centers.RawRowView(label))
	}
	return cost
}

// TestGramShift compares the squared shift and the variance with coordinates:
// Tol stops Gram where it stops Cluster, if n and d stand for each other.
func TestGramShift(t *testing.T) {
	const n, d, k = 400, 5, 6
	f, _ := mixture(n, d, k, 0.5, 3)
	for _, tol := range []float64{1e-1, 1e-2, 1e-3, 1e-4} {
		o := DefaultOptions()
		o.Tol = tol
		want := cluster(t, f, k, o, 1)
		o.Tol = tol * n / d
		got := clusterGram(t, gramOf(f), k, o, 1)
		if want.Iterations != got.Iterations || !slices.Equal(want.Labels, got.Labels) {
			t.Errorf("tol %g: %d iterations on coordinates, %d on the Gram", tol, want.Iterations, got.Iterations)
		}
	}
}

// TestGramSumsAreExact: sums after many changes have the bits of sums anew.
func TestGramSumsAreExact(t *testing.T) {
	const n, k = 600, 5
	f, _ := mixture(n, 7, k, 1, 3)
	rng := stream(2)
	labels, weights := make([]int, n), make([]float64, n)
	for i := range labels {
		labels[i], weights[i] = rng.IntN(k), float64(1+rng.IntN(1000))
	}
	space := func() *gram {
		g := gramSpace(gramOf(f), weights)
		if err := g.look(); err != nil {
			t.Fatal(err)
		}
		if err := g.seed(context.Background(), make([]int, k)); err != nil {
			t.Fatal(err)
		}
		return g
	}
	kept := space()
	for round := range 60 {
		for range rng.IntN(n / 3) {
			labels[rng.IntN(n)] = rng.IntN(k)
		}
		anew := space()
		for _, g := range []*gram{kept, anew} {
			if err := g.set(context.Background(), (&clusters{labels: labels}).members(&g.items)); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(kept.hi, anew.hi) || !slices.Equal(kept.lo, anew.lo) || !slices.Equal(kept.square, anew.square) || !slices.Equal(kept.count, anew.count) {
			t.Fatalf("round %d: kept sums differ from sums anew", round)
		}
		i, j, want := rng.IntN(n), rng.IntN(k), 0.0
		for r, label := range labels {
			if label == j {
				want += weights[r] * kept.at(r, i)
			}
		}
		// n terms below 2^18: their plain sum is off by less than 600·2^-53·600·2^18.
		if math.Abs(kept.sum(j, i)-want) > 1e-5 {
			t.Fatalf("sum %v, want %v", kept.sum(j, i), want)
		}
	}
}

// TestGramCostFalls: the cost never rises from one iteration to the next.
func TestGramCostFalls(t *testing.T) {
	f, _ := mixture(500, 6, 7, 0.5, 4)
	before := math.Inf(1)
	for iterations := 1; iterations < 30; iterations++ {
		o := DefaultOptions()
		o.MaxIter, o.Tol = iterations, 0
		r := clusterGram(t, gramOf(f), 7, o, 5)
		if r.Cost > before*(1+1e-12) { // rounding of a sum of 500² terms
			t.Fatalf("cost rises from %v to %v in iteration %d", before, r.Cost, iterations)
		}
		before = r.Cost
	}
}

func TestGramSameBits(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	f, _ := mixture(1500, 6, 7, 0.5, 4)
	gram := gramOf(f)
	o := DefaultOptions()
	o.Init, o.Restarts = GreedyPlusPlus, 3
	want := clusterGram(t, gram, 7, o, 5)
	for _, procs := range []int{1, 3} {
		runtime.GOMAXPROCS(procs)
		if got := clusterGram(t, gram, 7, o, 5); !slices.Equal(got.Labels, want.Labels) || got.Cost != want.Cost || got.Iterations != want.Iterations {
			t.Errorf("GOMAXPROCS %d: another result", procs)
		}
	}
}

// TestGramEdges: mixtures, duplicates, k = 1, k = n, constant data.
func TestGramEdges(t *testing.T) {
	f, truth := mixture(600, 5, 4, 20, 6)
	o := DefaultOptions()
	o.Init, o.Restarts = GreedyPlusPlus, 3
	if r := clusterGram(t, gramOf(f), 4, o, 1); !labelsMatch(r.Labels, truth) || len(r.Warnings) > 0 {
		t.Errorf("not the mixture: %q", r.Warnings)
	}
	few := mat.NewDense(60, 3, nil)
	for i := range 60 {
		few.Set(i, 0, float64(i%3)*1.7+0.1)
		few.Set(i, 2, float64(i%3))
	}
	for _, k := range []int{1, 3, 5} {
		r := clusterGram(t, gramOf(few), k, DefaultOptions(), 1)
		used := slices.Compact(slices.Sorted(slices.Values(r.Labels)))
		if r.Empty != max(0, k-3) || len(used) != min(k, 3) || !r.Converged || k >= 3 && r.Cost > 1e-12 {
			t.Errorf("three points, k = %d: %d empty, %d used, cost %v", k, r.Empty, len(used), r.Cost)
		}
	}
	small := firstRows(f, 20)
	if r := clusterGram(t, gramOf(small), 20, DefaultOptions(), 1); r.Empty != 0 || r.Cost > 1e-9 || !r.Converged {
		t.Errorf("k = n: %d empty, cost %v", r.Empty, r.Cost)
	}
}

func TestGramErrors(t *testing.T) {
	f, _ := mixture(30, 3, 2, 1, 1)
	with := func(i, j int, v float64) *mat.SymDense {
		gram := gramOf(f)
		gram.SetSym(i, j, v)
		return gram
	}
	centers, batch, warm := DefaultOptions(), DefaultOptions(), DefaultOptions()
	centers.Init = FromCenters
	batch.MiniBatch = 10
	warm.Warm = 0.5
	for _, c := range []struct {
		gram *mat.SymDense
		k    int
		o    Options
		want string
	}{
		{with(3, 5, math.NaN()), 2, DefaultOptions(), "NaN at [3, 5]"},
		{with(9, 5, math.Inf(1)), 2, DefaultOptions(), "+Inf at [5, 9]"},
		{with(4, 4, -1), 2, DefaultOptions(), "-1 at [4, 4]"},
		{gramOf(f), 31, DefaultOptions(), "k = 31"},
		{gramOf(f), 2, centers, "no coordinates"},
		{gramOf(f), 2, batch, "no coordinates"},
		{gramOf(f), 2, warm, "no coordinates"},
	} {
		if _, err := Gram(context.Background(), c.gram, nil, c.k, c.o, stream(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one about %q", err, c.want)
		}
	}
}
