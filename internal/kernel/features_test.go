package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// maxZ is the largest deviation, in standard errors, that the checks below let
// pass. A correct map exceeds it at one point with probability 6e-7; with some
// 100 points, the chance that a new seed raises a false alarm is under 1e-4.
// Seeds are fixed.
const maxZ = 5.0

// spectral are the shift-invariant kernels, with bandwidths that make all the
// points below matter.
var spectral = []ShiftInvariant{
	NewGaussian(0.4), Laplace{Sigma: 2}, Cauchy{Sigma: 1.3},
	Matern{Half: 1, Sigma: 1.5}, Matern{Half: 3, Sigma: 1.5}, Matern{Half: 5, Sigma: 1.5},
	RationalQuadratic{Alpha: 0.8, Sigma: 1.2}, Periodic{Period: 7, Sigma: 0.8},
	spectrum(Product{[]Kernel{NewGaussian(0.2), Laplace{Sigma: 4}}}),
	spectrum(Normalised{Sum{[]Kernel{NewGaussian(2), Scaled{3, Laplace{Sigma: 4}}}}}),
}

// shifts are points whose differences from the first are small, middling, large
// and unequal between coordinates.
func shifts(d int) *mat.Dense {
	x := mat.NewDense(6, d, nil)
	for i, scale := range []float64{0, 0.1, 0.5, 1, 2, 4} {
		for j := range d {
			x.Set(i, j, 0.7+scale*(1-0.6*float64(j))/math.Sqrt(float64(d)))
		}
	}
	return x
}

// fourierDeviation is the largest |k_m − k| over the points, in standard errors.
// With δ = x−y, the variance of cos⟨ω,δ⟩ is (1 + k(2δ))/2 − k(δ)², exactly.
func fourierDeviation(k ShiftInvariant, f *Fourier, x *mat.Dense) float64 {
	n, d := x.Dims()
	phi := mat.NewDense(n, f.Dim(), nil)
	f.Transform(phi, x)
	worst := 0.0
	for i := range n {
		for j := range i {
			var delta, twice = make([]float64, d), make([]float64, d)
			for a := range d {
				delta[a] = x.At(i, a) - x.At(j, a)
				twice[a] = 2 * delta[a]
			}
			zero := make([]float64, d)
			want := k.At(delta, zero)
			variance := (1+k.At(twice, zero))/2 - want*want
			got := mat.Dot(phi.RowView(i), phi.RowView(j))
			worst = max(worst, math.Abs(got-want)/math.Sqrt(variance/float64(f.Features())))
		}
	}
	return worst
}

const manyFeatures = 60_000

func TestFourierFeaturesApproachTheKernel(t *testing.T) {
	for i, k := range spectral {
		for _, d := range []int{1, 3} {
			f := NewFourier(k, manyFeatures, d, newRand(uint64(31+i)))
			if z := fourierDeviation(k, f, shifts(d)); z > maxZ {
				t.Errorf("%s, D = %d: %.1f standard errors", k, d, z)
			}
		}
	}
}

// scaledFrequency draws from a spectral measure of wrong scale: Factor 2 in the
// variance of the Gaussian's.
type scaledFrequency struct {
	ShiftInvariant
	factor float64
}

func (s scaledFrequency) Frequency(dst []float64, rng *rand.Rand) {
	s.ShiftInvariant.Frequency(dst, rng)
	for j := range dst {
		dst[j] *= math.Sqrt(s.factor)
	}
}

func TestFourierFeaturesByHand(t *testing.T) {
	f := &Fourier{Frequencies: mat.NewDense(2, 2, []float64{1, 2, -3, 0.5})}
	x := mat.NewDense(1, 2, []float64{0.3, 0.7})
	got := mat.NewDense(1, 4, nil)
	f.Transform(got, x)
	for a, want := range []float64{math.Cos(1.7), math.Cos(-0.55), math.Sin(1.7), math.Sin(-0.55)} {
		if math.Abs(got.At(0, a)-want/math.Sqrt2) > 1e-15 {
			t.Errorf("coordinate %d is %v, want %v", a, got.At(0, a), want/math.Sqrt2)
		}
	}
	if f.Features() != 2 || f.Dim() != 4 {
		t.Errorf("%d features in %d coordinates, want 2 in 4", f.Features(), f.Dim())
	}
}

