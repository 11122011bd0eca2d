package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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
	for _, k := range []ShiftInvariant{NewGaussian(0.4), Matern{Half: 1, Sigma: 2}, Matern{Half: 5, Sigma: 2}} {
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
