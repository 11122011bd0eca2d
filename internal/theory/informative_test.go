package theory

import (
	"math"
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
		factor, stretch := 6., 9.
		if key == "nyk-4.1-ii" {
			factor, stretch = 3, 1
		}
		b := applied(t, key, s)
		nearly(t, key, b.Upper, limit(factor, stretch, 1./16), 1e-7)
		nearly(t, key, b.Upper, want, 5e-3)
		nearly(t, "tr Σ", trivialValue(t, key, s), math.Pi*math.Pi/6, 1e-14)
		if b.Informative(trivialValue(t, key, s)) {
			t.Errorf("%s: %v is informative", key, b.Upper)
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
