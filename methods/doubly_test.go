package methods_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// term is α_j·φ: φ one cosine or sine of a frequency, or one eigenfunction times
// √Σλ.
type term struct {
	phi   func(x []float64) float64
	alpha []float64
}

// plainDoubly is kernel PCA by doubly stochastic gradients as a sum of terms, by
// its definition, from the first terms on. terms gives those of a step, without
// coefficients. It returns all terms and the weighted means of h_j(x_t)².
func plainDoubly(x *mat.Dense, all []term, terms func() []term, batch, m int, rate func(step int) float64) ([]term, []float64) {
	n, _ := x.Dims()
	ell := len(all[0].alpha)
	values, weights := make([]float64, ell), 0.0
	for from, step := 0, 1; from < n; from, step = from+batch, step+1 {
		size := min(batch, n-from)
		eta := rate(step) / float64(size)
		fresh := terms()
		for i := range fresh {
			fresh[i].alpha = make([]float64, ell)
		}
		shrink := make([][]float64, ell) // Σ_x h_i h_j
		for i := range shrink {
			shrink[i] = make([]float64, ell)
		}
		for i := from; i < from+size; i++ {
			h := make([]float64, ell)
			for _, f := range all {
				floats.AddScaled(h, f.phi(x.RawRowView(i)), f.alpha)
			}
			weights += float64(i + 1)
			for j, v := range h {
				values[j] += float64(i+1) * v * v
				floats.AddScaled(shrink[j], v, h)
			}
			for _, f := range fresh {
				floats.AddScaled(f.alpha, eta*f.phi(x.RawRowView(i))/float64(m), h)
			}
		}
		for _, f := range all {
			old := append([]float64{}, f.alpha...)
			for j := range ell {
				for i := range j + 1 {
					f.alpha[j] -= eta * old[i] * shrink[i][j]
				}
			}
		}
		all = append(all, fresh...)
	}
	floats.Scale(1/weights, values)
	return all, values
}

// fourierTerms are the cosines and sines of m frequencies drawn from rng.
func fourierTerms(k kernel.ShiftInvariant, m, d int, rng *rand.Rand) []term {
	var terms []term
	frequencies := kernel.NewFourier(k, m, d, rng).Frequencies
	for _, wave := range []func(float64) float64{math.Cos, math.Sin} {
		for i := range m {
			terms = append(terms, term{phi: func(x []float64) float64 { return wave(floats.Dot(frequencies.RawRowView(i), x)) }})
		}
	}
	return terms
}

func mercerTerms(s *kernel.Series, m int, rng *rand.Rand) []term {
	var terms []term
	for _, index := range kernel.NewMercer(s, m, rng).Indices {
		terms = append(terms, term{phi: func(x []float64) float64 { return math.Sqrt(s.PowerSum(1, 0)) * s.Eigenfunction(index, x[0]) }})
	}
	return terms
}

// TestDoublyStochasticByDefinition compares the values of the functions' span with
// plainDoubly: the projection of h_1 … h_j onto the first j components, in
// function values at the sample. Neither signs nor norms are left open: the
// components are h orthonormalised in order, so that h = values·R, R upper
// triangular with a positive diagonal.
func TestDoublyStochasticByDefinition(t *testing.T) {
	const n, m, ell = 37, 4, 3
	x := uniformPoints(6, n, 1)
	gaussian, series := kernel.NewGaussian(8), quarterSeries(t)
	for _, tt := range []struct {
		features string
		kernel   kernel.Kernel
		terms    func(rng *rand.Rand) []term
	}{
		{"fourier", gaussian, func(rng *rand.Rand) []term { return fourierTerms(gaussian, m, 1, rng) }},
		{"mercer", series, func(rng *rand.Rand) []term { return mercerTerms(series, m, rng) }},
	} {
		for _, batch := range []int{1, 5, 50} {
			rng := newRand(8)
			own := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
			first := tt.terms(rng)
			columns := make([][]float64, ell)
			for j := range columns {
				for range first {
					columns[j] = append(columns[j], own.NormFloat64())
				}
			}
			gramSchmidt(columns)
			for i := range first {
				for j := range ell {
					first[i].alpha = append(first[i].alpha, columns[j][i]/2) // √m
				}
			}
			rate := func(step int) float64 { return 3 / (4 + float64(step)) }
			all, values := plainDoubly(x, first, func() []term { return tt.terms(rng) }, batch, m, rate)
			h := mat.NewDense(n, ell, nil)
			alphas := make([][]float64, ell)
			for _, f := range all {
				for i := range n {
					floats.AddScaled(h.RawRowView(i), f.phi(x.RawRowView(i)), f.alpha)
				}
				for j := range alphas {
					alphas[j] = append(alphas[j], f.alpha[j])
				}
			}
			method := method(t, &methods.DoublyStochasticOptions{Features: tt.features, C: 3, T0: 4, Batch: batch})
			p := methods.Sample{X: x, Kernel: tt.kernel, Sizes: methods.Sizes{N: n, M: m, Ell: ell}}
			got := fitFeatures(t, method, p, 8)
			if !floats.EqualApprox(got.Values, values, 1e-10) {
				t.Errorf("%s, batch %d: values %v, want %v", tt.features, batch, got.Values, values)
			}
			gramSchmidt(alphas)
			want := mat.NewDense(n, ell, nil)
			for i, f := range all {
				for j := range ell {
					for row := range n {
						// α of unit norm over p terms in place of Φ's 1/√p.
						want.Set(row, j, want.At(row, j)+f.phi(x.RawRowView(row))*alphas[j][i]/math.Sqrt(float64(got.Map.Features())))
					}
				}
			}
			if off := worstDifference(got.Eval(x), want); !(off < 1e-10) {
				t.Errorf("%s, batch %d: the components are off by %.2g", tt.features, batch, off)
			}
		}
	}
}

