package metrics

import (
	"math"
	"reflect"
	"testing"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// TestSampledNorms: with all rows they are the exact errors. The interval of the Frobenius
// norm, from an eighth of the rows of a mixture, whose rows are very different, has the exact
// error in 95 % of samples: of 200, in 88 to 99 %. With 95 % of all samples, 200 fall outside
// of that with probability 0.0005. The interval of the spectral norm, from a quarter of the
// rows, has it in at least 95 %: in less than 88 % with at most that probability. It is within
// 0.4 to 1.6 of the norm on average, its estimate at most a tenth below.
func TestSampledNorms(t *testing.T) {
	const n, m, trials = 300, 12, 200
	k, rng := kernel.NewGaussian(0.5), newRand(41)
	method, err := (&methods.NystromOptions{Landmarks: landmark.By("uniform"), Space: "full", Center: "u"}).Method()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"matrix_frobenius", "matrix_frobenius_sampled", "matrix_spectral", "matrix_spectral_sampled"}
	covered, widths := 0, 0.0
	bracketed, spectral := 0, [3]float64{} // means over the exact norm
	for trial := range trials {
		x := points(n, 2, rng.NormFloat64)
		for i := range n {
			if i%5 == 0 { // a dense cluster
				x.Set(i, 0, 4+0.1*x.At(i, 0))
				x.Set(i, 1, 0.1*x.At(i, 1))
			}
		}
		rng.Shuffle(n, func(i, j int) {
			for c := range 2 {
				a, b := x.At(i, c), x.At(j, c)
				x.Set(i, c, b)
				x.Set(j, c, a)
			}
		})
		model, err := method.Fit(t.Context(), methods.Problem{X: x, Kernel: k, Sizes: methods.Sizes{N: n, M: m, Ell: 1}}, rng)
		if err != nil {
			t.Fatal(err)
		}
		e := &evaluation{Truth: Truth{X: x, Kernel: k}, ctx: t.Context(), model: model, shared: map[reflect.Type]any{}}
		a, err := e.approximated(1)
		if err != nil {
			t.Fatal(err)
		}
		left, whole, err := e.rowSquares(a, spreadOver(n, n/8))
		if err != nil {
			t.Fatal(err)
		}
		exact, err := e.relative(a, norms[1])
		if err != nil {
			t.Fatal(err)
		}
		v := ratioOf(left, whole, n)
		if v[1] <= exact && exact <= v[2] {
			covered++
		}
		widths += (v[2] - v[1]) / exact / trials
		norm, err := e.relative(a, norms[2])
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.sampledSpectral(a, n/4)
		if err != nil {
			t.Fatal(err)
		}
		if b[1] <= norm && norm <= b[2] {
			bracketed++
		}
		for i := range b {
			spectral[i] += b[i] / norm / trials
		}
		if trial > 0 {
			continue
		}
		got, _, err := Evaluate(t.Context(), Truth{X: x, Kernel: k}, model, []int{1}, names)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"matrix_frobenius_sampled", "matrix_frobenius_sampled_low", "matrix_frobenius_sampled_high"} {
			// 1e-9: sums in another order, of squares of differences
			if math.Abs(got[0][name]-exact) > 1e-9*exact || exact == 0 {
				t.Errorf("all rows: %s = %v, want %v", name, got[0][name], exact)
			}
		}
		for _, name := range names[2:] {
			if got[0][name] != norm || got[0]["matrix_spectral_sampled_low"] != norm || got[0]["matrix_spectral_sampled_high"] != norm {
				t.Errorf("all rows: %s = %v, want %v", name, got[0][name], norm)
			}
		}
	}
	t.Logf("%d of %d intervals have the exact error, mean width %.2f of it", covered, trials, widths)
	if share := float64(covered) / trials; share < 0.88 || share > 0.99 || widths > 0.8 {
		t.Errorf("%.3f of intervals have the exact error; mean width %.2f", share, widths)
	}
	t.Logf("spectral norm: %d of %d intervals have it; means over it %.2f", bracketed, trials, spectral)
	if bracketed < 0.88*trials || spectral[0] < 0.9 || spectral[0] > 1 || spectral[1] < 0.4 || spectral[2] > 1.6 {
		t.Errorf("spectral norm: %d of %d intervals have it; means over it %.2f", bracketed, trials, spectral)
	}
}
