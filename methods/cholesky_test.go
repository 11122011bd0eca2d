package methods_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
	"mercer/methods/landmark"
)

// greedyPivots is pivoted Cholesky on the whole matrix, rank one by rank one:
// the pivots, and the trace left after each.
func greedyPivots(k *mat.Dense, m int) (pivots []int, left []float64) {
	n, _ := k.Dims()
	rest := mat.DenseCopyOf(k)
	for range m {
		best := 0
		for i := range n {
			if rest.At(i, i) > rest.At(best, best) {
				best = i
			}
		}
		column := mat.VecDenseCopyOf(rest.ColView(best))
		rest.RankOne(rest, -1/rest.At(best, best), column, column)
		pivots, left = append(pivots, best), append(left, mat.Trace(rest))
	}
	return pivots, left
}

// greedyProblems are the others, and such whose greedy choices are ties (every
// point orthogonal to all others), close together (an even grid of a line) and
// few (each point thrice).
func greedyProblems(t *testing.T) map[string]methods.Sample {
	all := problems(t)
	all["orthogonal"] = methods.Sample{X: uniformPoints(11, 40, 3), Kernel: kernel.NewGaussian(1e9), Sizes: methods.Sizes{N: 40, M: 25, Ell: 3}}
	line := mat.NewDense(500, 1, nil)
	line.Apply(func(i, _ int, _ float64) float64 { return math.Pow(float64(i)/500, 1.1) }, line)
	all["line"] = methods.Sample{X: line, Kernel: kernel.Laplace{Sigma: 0.3}, Sizes: methods.Sizes{N: 500, M: 70, Ell: 3}}
	thrice := mat.NewDense(60, 1, nil)
	single := uniformPoints(12, 20, 1)
	thrice.Apply(func(i, _ int, _ float64) float64 { return single.At(i/3, 0) }, thrice)
	all["thrice"] = methods.Sample{X: thrice, Kernel: kernel.Laplace{Sigma: 1}, Sizes: methods.Sizes{N: 60, M: 20, Ell: 3}}
	all["polynomial"] = methods.Sample{X: uniformPoints(13, 200, 10), Kernel: kernel.Polynomial{Degree: 3, Gamma: 1, Offset: 1}, Sizes: methods.Sizes{N: 200, M: 80, Ell: 3}}
	return all
}

func TestIncompleteCholeskyPivotsAreTheGreedyOnes(t *testing.T) {
	for name, p := range greedyProblems(t) {
		t.Run(name, func(t *testing.T) {
			model := fit(t, &methods.IncompleteCholeskyOptions{Center: "u"}, p, 1).(*methods.Subspace)
			pivots, _ := greedyPivots(denseGram(p.Kernel, p.X, p.X), p.Sizes.M)
			if model.Rank != p.Sizes.M {
				t.Fatalf("rank %d, want %d", model.Rank, p.Sizes.M)
			}
			for i, at := range pivots {
				if got, want := model.Points.RawRowView(i), p.X.RawRowView(at); !slices.Equal(got, want) {
					t.Fatalf("pivot %d is %v, want %v (point %d)", i+1, got, want, at)
				}
			}
		})
	}
}

// withFirst is the sample with the given points before the others.
func withFirst(p methods.Sample, first []int) methods.Sample {
	n, d := p.X.Dims()
	order := slices.Clone(first)
	for i := range n {
		if !slices.Contains(first, i) {
			order = append(order, i)
		}
	}
	x := mat.NewDense(n, d, nil)
	for i, at := range order {
		x.SetRow(i, p.X.RawRowView(at))
	}
	p.X = x
	return p
}

// Both Nyström's own code and an explicit root of K_mm.
func TestIncompleteCholeskyIsNystromOnItsPivots(t *testing.T) {
	eachProblem(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		got := fit(t, &methods.IncompleteCholeskyOptions{Center: center}, p, 1)
		pivots, _ := greedyPivots(denseGram(p.Kernel, p.X, p.X), p.Sizes.M)
		p = withFirst(p, pivots)
		sameComponents(t, got, fit(t, &methods.NystromOptions{Landmarks: landmark.By("first"), Space: "full", Center: center}, p, 1), dim, 1e-10)
		want, err := nystromByRoot{center: center, power: -0.5}.Fit(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameComponents(t, got, want, dim, 1e-10)
	})
}

