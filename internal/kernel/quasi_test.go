package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// chiSquared is the distribution function for 1, 3 and 5 degrees of freedom, in
// closed form.
func chiSquared(freedom int, x float64) float64 {
	p := math.Erf(math.Sqrt(x / 2))
	tail := math.Sqrt(2*x/math.Pi) * math.Exp(-x/2)
	switch freedom {
	case 3:
		p -= tail
	case 5:
		p -= tail * (1 + x/3)
	}
	return p
}

// Distribution functions undo the quantiles; 1e-9 leaves room for the inversion
// of χ², the others are exact to 1e-13.
func TestQuantilesInvertDistributionFunctions(t *testing.T) {
	const sigma = 1.7
	for _, u := range []float64{1e-9, 1e-4, 0.03, 0.3, 0.49999, 0.5, 0.50001, 0.8, 0.999, 1 - 1e-9} {
		var w [1]float64
		at := func(k ShiftInvariant, more ...float64) float64 {
			k.FrequencyAt(w[:], append(more, u))
			return w[0] * sigma
		}
		laplace := func(x float64) float64 { return 0.5 + math.Copysign(-math.Expm1(-math.Abs(x))/2, x) }
		if x := at(NewGaussian(1 / (2 * sigma * sigma))); math.Abs(math.Erfc(-x/math.Sqrt2)/2-u) > 1e-13*u+1e-16 {
			t.Errorf("normal quantile of %v is %v", u, x)
		}
		if x := at(Laplace{Sigma: sigma}); math.Abs(math.Atan2(1, -x)/math.Pi-u) > 1e-13*u+1e-16 {
			t.Errorf("Cauchy quantile of %v is %v", u, x)
		}
		if x := at(Cauchy{Sigma: sigma}); math.Abs(laplace(x)-u) > 1e-15 {
			t.Errorf("Laplace quantile of %v is %v", u, x)
		}
		for _, half := range []int{1, 3, 5} {
			k := Matern{Half: half, Sigma: 1}
			k.FrequencyAt(w[:], []float64{u, 0.841344746068543}) // Φ(1)
			chi2 := float64(half) / (w[0] * w[0])
			if p := chiSquared(half, chi2); math.Abs(p-u) > 1e-9*u+1e-15 {
				t.Errorf("χ² quantile of %v with %d degrees of freedom is %v, where the distribution function is %v", u, half, chi2, p)
			}
		}
	}
	ends := []float64{0, 1}
	unitCube{}.Quantile(ends, []float64{0, 1})
	for _, k := range spectral {
		for _, u := range ends {
			w, all := []float64{0}, []float64{u, u}
			if k.FrequencyAt(w, all[:k.Uniforms(1)]); math.IsInf(w[0], 0) || math.IsNaN(w[0]) {
				t.Errorf("%s: the frequency at %v is %v", k, u, w[0])
			}
		}
	}
}

// integral is ∫cos(t·ω(u))du over the unit interval, by midpoints. For a mixture
// of normal laws the inner integral is e^(−t²s²/2), s the frequency at Φ(1).
func integral(k ShiftInvariant, t float64) float64 {
	n, w, u, sum := 1<<19, []float64{0}, []float64{0}, 0.0
	if k.Uniforms(1) == 2 {
		n, u = 1<<11, []float64{0, 0.841344746068543}
	}
	for i := range n {
		u[0] = (float64(i) + 0.5) / float64(n)
		k.FrequencyAt(w, u)
		if len(u) == 2 {
			sum += math.Exp(-t * t * w[0] * w[0] / 2)
		} else {
			sum += math.Cos(t * w[0])
		}
	}
	return sum / float64(n)
}

// The characteristic function of the spectral measure is the kernel, without
// chance: the nodes resolve all frequencies but those of the outer 1e-3 of the
// Cauchy and Student distributions.
func TestSpectralMeasuresIntegrateToTheKernel(t *testing.T) {
	for _, k := range spectral {
		for _, at := range []float64{0.3, 2.5} {
			want := k.At([]float64{at}, []float64{0})
			if got := integral(k, at); math.Abs(got-want) > 1e-3 {
				t.Errorf("%s at distance %v: integral %v, kernel %v", k, at, got, want)
			}
		}
		if got, want := integral(scaledFrequency{k, 2}, 1), k.At([]float64{1}, []float64{0}); math.Abs(got-want) < 0.02 {
			t.Errorf("%s: variance wrong by 2, yet the integral %v is near the kernel %v", k, got, want)
		}
	}
}

// rmsError is the root mean squared error of ⟨Φ(x),Φ(y)⟩ over the pairs of rows
// of x and 40 draws.
func rmsError(k Kernel, name string, m int, x *mat.Dense) float64 {
	n, d := x.Dims()
	sum, count := 0.0, 0.0
	for r := range uint64(40) {
		f := Maps[name].New(k, m, d, newRand(300+r))
		phi := mat.NewDense(n, f.Dim(), nil)
		f.Transform(phi, x)
		for i := range n {
			for j := range i {
				e := floats.Dot(phi.RawRowView(i), phi.RawRowView(j)) - k.At(x.RawRowView(i), x.RawRowView(j))
				sum += e * e
				count++
			}
		}
	}
	return math.Sqrt(sum / count)
}

// Errors fall like m^(−1/2) for independent frequencies and faster for
// low-discrepancy ones. An error is known to 1/√80 = 11 % or better, so an
// exponent over a factor 64 of m to 0.04; thresholds are 3 of them away from
// what is expected, −0.5, and −0.9 or less in the plane.
func TestLowDiscrepancyErrorsFallFaster(t *testing.T) {
	k := NewGaussian(0.4)
	exponent := func(name string, d int) (slope, last float64) {
		first := rmsError(k, name, 64, shifts(d))
		last = rmsError(k, name, 4096, shifts(d))
		return math.Log2(last/first) / 6, last
	}
	slope, independent := exponent("fourier", 2)
	if math.Abs(slope+0.5) > 0.12 {
		t.Errorf("independent frequencies: exponent %.2f, want -0.5", slope)
	}
	for _, name := range []string{"halton", "sobol"} {
		slope, last := exponent(name, 2)
		if slope > -0.75 || last > 0.25*independent {
			t.Errorf("%s frequencies: exponent %.2f, error %.1e, that of independent ones %.1e", name, slope, last, independent)
		}
		t.Logf("%s: exponent %.2f, error at m = 4096 %.1e, independent %.1e", name, slope, last, independent)
	}
}
