package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// momentsOfMap are the mean of ⟨Φ(x),Φ(y)⟩ over draws of a map, and of its squared
// deviation from want.
func momentsOfMap(draw func(rng *rand.Rand) FeatureMap, x *mat.Dense, want float64, draws int, seed uint64) (mean, variance float64) {
	rng := newRand(seed)
	for range draws {
		f := draw(rng)
		phi := mat.NewDense(2, f.Dim(), nil)
		f.Transform(phi, x)
		v := floats.Dot(phi.RawRowView(0), phi.RawRowView(1))
		mean += v / float64(draws)
		variance += (v - want) * (v - want) / float64(draws)
	}
	return mean, variance
}

// TestTensorSketchByConvolution: one point by the definition: the bucket of a tensor's entry
// is the sum of its buckets modulo m, its sign the product of signs.
func TestTensorSketchByConvolution(t *testing.T) {
	const m, d = 7, 3
	k := Polynomial{Degree: 3, Gamma: 0.5, Offset: 2}
	s := newTensorSketch(k, m, d, newRand(2))
	x := normalPoints(newRand(3), 4, d)
	got := mat.NewDense(4, m, nil)
	s.Transform(got, x)
	for i := range 4 {
		u := make([]float64, d+1)
		for j, v := range x.RawRowView(i) {
			u[j] = math.Sqrt(k.Gamma) * v
		}
		u[d] = math.Sqrt(k.Offset)
		want := make([]float64, m)
		for a := range u {
			for b := range u {
				for c := range u {
					bucket := (s.buckets[0][a] + s.buckets[1][b] + s.buckets[2][c]) % m
					want[bucket] += s.signs[0][a] * s.signs[1][b] * s.signs[2][c] * u[a] * u[b] * u[c]
				}
			}
		}
		if !floats.EqualApprox(got.RawRowView(i), want, 1e-12) {
			t.Errorf("point %d: %v, want %v", i, got.RawRowView(i), want)
		}
	}
}

// TestVarianceOfTensorSketch: mean and variance over 20,000 draws, of odd and even m. The
// mean is held to 6 standard errors; the empirical variance to 10 %, 5 to 8 of its own. A
// variance without its second term is 15 % off at m = 4, q = 3.
func TestVarianceOfTensorSketch(t *testing.T) {
	const draws, d = 20000, 3
	x := normalPoints(newRand(8), 2, d)
	for _, m := range []int{4, 5, 32} {
		for _, k := range []Polynomial{{Degree: 1, Gamma: 1}, {Degree: 2, Gamma: 0.5, Offset: 1}, {Degree: 3, Gamma: 0.5, Offset: 0.5}} {
			var p, s, uu, vv float64
			for j := range d + 1 {
				u, v := math.Sqrt(k.Offset), math.Sqrt(k.Offset)
				if j < d {
					u, v = math.Sqrt(k.Gamma)*x.At(0, j), math.Sqrt(k.Gamma)*x.At(1, j)
				}
				p, s, uu, vv = p+u*v, s+u*u*v*v, uu+u*u, vv+v*v
			}
			q, pi := float64(k.Degree), float64(2-m%2)/float64(m*m)
			power := func(extra float64) float64 { return math.Pow(p*p+extra, q) }
			b, c := uu*vv-s, p*p-s
			want := (power(b)+power(c)-2*power(0))/float64(m) + pi*(power(b+c)-power(b)-power(c)+power(0))
			exact := k.At(x.RawRowView(0), x.RawRowView(1))
			mean, variance := momentsOfMap(func(rng *rand.Rand) FeatureMap { return Maps["tensorsketch"].New(k, m, d, rng) }, x, exact, draws, 9)
			if off := math.Abs(mean - exact); !(off <= 6*math.Sqrt(want/draws)) {
				t.Errorf("%s, m = %d: mean %v, kernel %v", k, m, mean, exact)
			}
			if !(math.Abs(variance/want-1) <= 0.1) {
				t.Errorf("%s, m = %d: variance %v, in closed form %v", k, m, variance, want)
			}
		}
	}
}

// TestVarianceOfPositiveFeatures: as above, by the closed form of the variance, which
// Fourier features of the same number do not have.
func TestVarianceOfPositiveFeatures(t *testing.T) {
	const draws, d, m = 20000, 3, 40
	k, x := NewGaussian(0.15), normalPoints(newRand(8), 2, d)
	exact, dot := k.At(x.RawRowView(0), x.RawRowView(1)), floats.Dot(x.RawRowView(0), x.RawRowView(1))
	want := (math.Exp(8*0.15*dot) - exact*exact) / m
	mean, variance := momentsOfMap(func(rng *rand.Rand) FeatureMap { return Maps["positive"].New(k, m, d, rng) }, x, exact, draws, 9)
	if off := math.Abs(mean - exact); !(off <= 6*math.Sqrt(want/draws)) {
		t.Errorf("mean %v, kernel %v", mean, exact)
	}
	if !(math.Abs(variance/want-1) <= 0.1) {
		t.Errorf("variance %v, in closed form %v", variance, want)
	}
	_, fourier := momentsOfMap(func(rng *rand.Rand) FeatureMap { return Maps["fourier"].New(k, m, d, rng) }, x, exact, draws, 9)
	if math.Abs(fourier/want-1) <= 0.1 {
		t.Errorf("Fourier features have the same variance, %v: this test tells nothing", fourier)
	}
}
