package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// skewness is the largest |cosine| of the angle between two frequencies of a
// block.
func skewness(w *mat.Dense) float64 {
	m, d := w.Dims()
	worst := 0.0
	for i := range m {
		for j := i / d * d; j < i; j++ {
			a, b := w.RawRowView(i), w.RawRowView(j)
			worst = max(worst, math.Abs(floats.Dot(a, b))/(floats.Norm(a, 2)*floats.Norm(b, 2)))
		}
	}
	return worst
}

func TestBlocksAreOrthogonal(t *testing.T) {
	for _, k := range []ShiftInvariant{NewGaussian(0.4), Matern{Half: 1, Sigma: 2}, Matern{Half: 5, Sigma: 2}, RationalQuadratic{Alpha: 0.8, Sigma: 1.2}, spectrum(Product{[]Kernel{NewGaussian(0.2), Matern{Half: 3, Sigma: 3}}})} {
		for _, shape := range [][2]int{{3, 1}, {7, 2}, {20, 8}, {30, 784}} {
			w := newOrthogonal(k, shape[0], shape[1], newRand(191)).Frequencies
			if s := skewness(w); s > 1e-13 {
				t.Errorf("%s, m = %d, D = %d: cosines up to %.1e", k, shape[0], shape[1], s)
			}
			if shape[1] == 8 {
				if c := floats.Dot(w.RawRowView(0), w.RawRowView(8)); math.Abs(c) < 1e-6 {
					t.Errorf("%s: two blocks are orthogonal to each other", k)
				}
			}
		}
	}
	// Lengths on the wrong side of Q leave rows that are not orthogonal.
	w := newOrthogonal(NewGaussian(0.5), 8, 8, newRand(192)).Frequencies
	var wrong mat.Dense
	wrong.CloneFrom(w)
	for i := range 8 {
		length := floats.Norm(w.RawRowView(i), 2)
		for j := range 8 {
			wrong.Set(i, j, w.At(i, j)/length*floats.Norm(w.RawRowView(j), 2))
		}
	}
	if s := skewness(&wrong); s < 0.01 {
		t.Errorf("Q·S in place of S·Q: cosines only up to %.1e", s)
	}
}

// kolmogorov is √n times the largest distance of an empirical distribution
// function from F. Its quantile at 1−1e-6 is 2.7.
func kolmogorov(values []float64, cdf func(float64) float64) float64 {
	sorted := append([]float64(nil), values...)
	floats.Argsort(sorted, make([]int, len(sorted)))
	n, worst := float64(len(sorted)), 0.0
	for i, v := range sorted {
		worst = max(worst, cdf(v)-float64(i)/n, float64(i+1)/n-cdf(v))
	}
	return worst * math.Sqrt(n)
}

// Lengths, entries and signs of single frequencies: lengths χ_D, entries normal,
// both for Gamma = ½. Rows of a block are dependent in their directions, so
// entries are taken from the first and from the last row of each block.
func TestOrthogonalFrequenciesFollowTheSpectralMeasure(t *testing.T) {
	const d, blocks = 5, 4000
	w := newOrthogonal(NewGaussian(0.5), d*blocks, d, newRand(201)).Frequencies
	var lengths, first, last, magnitudes []float64
	for i := range d * blocks {
		length := floats.Norm(w.RawRowView(i), 2)
		lengths = append(lengths, length*length)
		switch i % d {
		case 0:
			first = append(first, w.At(i, 0))
			magnitudes = append(magnitudes, math.Abs(w.At(i, 0))) // as without the sign fix
		case d - 1:
			last = append(last, w.At(i, d-1))
		}
	}
	normal := distuv.UnitNormal.CDF
	chi2 := distuv.ChiSquared{K: d}.CDF
	for what, k := range map[string]float64{"squared lengths": kolmogorov(lengths, chi2), "first rows": kolmogorov(first, normal), "last rows": kolmogorov(last, normal)} {
		if k > 2.7 {
			t.Errorf("%s: Kolmogorov's statistic is %.1f", what, k)
		}
	}
	if k := kolmogorov(magnitudes, normal); k < 2*2.7 {
		t.Errorf("entries of one sign: Kolmogorov's statistic is only %.1f", k)
	}
	for i := range lengths {
		lengths[i] = d
	}
	if k := kolmogorov(lengths, chi2); k < 2*2.7 {
		t.Errorf("fixed lengths: Kolmogorov's statistic is only %.1f", k)
	}
}

// Of two orthogonal frequencies with χ_D lengths, E cos⟨ω,δ⟩cos⟨ω',δ⟩ =
// E cos⟨ω+ω',δ⟩, where ω+ω' has a uniform direction and a χ²_2D squared length:
// ₁F₁(D; D/2; −z²/2) for ‖δ‖ = z, by Kummer e^(−z²/2) times a polynomial where D
// is even.
func orthogonalMoment(d int, z float64) float64 {
	x, term, sum := z*z/2, 1.0, 1.0
	for i := range d / 2 {
		half := float64(d) / 2
		term *= (float64(i) - half) / (half + float64(i)) * x / float64(i+1)
		sum += term
	}
	return math.Exp(-x) * sum
}

// The variance of a block of D orthogonal frequencies against that of D
// independent ones, ((1−e^(−z²))²/2D by [Yu et al., Lemma 1]). With 2000 draws a
// variance is known to √(2/2000) = 3 %, somewhat more or less by its kurtosis; 16
// % is 5 standard errors. The ratio is below 1, and 1 − z⁴e^(−z²)/(1−e^(−z²))²
// for large D.
func TestOrthogonalFeaturesVaryLess(t *testing.T) {
	const draws = 2000
	for _, d := range []int{8, 32} {
		for _, z := range []float64{0.5, 1, 2, 3} {
			rng, kernels := newRand(211), make([]float64, draws)
			for i := range kernels {
				w := newOrthogonal(NewGaussian(0.5), d, d, rng).Frequencies
				for a := range d {
					kernels[i] += math.Cos(z*w.At(a, 0)) / float64(d)
				}
			}
			k2 := math.Exp(-z * z)
			independent := (1 - k2) * (1 - k2) / (2 * float64(d))
			theory := 1 + float64(d-1)/float64(d)*(orthogonalMoment(d, z)-k2)/independent
			measured := stat.Variance(kernels, nil) / independent
			if math.Abs(measured/theory-1) > 0.16 {
				t.Errorf("D = %d, z = %v: variance ratio %.3f, want %.3f", d, z, measured, theory)
			}
			limit := 1 - z*z*z*z*k2/((1-k2)*(1-k2))
			if measured > 0.95 && z < 3 || math.Abs(theory-limit) > 3/float64(d) {
				t.Errorf("D = %d, z = %v: variance ratio %.3f, theory %.3f, its limit %.3f", d, z, measured, theory, limit)
			}
			t.Logf("D = %d, z = %v: variance ratio %.3f, theory %.3f, limit %.3f", d, z, measured, theory, limit)
		}
	}
}
