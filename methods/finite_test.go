package methods_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// opaque hides that a kernel has finite rank.
type opaque struct{ kernel.Kernel }

// TestFiniteRank compares fits through coordinates of the kernel with those
// through its n×n matrix: the same functions but for rounding.
func TestFiniteRank(t *testing.T) {
	p := methods.Sample{X: uniformPoints(12, 200, 1), Kernel: quarterSeries(t), Sizes: methods.Sizes{N: 200, M: 50, D: 6, Ell: 3}}
	entries := p
	entries.Kernel = opaque{p.Kernel}
	for _, center := range centers {
		options := &methods.EKPCAOptions{Center: center}
		sameComponents(t, fit(t, options, p, 1), fit(t, options, entries, 1).(*methods.Subspace), 1, 1e-10)
	}
	for _, subsample := range []string{"all", "uniform"} {
		options := &methods.KJLOptions{Subsample: subsample, Sketch: "gaussian"}
		got := fit(t, options, p, 1).(*methods.Embedding).Functions.(kernel.Expansion).Coef
		want := fit(t, options, entries, 1).(*methods.Embedding).Functions.(kernel.Expansion).Coef
		var difference mat.Dense
		difference.Sub(got, want)
		if d := mat.Norm(&difference, math.Inf(1)); !(d <= 1e-12*mat.Norm(want, math.Inf(1))) {
			t.Errorf("subsample %s: coefficients differ by %g", subsample, d)
		}
	}
}

// TestCollectedMercerFeatures compares PCA of collected features with that of
// all m, by the values of the components.
func TestCollectedMercerFeatures(t *testing.T) {
	series := quarterSeries(t)
	f := kernel.NewMercer(series, 40, newRand(5))
	c := f.Collected()
	if f.Features() != 40 || c.Features() != 40 || f.Dim() != 40 || c.Dim() > 4 {
		t.Fatalf("features %d and %d, coordinates %d and %d", f.Features(), c.Features(), f.Dim(), c.Dim())
	}
	x := uniformPoints(13, 60, 1)
	gram := func(m kernel.FeatureMap) *mat.Dense {
		phi := mat.NewDense(60, m.Dim(), nil)
		m.Transform(phi, x)
		var k mat.Dense
		k.Mul(phi, phi.T())
		return &k
	}
	var difference mat.Dense
	difference.Sub(gram(f), gram(c))
	if d := mat.Norm(&difference, 2); !(d <= 1e-13*series.Bound()) {
		t.Errorf("kernels differ by %g", d)
	}
}