func TestTheFirstFrequenciesOfALongDrawAreThoseOfAShortOne(t *testing.T) {
	for _, k := range spectral {
		for _, d := range []int{1, 4} {
			short, long := NewFourier(k, 7, d, newRand(41)), NewFourier(k, 50, d, newRand(41))
			if !mat.Equal(short.Frequencies, long.Frequencies.Slice(0, 7, 0, d)) {
				t.Errorf("%s, D = %d: frequencies differ", k, d)
			}
			if other := NewFourier(k, 7, d, newRand(42)); mat.Equal(short.Frequencies, other.Frequencies) {
				t.Errorf("%s, D = %d: two seeds, the same frequencies", k, d)
			}
		}
	}
	for _, s := range drawable() {
		short, long := NewMercer(s, 7, newRand(41)), NewMercer(s, 50, newRand(41))
		if fmt.Sprint(short.Indices) != fmt.Sprint(long.Indices[:7]) {
			t.Errorf("%s: indices %v and %v", s, short.Indices, long.Indices[:7])
		}
	}
}

// drawable are series kernels of every index law.
func drawable() []*Series {
	return []*Series{
		must(NewPowerSeries(2)), must(NewPowerSeries(4)), must(NewExponentialSeries(0.3)), must(NewExponentialSeries(0.9)),
		must(NewFiniteSeries([]float64{3, 1, 1, 0.5, 0.25})), must(NewFiniteSeries([]float64{7})),
	}
}

// mercerDeviation is the largest |k_m − k| over pairs of points, in standard
// errors: the variance of one draw is s·Σ λ_i e_i(x)²e_i(y)² − k².
func mercerDeviation(s *Series, f *Mercer, x *mat.Dense) float64 {
	n, _ := x.Dims()
	phi := mat.NewDense(n, f.Dim(), nil)
	f.Transform(phi, x)
	total, worst := 0.0, 0.0
	for i := 1; i <= 20_000; i++ {
		total += eigenvalueByHand(s, i)
	}
	for i := range n {
		for j := range i {
			want, square := 0.0, 0.0
			for a := 1; a <= 20_000; a++ {
				product := 2 * math.Cos(math.Pi*float64(a)*x.At(i, 0)) * math.Cos(math.Pi*float64(a)*x.At(j, 0))
				want += eigenvalueByHand(s, a) * product
				square += total * eigenvalueByHand(s, a) * product * product
			}
			got := mat.Dot(phi.RowView(i), phi.RowView(j))
			// 1e-3: of a kernel with one eigenvalue, k_m = k and the variance is 0.
			worst = max(worst, math.Abs(got-want)/math.Sqrt((max(square-want*want, 0)+1e-3)/float64(f.Features())))
		}
	}
	return worst
}

func TestMercerFeaturesApproachTheKernel(t *testing.T) {
	x := mat.NewDense(5, 1, []float64{0, 0.13, 0.4, 0.77, 1})
	for i, s := range drawable() {
		f := NewMercer(s, manyFeatures, newRand(uint64(51+i)))
		if z := mercerDeviation(s, f, x); z > maxZ {
			t.Errorf("%s: %.1f standard errors", s, z)
		}
		wrong := &Mercer{Series: s, Indices: make([]int, len(f.Indices))}
		for a, index := range f.Indices {
			wrong.Indices[a] = index + a%2 // half of the draws too large by 1
		}
		if z := mercerDeviation(s, wrong, x); z < 2*maxZ {
			t.Errorf("%s: half of the indices are wrong, yet only %.1f standard errors", s, z)
		}
	}
}

