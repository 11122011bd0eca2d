package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// sampledCase is a sample with a method whose error is estimated.
type sampledCase struct {
	x      *mat.Dense
	kernel kernel.Kernel
	method methods.Options
	m      int
}

// sampledCases are samples of 600 points: in two of them one or three points carry the
// residual, alone or together, in one the rows come in turns, and in two the features have
// very different norms.
func sampledCases() map[string]sampledCase {
	const n = 600
	rng := newRand(41)
	sample := func(change func(i int, x []float64)) *mat.Dense {
		x := points(n, 2, rng.NormFloat64)
		for i := range n {
			change(i, x.RawRowView(i))
		}
		return x
	}
	smooth, nystrom := kernel.NewGaussian(0.05), &methods.NystromOptions{Landmarks: landmark.By("uniform"), Space: "full", Center: "u"}
	return map[string]sampledCase{
		"mixture": {sample(func(i int, x []float64) {
			if rng.IntN(5) == 0 { // a dense cluster
				x[0], x[1] = 4+0.1*x[0], 0.1*x[1]
			}
		}), kernel.NewGaussian(0.5), nystrom, 12},
		"a point far away": {sample(func(i int, x []float64) {
			if i == 77 {
				x[0] += 100
			}
		}), smooth, nystrom, 12},
		"three points far away": {sample(func(i int, x []float64) {
			if i%200 == 77 {
				x[0], x[1] = 100, 0.1*x[1]
			}
		}), smooth, nystrom, 12},
		"in turns": {sample(func(i int, x []float64) {
			if i%10 == 0 {
				x[0] += 5
			}
		}), kernel.NewGaussian(0.5), nystrom, 12},
		"positive features": {sample(func(int, []float64) {}), kernel.NewGaussian(0.5), &methods.RFFEmbeddingOptions{Features: "positive"}, 60},
		"polynomial": {sample(func(_ int, x []float64) {
			scale := math.Pow(rng.Float64(), -0.3)
			x[0], x[1] = scale*x[0], scale*x[1]
		}), kernel.Polynomial{Degree: 2, Gamma: 1, Offset: 1}, &methods.RFFOptions{Features: "tensorsketch", Center: "none"}, 8},
	}
}

// TestSampledNorm: the 95 % interval of the Frobenius norm, from a fourth of the rows, has
// the exact error in 90 to 99.5 % of 300 draws: with 95 % of all, 300 fall outside of that
// with probability 4e-4 for one of the six samples. A fixed stride finds the lonely points of
// two samples in none of these draws.
func TestSampledNorm(t *testing.T) {
	for name, c := range sampledCases() {
		n, _ := c.x.Dims()
		method, err := c.method.Method()
		if err != nil {
			t.Fatal(err)
		}
		model, err := method.Fit(t.Context(), methods.Problem{X: c.x, Kernel: c.kernel, Sizes: methods.Sizes{N: n, M: c.m, Ell: 1}}, newRand(42))
		if err != nil {
			t.Fatal(err)
		}
		seed := uint64(0)
		truth := Truth{X: c.x, Kernel: c.kernel, Rows: func() *rand.Rand { return newRand(seed) }}
		e := &evaluation{Truth: truth, ctx: t.Context(), model: model, shared: map[sharedKey]any{}}
		a, err := e.approximated(1)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := e.relative(a, inFrobenius)
		if err != nil {
			t.Fatal(err)
		}
		const draws = 300
		covered, means := 0, [3]float64{}
		for range draws {
			seed++
			v, err := e.sampledFrobenius(a, n/4)
			if err != nil {
				t.Fatal(err)
			}
			if v[1] <= exact && exact <= v[2] {
				covered++
			}
			for i := range v {
				means[i] += v[i] / exact / draws
			}
		}
		share := float64(covered) / draws
		t.Logf("%s: %.3f of intervals have the exact error %.3g; means over it %.2f", name, share, exact, means)
		if share < 0.90 || share > 0.995 || means[0] < 0.9 || means[0] > 1.1 || means[1] < 0.4 || means[2] > 2 {
			t.Errorf("%s: %.3f of intervals have the exact error %.3g; means over it %.2f", name, share, exact, means)
		}
		got, _, err := Evaluate(t.Context(), truth, model, []int{1}, []string{"matrix_frobenius", "matrix_frobenius_sampled"})
		if err != nil || len(got[0]) != 4 {
			t.Errorf("%s: all of 600 rows: %v, %v", name, got, err)
		}
		for metric, v := range got[0] {
			if v != exact {
				t.Errorf("%s: all of 600 rows: %s is %v, want %v", name, metric, v, exact)
			}
		}
	}
}
