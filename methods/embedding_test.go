package methods_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestNystromEmbeddingKeepsInnerProducts: ⟨φ̃(x), φ̃(y)⟩ = k_m(x)ᵀ K_mm⁻¹ k_m(y),
// computed here by gonum's dense solver. K_mm of these points has a condition
// number of about 1e6, which leaves 1e−9.
func TestNystromEmbeddingKeepsInnerProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, m, d = 700, 20, 9
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	k := kernel.NewGaussian(0.02)
	p := methods.Sample{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: m}}
	e := embedding(t, &methods.NystromEmbeddingOptions{Landmarks: landmark.By("first"), Rank: "full"}, p, 1)
	if e.Dim() != m {
		t.Fatalf("dimension %d, want %d", e.Dim(), m)
	}
	got, err := e.Map(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	landmarks := x.Slice(0, m, 0, d).(*mat.Dense)
	knm := kernel.Cross(k, x, landmarks)
	var solved, want, inner mat.Dense
	if err := solved.Solve(kernel.Gram(k, landmarks), knm.T()); err != nil {
		t.Fatal(err)
	}
	want.Mul(knm, &solved)
	inner.Mul(got, got.T())
	inner.Sub(&inner, &want)
	if worst := mat.Max(&inner); math.Abs(worst) > 1e-9 || math.Abs(mat.Min(&inner)) > 1e-9 {
		t.Errorf("inner products are off by %g", worst)
	}
	procs := runtime.GOMAXPROCS(1)
	again, err := e.Map(t.Context(), x)
	runtime.GOMAXPROCS(procs)
	if err != nil || !mat.Equal(got, again) {
		t.Errorf("another number of processors gives other bits (%v)", err)
	}
}
