package methods_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/methods"
)

var otherSketches = []string{"srht", "sparse-sign", "countsketch"}

// The same components by the definition, from the same draw of S. 1e-9, as of normal
// sketches.
func TestOtherSketchesAreTheRootOfTheSketchedGram(t *testing.T) {
	eachOfSome(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		for _, name := range otherSketches {
			s := methods.SketchOf(name, p.Sizes.N, p.Sizes.M, newRand(3))
			sketched := methods.Sketched{Sketch: name}
			if name != "countsketch" || fullColumns(s) {
				got := fit(t, &methods.GaussianSketchOptions{Center: center, Sketched: sketched}, p, 3)
				sameComponents(t, got, sketchByRoot(p, s, center), dim, 1e-9)
			}
			got := fit(t, &methods.RandomizedOptions{Center: center, Variant: "power", Power: 1, Sketched: sketched}, p, 3)
			if fullColumns(s) {
				sameComponents(t, got, sketchByRoot(p, powers(p, s, center, 1, false), center), dim, 1e-9)
			}
		}
	})
}

// fullColumns says that no column is 0: the root of a singular SᵀKS is not the reference.
func fullColumns(s *mat.Dense) bool {
	_, m := s.Dims()
	return !slices.ContainsFunc(slices.Collect(columnsOf(s, m)), func(c []float64) bool { return floats.Norm(c, 2) == 0 })
}

func columnsOf(s *mat.Dense, m int) func(yield func([]float64) bool) {
	return func(yield func([]float64) bool) {
		for j := range m {
			if !yield(mat.Col(nil, j, s)) {
				return
			}
		}
	}
}

// The entries of srht are ±1/√m, and the product of two columns is one column of the
// Hadamard matrix, signs cancelled: its transform is 0 but in one place, the exclusive or
// of two of the columns drawn, which differ.
func TestHadamardColumns(t *testing.T) {
	const n, m = 64, 9
	s := methods.SketchOf("srht", n, m, newRand(4))
	for a := range m {
		for b := range a + 1 {
			product := floats.MulTo(make([]float64, n), mat.Col(nil, a, s), mat.Col(nil, b, s))
			linalg.Hadamard(product)
			at := floats.MaxIdx(product)
			if !(math.Abs(product[at]*m-n) <= 1e-12*n) || !(math.Abs(floats.Norm(product, 1)*m-n) <= 1e-10) || (at == 0) != (a == b) {
				t.Errorf("columns %d and %d: %v", a, b, product)
			}
		}
	}
}

// TestSketchesEmbed: how far S is from keeping a subspace's geometry. For U orthonormal
// (n×k) with leverage scores ℓ_i and X = SSᵀ, whose diagonal is 1 and whose other entries
// are uncorrelated of variance v,
//
//	E‖Uᵀ(X − I)U‖_F² = v·(k² + k − 2Σ_i ℓ_i²),
//
// v = 1/m for signs, and (n'−m)/(m(n'−1)) for m columns of n' of a Hadamard matrix, by the
// variance of draws without replacement. A normal sketch has (k² + k)/m, of Wishart's law.
// The mean of 3000 draws within 6 standard errors, which are a twentieth of it at most.
func TestSketchesEmbed(t *testing.T) {
	const n, m, k, draws = 50, 16, 4, 3000
	u := orthonormalOf(uniformPoints(5, n, k))
	leverages := 0.0
	for i := range n {
		leverage := floats.Dot(u.RawRowView(i), u.RawRowView(i))
		leverages += leverage * leverage
	}
	pairs := k*k + k - 2*leverages
	for name, want := range map[string]float64{
		"gaussian": (k*k + k) / float64(m), "sparse-sign": pairs / m, "countsketch": pairs / m, "srht": (64. - m) / (m * 63) * pairs,
	} {
		sum, squares := 0.0, 0.0
		for seed := range uint64(draws) {
			s := methods.NormalSketch(n, m, newRand(seed))
			if name != "gaussian" {
				s = methods.SketchOf(name, n, m, newRand(seed))
			}
			embedded := product(s.T(), u)
			distortion := product(embedded.T(), embedded)
			for i := range k {
				distortion.Set(i, i, distortion.At(i, i)-1)
			}
			square := math.Pow(mat.Norm(distortion, 2), 2)
			sum, squares = sum+square/draws, squares+square*square/draws
		}
		band := 6 * math.Sqrt((squares-sum*sum)/draws)
		if !(math.Abs(sum-want) <= band) || !(band <= 0.3*want) {
			t.Errorf("%s: the mean squared distortion is %.4f, want %.4f ± %.4f", name, sum, want, band)
		}
	}
}

// An unknown word, and a Hadamard transform of counts, are refused.
func TestSketchOptions(t *testing.T) {
	for _, o := range []methods.Options{
		&methods.GaussianSketchOptions{Center: "u", Sketched: methods.Sketched{Sketch: "some"}},
		&methods.RandomizedOptions{Center: "u", Variant: "power", Sketched: methods.Sketched{Sketch: "some"}},
	} {
		if _, err := o.Method(); err == nil || err.Error() != `sketch "some": must be gaussian, srht, sparse-sign or countsketch` {
			t.Errorf("%T: %v", o, err)
		}
	}
	for name, refused := range map[string]bool{"": false, "gaussian": false, "srht": true, "sparse-sign": false, "countsketch": false} {
		o := &methods.RandomizedOptions{Center: "u", Variant: "power", Sketched: methods.Sketched{Sketch: name}}
		if traits := o.Traits(); (traits.NoCounts != "") != refused {
			t.Errorf("%q: counts are refused: %q", name, traits.NoCounts)
		}
	}
}