// n·Σλ̂ of all components is the trace of the approximation, and what it leaves
// falls with every pivot to that of the naive factorisation. The tolerance ends
// at the first rank within it.
func TestIncompleteCholeskyTraceAndTolerance(t *testing.T) {
	p := problems(t)["laplace"]
	n := float64(p.Sizes.N)
	_, left := greedyPivots(denseGram(p.Kernel, p.X, p.X), 40)
	previous := math.Inf(1)
	for m := 1; m <= 40; m++ {
		p.Sizes.M, p.Sizes.Ell = m, m
		model := fit(t, &methods.IncompleteCholeskyOptions{Center: "none"}, p, 1).(*methods.Subspace)
		rest := n
		for _, v := range model.Values {
			rest -= n * v
		}
		if !(rest < previous) || !(math.Abs(rest-left[m-1]) <= 1e-10*n) {
			t.Fatalf("m = %d leaves the trace %.15g, want %.15g, and %.15g before", m, rest, left[m-1], previous)
		}
		previous = rest
		// Between two ranks, and just within this one.
		for _, share := range []float64{left[m-1] / n * (1 + 1e-9), (left[m-1] + left[max(0, m-2)]) / 2 / n} {
			q := p
			q.Sizes.M, q.Sizes.Ell = 60, 1
			model := fit(t, &methods.IncompleteCholeskyOptions{Center: "none", Tolerance: share}, q, 1).(*methods.Subspace)
			if model.Rank != m && m > 1 {
				t.Errorf("tolerance %g ends at rank %d, want %d", share, model.Rank, m)
			}
			if len(model.Warnings) > 0 {
				t.Errorf("tolerance %g: warnings %q", share, model.Warnings)
			}
		}
	}
}

func TestIncompleteCholeskyWarnsOfTheRank(t *testing.T) {
	p := methods.Sample{X: mat.NewDense(30, 1, nil), Kernel: kernel.Laplace{Sigma: 1}, Sizes: methods.Sizes{N: 30, M: 20, Ell: 2}}
	p.X.Apply(func(i, _ int, _ float64) float64 { return float64(i % 3) }, p.X)
	model := fit(t, &methods.IncompleteCholeskyOptions{Center: "u"}, p, 1).(*methods.Subspace)
	if want := []string{"numerical rank of the kernel matrix is 3, below m = 20"}; !slices.Equal(model.Caveats(2), want) {
		t.Errorf("caveats %q, want %q", model.Caveats(2), want)
	}
}

func TestIncompleteCholeskyRefusesWhatIsNoKernelMatrix(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1, 2, 0.1})
	m := method(t, &methods.IncompleteCholeskyOptions{Center: "none"})
	for _, tt := range []struct {
		kernel kernel.Kernel
		x      *mat.Dense
		is     error
		says   string
	}{
		{kernel.Polynomial{Degree: 1, Gamma: 1, Offset: -0.5}, x, linalg.ErrIndefinite, "diagonal element 2 is -0.49 after 0 pivots"},
		{kernel.Polynomial{Degree: 1, Gamma: 1, Offset: -0.005}, x, linalg.ErrIndefinite, "after 1 pivots"},
		{kernel.Polynomial{Degree: 1, Gamma: 1}, mat.NewDense(3, 1, nil), nil, "the kernel is 0 on all points"},
		{kernel.Laplace{Sigma: 1}, mat.NewDense(3, 1, []float64{1, math.NaN(), 2}), linalg.ErrNotFinite, "diagonal element 1 is NaN"},
	} {
		p := methods.Sample{X: tt.x, Kernel: tt.kernel, Sizes: methods.Sizes{N: 3, M: 2, Ell: 1}}
		_, err := m.Fit(t.Context(), p, nil)
		if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: error %v, want %q", tt.kernel, err, tt.says)
		}
	}
}

// On every back end, and whatever the number of points looked at for pivots:
// the first pivots of a larger m are those of a smaller one.
func TestIncompleteCholeskyPivotsAreNested(t *testing.T) {
	p := problems(t)["krylov"]
	large := fit(t, &methods.IncompleteCholeskyOptions{Center: "u"}, p, 1).(*methods.Subspace)
	for _, m := range []int{4, 5, 19, 59} {
		q := p
		q.Sizes.M = m
		_, d := p.X.Dims()
		small := fit(t, &methods.IncompleteCholeskyOptions{Center: "u"}, q, 1).(*methods.Subspace)
		if !mat.Equal(small.Points, large.Points.Slice(0, m, 0, d)) {
			t.Errorf("the pivots at m = %d are not the first of those at %d", m, p.Sizes.M)
		}
	}
}
