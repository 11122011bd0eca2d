package theory

import (
	"math"
	"strings"
	"testing"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/sizes"
)

// quadratic is the series population of λ_i = i^−2.
func quadratic() data.Population {
	return opened(&data.SeriesOptions{Decay: &kernel.Decay{Power: new(2.0)}})
}

// What Theorem 4.1 tends to for λ_i = i^−2 and ℓ = 3 as n grows, by the closed form
// N(t) = (x·coth x − 1)/2, x = π/√t, on a grid of t; and where it is informative.
func TestNykExamples(t *testing.T) {
	limit := func(factor, stretch, next float64) float64 {
		least := math.Inf(1)
		for i := range 400_000 {
			at := math.Exp(-float64(i) * 1e-4)
			x := math.Pi / math.Sqrt(at)
			least = min(least, factor*(x/math.Tanh(x)-1)/2*(next+stretch*at))
		}
		return least
	}
	s := Setting{Population: quadratic(), Sizes: sizes.Sizes{N: 1 << 53, M: 1 << 53, Ell: 3}, Delta: 0.05}
	for key, want := range map[string]float64{"nyk-4.1-iii": 13.76, "nyk-4.1-ii": 2.16} {
		theorem, factor, stretch := Registry[key], 6., 9.
		if key == "nyk-4.1-ii" {
			factor, stretch = 3, 1
		}
		b := applied(t, key, s)
		nearly(t, key, b.Upper, limit(factor, stretch, 1./16), 1e-7)
		nearly(t, key, b.Upper, want, 5e-3)
		nearly(t, "tr Σ", trivialValue(t, key, s), math.Pi*math.Pi/6, 1e-14)
		if b.Informative(trivialValue(t, key, s)) || informs(theorem, s) {
			t.Errorf("%s: %v is informative", key, b.Upper)
		}
		if enough, ok := informativeFrom(theorem, s); !ok || enough.Ell <= 3 {
			t.Errorf("%s: no larger ℓ is enough: %v", key, enough.Sizes)
		}
	}
	s.Ell, s.N, s.M = 40, 1e8, 1e8
	b := applied(t, "nyk-4.1-iii", s)
	nearly(t, "ℓ = 40", b.Upper, 1.44, 0.01)
	if !b.Informative(math.Pi * math.Pi / 6) {
		t.Error("ℓ = 40 is not informative")
	}
	nearly(t, "bound/trivial", b.Ratio(trivialValue(t, "nyk-4.1-iii", s)), b.Upper*6/math.Pi/math.Pi, 1e-12)
}

// 48κ log(n/δ)/m is above κ = ‖C‖ up to m = 442 for n/δ = 10⁴; it grows with n.
func TestLemma1Informative(t *testing.T) {
	s := Setting{Population: boundedByOne{cosines{1}}, Sizes: sizes.Sizes{N: 500, M: 442}, Delta: 0.05, Given: map[string]float64{sampleKappa: 1}}
	enough, ok := informativeFrom(Registry["kkm-lemma-1"], s)
	if !ok || enough.M != 443 || enough.N != 500 {
		t.Errorf("%v, %v", ok, enough.Sizes)
	}
	s.M, s.N = 443, int(math.Floor(0.05*math.Exp(443./48))) // 48 log(n/δ) < m
	if !informs(Registry["kkm-lemma-1"], s) {
		t.Errorf("not informative at the largest n, %d", s.N)
	}
	s.N++
	if informs(Registry["kkm-lemma-1"], s) {
		t.Errorf("informative at n = %d", s.N)
	}
}

// Where the sizes are enough the bound is informative, and not with one less of a size that
// was raised.
func TestInformativeFrom(t *testing.T) {
	for key, theorem := range Registry {
		if theorem.Bound == nil || strings.HasPrefix(key, "skp") {
			continue
		}
		s := Setting{Population: quadratic(), Sizes: sizes.Sizes{N: 5000, M: 3000, D: 100, Ell: 2, K: 3}, Delta: 0.1, Given: map[string]float64{
			"c": 1, "feature_bound": 1, "kjl_sample_trace": 0.8, "kjl_sample_norm": 0.7, "kjl_separation_limit": 1, "kjl_means_limit": 1, "kjl_means_h": 1,
			"nystrom_residual": 0.1, sampleKappa: quadratic().Kappa(), "effective_dimension": 4, "effective_dimension_level": 0.1, "level": 0.1,
		}}
		s.Sizes = s.Only(theorem.Sizes...)
		enough, ok := informativeFrom(theorem, s)
		if never := key == "kjl-2"; never == ok {
			t.Errorf("%s: informative %v, at %+v", key, ok, enough.Sizes)
		}
		if !ok {
			continue
		}
		if !informs(theorem, enough) {
			t.Errorf("%s is not informative at %+v", key, enough.Sizes)
		}
		for _, size := range []string{"n", "m", "d"} {
			if at := enough; at.Get(size) > s.Get(size) {
				if at.Set(size, at.Get(size)-1); informs(theorem, at) {
					t.Errorf("%s: %s = %d is enough", key, size, at.Get(size))
				}
			}
		}
	}
}

// The words of explain.
func TestWorthText(t *testing.T) {
	s := Setting{Population: quadratic(), Sizes: sizes.Sizes{N: 1e5, M: 1e5, D: 100, Ell: 5}, Delta: 0.05, Given: map[string]float64{}}
	for _, tt := range []struct {
		key  string
		n    int
		want []string
	}{
		{"nyk-4.1-ii", 1e5, []string{"trivial value of recon_h: 1.64493 = tr Σ\n", "vacuous: it is 1.", "informative at n = "}},
		{"nyk-4.1-ii", 1e9, []string{"informative: it is 0.9"}},
		{"nyk-4.1-ii", 10, []string{"it does not apply here", "trivial value", "informative at n = "}},
		{"kjl-2", 1e5, []string{"vacuous", "no larger n, m or d up to 2^53 makes it informative"}},
	} {
		s.N = tt.n
		e, err := Explain(Registry[tt.key], s, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range tt.want {
			if !strings.Contains(e.Text(), words) {
				t.Errorf("%s at n = %d lacks %q:\n%s", tt.key, tt.n, words, e.Text())
			}
		}
		if e.Worth.Vacuous && !e.Applies || e.Applies && (*e.Worth.Ratio >= 1) != e.Worth.Vacuous {
			t.Errorf("%s at n = %d: %+v", tt.key, tt.n, e.Worth)
		}
	}
}
