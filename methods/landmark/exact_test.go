package landmark

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// TestExactScores holds leverage scores to diag K(K + nt I)⁻¹, which is
// 1 − nt·diag (K + nt I)⁻¹, by gonum's inverse, and their sum to Σ σ/(σ + nt). The
// condition of K + nt I is at most 240/6e-5 = 4e6, which leaves 1e-8.
func TestExactScores(t *testing.T) {
	const n = 60
	x := clustered(1, n)
	for name, k := range map[string]kernel.Kernel{"gaussian": kernel.NewGaussian(0.5), "laplace": kernel.Laplace{Sigma: 2}, "polynomial": kernel.Polynomial{Degree: 2, Gamma: 0.1, Offset: 0.3}} {
		gram := gramOf(k, x)
		p := problemOf(t, k, x, 5, 1, By("leverage"))
		values, vectors, err := Decompose(t.Context(), p.kernel, p.x, p.times)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []float64{1e-6, 1e-3, 0.1, 10} {
			ridge := n * level
			var shifted, inverse mat.Dense
			shifted.CloneFrom(gram)
			for i := range n {
				shifted.Set(i, i, shifted.At(i, i)+ridge)
			}
			if err := inverse.Inverse(&shifted); err != nil {
				t.Fatal(err)
			}
			sum, trace := 0.0, 0.0
			for i, s := range leverageScores(values, vectors, ridge) {
				sum += s
				want := 1 - ridge*inverse.At(i, i)
				trace += want
				if math.Abs(s-want) > 1e-8 {
					t.Errorf("%s, level %g: score %d is %.12g, want %.12g", name, level, i, s, want)
				}
			}
			if d := effectiveDimension(values, ridge); math.Abs(sum-d) > 1e-11*n || math.Abs(d-trace) > 1e-8*n {
				t.Errorf("%s, level %g: scores sum to %.12g, d_eff is %.12g, tr K(K+ntI)⁻¹ %.12g", name, level, sum, d, trace)
			}
		}
	}
}

// TestMatchingLevel: at the level that is found, the effective dimension is m;
// where no level gives m, the Set says so.
func TestMatchingLevel(t *testing.T) {
	x, k := clustered(2, 80), kernel.Laplace{Sigma: 1}
	for _, m := range []int{1, 2, 10, 60, 79} {
		set := pick(t, k, x, m, 1, By("leverage"))
		values, _, err := Decompose(t.Context(), k, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := effectiveDimension(values, 80*set.Level); math.Abs(d-float64(m)) > 1e-9*float64(m) {
			t.Errorf("m = %d: level %g has effective dimension %.12g", m, set.Level, d)
		}
		if len(set.Indices) != m || len(set.Warnings) > 0 {
			t.Errorf("m = %d: %d landmarks, warnings %q", m, len(set.Indices), set.Warnings)
		}
	}
	linear := kernel.Polynomial{Degree: 1, Gamma: 1, Offset: 1} // rank 3
	for _, rule := range []string{"leverage", "bless"} {
		set := pick(t, linear, x, 60, 1, By(rule))
		if len(set.Indices) != 60 || len(set.Warnings) != 1 {
			t.Errorf("%s at rank 3: %d landmarks, warnings %q, want one that d_eff does not reach m", rule, len(set.Indices), set.Warnings)
		}
	}
}