// indexStatistic is Pearson's χ² of the indices against λ_i/Σλ, and its degrees
// of freedom. Indices of fewer than 20 expected draws are one class.
func indexStatistic(s *Series, indices []int) (statistic, freedom float64) {
	count := map[int]float64{}
	for _, i := range indices {
		count[i]++
	}
	total, m := 0.0, float64(len(indices))
	for i := 1; i <= 60_000; i++ {
		total += eigenvalueByHand(s, i)
	}
	if p, ok := s.decay.(powerDecay); ok {
		q := float64(p.alpha)
		total += math.Pow(60_000.5, 1-q) / (q - 1)
	}
	expectedRest, observedRest := m, m
	for i := 1; m*eigenvalueByHand(s, i)/total >= 20; i++ {
		expected := m * eigenvalueByHand(s, i) / total
		statistic += (count[i] - expected) * (count[i] - expected) / expected
		expectedRest -= expected
		observedRest -= count[i]
		freedom++
	}
	if expectedRest < 1e-6 { // a finite law has no rest
		return statistic + observedRest*observedRest, max(freedom-1, 1)
	}
	return statistic + (observedRest-expectedRest)*(observedRest-expectedRest)/expectedRest, freedom
}

// The threshold is the 1−1e-6 quantile of χ²: six laws, a false alarm in 6e-6 of
// seeds.
func TestMercerIndicesFollowTheirLaw(t *testing.T) {
	const m = 200_000
	for i, s := range drawable() {
		f := NewMercer(s, m, newRand(uint64(61+i)))
		for _, index := range f.Indices {
			if index < 1 || s.Terms() > 0 && index > s.Terms() {
				t.Fatalf("%s: index %d", s, index)
			}
		}
		statistic, freedom := indexStatistic(s, f.Indices)
		quantile := distuv.ChiSquared{K: freedom}.Quantile(1 - 1e-6)
		if statistic > quantile {
			t.Errorf("%s: χ² = %.1f with %v degrees of freedom, threshold %.1f", s, statistic, freedom, quantile)
		}
		for a := range f.Indices {
			f.Indices[a] += a % 5 / 4 // one in five too large by 1
		}
		if statistic, _ := indexStatistic(s, f.Indices); statistic < quantile {
			t.Errorf("%s: one index in five is wrong, yet χ² = %.1f, threshold %.1f", s, statistic, quantile)
		}
	}
}

func TestExpansionsAreSumsOfTheirTerms(t *testing.T) {
	rng := newRand(71)
	for _, d := range []int{1, 3, 20} {
		points, x, coef := normalPoints(rng, 11, d), normalPoints(rng, 300, d), normalPoints(rng, 11, 4)
		for _, k := range instances(1.7) {
			e := Expansion{k.kernel, points, coef}
			values := e.Eval(x)
			for _, i := range []int{0, 255, 256, 299} {
				for j := range e.Len() {
					want, size := 0.0, 0.0
					for a := range 11 {
						v := coef.At(a, j) * k.definition(x.RawRowView(i), points.RawRowView(a))
						want += v
						size += math.Abs(coef.At(a, j)) * k.size(x.RawRowView(i), points.RawRowView(a))
					}
					if d := math.Abs(values.At(i, j) - want); !(d <= matrixTolerance*size) {
						t.Errorf("%s: f_%d(x_%d) = %v, want %v", k.kernel, j, i, values.At(i, j), want)
					}
				}
			}
		}
		f := NewFourier(NewGaussian(0.3), 6, d, rng)
		e := FeatureExpansion{f, normalPoints(rng, 12, 4)}
		values := e.Eval(x)
		for _, i := range []int{0, 255, 256, 299} {
			for j := range e.Len() {
				want := 0.0
				for a := range 6 {
					angle := inner(x.RawRowView(i), f.Frequencies.RawRowView(a))
					want += (e.Coef.At(a, j)*math.Cos(angle) + e.Coef.At(6+a, j)*math.Sin(angle)) / math.Sqrt(6)
				}
				if math.Abs(values.At(i, j)-want) > 1e-12 { // 12 terms of size 1
					t.Errorf("Fourier features: f_%d(x_%d) = %v, want %v", j, i, values.At(i, j), want)
				}
			}
		}
	}
}