// TestDoublyStochasticConverges: the squared sines, in L²(P), between the span of
// the functions and the population's eigenspace fall at n^(−1/2) at least, where
// the paper has 1/t; on the series of eigenvalues 4:2:1:1, whose two largest are
// simple, and on a Gaussian. 4 seeds; the start has a slope of 0.
func TestDoublyStochasticConverges(t *testing.T) {
	gaussian := kernel.NewGaussian(0.5)
	series := quarterSeries(t)
	const seeds = 4
	for _, tt := range []struct {
		name, features string
		kernel         kernel.Kernel
		draw           func(rng *rand.Rand) float64
		truth          func(x float64) []float64
	}{
		{"series", "mercer", series, func(rng *rand.Rand) float64 { return rng.Float64() },
			func(x float64) []float64 { return []float64{series.Eigenfunction(1, x), series.Eigenfunction(2, x)} }},
		{"Gaussian on Gaussian", "fourier", gaussian, func(rng *rand.Rand) float64 { return rng.NormFloat64() }, gaussianEigenfunctions},
	} {
		mean := map[int]float64{}
		for seed := range uint64(seeds) {
			rng := newRand(50 + seed)
			x := mat.NewDense(2000, 1, nil)
			x.Apply(func(_, _ int, _ float64) float64 { return tt.draw(rng) }, x)
			method := method(t, &methods.DoublyStochasticOptions{Features: tt.features, C: 10, T0: 10, Batch: 25}).(methods.Streaming)
			p := methods.Sample{X: x, Kernel: tt.kernel, Sizes: methods.Sizes{N: 2000, M: 20, Ell: 2}}
			at := mat.NewDense(500, 1, nil)
			at.Apply(func(_, _ int, _ float64) float64 { return tt.draw(rng) }, at)
			truth := mat.NewDense(500, 2, nil)
			for i := range 500 {
				truth.SetRow(i, tt.truth(at.At(i, 0)))
			}
			err := method.FitEach(context.Background(), p, []int{125, 2000}, newRand(seed), func(n int, model methods.Model, err error) error {
				if err != nil {
					return err
				}
				mean[n] += sine2(orthonormalColumns(truth), orthonormalColumns(model.(*methods.FeatureSubspace).Eval(at))) / seeds
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		slope := math.Log(mean[2000]/mean[125]) / math.Log(16)
		t.Logf("%s: mean sin² %.2g at n = 125, %.2g at 2000, slope %.2f", tt.name, mean[125], mean[2000], slope)
		if !(slope < -0.5) {
			t.Errorf("%s: slope %.2f, want one below -0.5", tt.name, slope)
		}
	}
}

// gaussianEigenfunctions are the leading two for k = exp(−(x−y)²/2) and N(0,1):
// exp(−(c−a)x²) times 1 and x, with a = 1/4, b = 1/2, c = √(a² + 2ab).
func gaussianEigenfunctions(x float64) []float64 {
	decay := math.Exp(-(math.Sqrt(1./16+0.25) - 0.25) * x * x)
	return []float64{decay, decay * x}
}

func orthonormalColumns(a *mat.Dense) *mat.Dense {
	n, ell := a.Dims()
	columns := make([][]float64, ell)
	for j := range columns {
		columns[j] = mat.Col(nil, j, a)
	}
	gramSchmidt(columns)
	q := mat.NewDense(n, ell, nil)
	for j, c := range columns {
		q.SetCol(j, c)
	}
	return q
}

// TestDoublyStochasticDiverges: steps too large are an error that says so.
func TestDoublyStochasticDiverges(t *testing.T) {
	method := method(t, &methods.DoublyStochasticOptions{Features: "fourier", C: 1e4, T0: 0, Batch: 1})
	p := methods.Sample{X: uniformPoints(1, 200, 1), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 200, M: 5, Ell: 2}}
	_, err := method.Fit(context.Background(), p, newRand(1))
	if err == nil || !strings.Contains(err.Error(), "grow without bound") {
		t.Errorf("error %v, want one that says that the functions grow without bound", err)
	}
}
