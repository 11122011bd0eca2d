package methods_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// TestFrequentDirectionsIsRFF: a sketch that holds all rows loses nothing: its
// model is that of rff on the same features, to rounding over the gaps; a smaller
// one has values below, by at most the guarantee over n, and spans that differ.
func TestFrequentDirectionsIsRFF(t *testing.T) {
	const n, ell = 120, 4
	for _, center := range []string{"u", "v", "none"} {
		p := methods.Sample{X: uniformPoints(2, n, 2), Kernel: kernel.NewGaussian(3), Sizes: methods.Sizes{N: n, M: 30, D: 60, Ell: ell}}
		options := methods.FeatureOptions{Features: "fourier", Center: center}
		rff := fitFeatures(t, method(t, &methods.RFFOptions{Features: "fourier", Center: center}), p, 3)
		whole := fitFeatures(t, method(t, &methods.FrequentDirectionsOptions{FeatureOptions: options}), p, 3)
		if !floats.EqualApprox(whole.Values, rff.Values, 1e-13) {
			t.Errorf("center %s: values %v, rff has %v", center, whole.Values, rff.Values)
		}
		for j := range ell {
			q := rff.Coef.Slice(0, 60, 0, j+1).(*mat.Dense)
			if off := sine2(q, whole.Coef.Slice(0, 60, 0, j+1).(*mat.Dense)); math.Abs(off) > 1e-12 {
				t.Errorf("center %s: the spans of %d components differ by %.2g", center, j+1, off)
			}
			if off := math.Abs(math.Abs(whole.Center[j]) - math.Abs(rff.Center[j])); off > 1e-10 {
				t.Errorf("center %s: centre %d differs by %.2g", center, j+1, off)
			}
		}
		p.Sizes.D = 12
		sketched := fitFeatures(t, method(t, &methods.FrequentDirectionsOptions{FeatureOptions: options}), p, 3)
		all := p
		all.Sizes.Ell = 60
		bound := floats.Sum(fitFeatures(t, method(t, &methods.RFFOptions{Features: "fourier", Center: center}), all, 3).Values) / 12 // k = 0
		for j, v := range sketched.Values {
			if lost := rff.Values[j] - v; lost < -1e-14 || lost > bound {
				t.Errorf("center %s: value %d is %.6g, rff has %.6g, and %.3g may be lost", center, j+1, v, rff.Values[j], bound)
			}
		}
		if off := sine2(rff.Coef, sketched.Coef); off < 1e-9 {
			t.Errorf("center %s: a sketch of 12 rows loses nothing (%.2g)", center, off)
		}
	}
}
