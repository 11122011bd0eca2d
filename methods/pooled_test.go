package methods_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// featuresOf is the matrix of features of a problem's points.
func featuresOf(f kernel.FeatureMap, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	z := mat.NewDense(n, f.Dim(), nil)
	f.Transform(z, x)
	return z
}

// drawnMap is the map of a fit.
func drawnMap(t *testing.T, o methods.RFFOptions, p methods.Sample, seed uint64) kernel.FeatureMap {
	t.Helper()
	return fit(t, &o, p, seed).(*methods.FeatureSubspace).Map
}

// A drawn frequency weighs (m·p_j)^(−1/2) in place of s^(−1/2): its weight gives p_j, which
// is compared with the scores by the definition, the diagonal of ZᵀZ(ZᵀZ + ntI)⁻¹ by a
// general inverse, at a level and at the one where they add up to m/(2·log m). The pool is that of the
// same stream of random numbers. 1e-8: the inverse of a matrix of condition 1e5 loses as
// many digits.
func TestPooledWeightsAreThoseOfTheScores(t *testing.T) {
	const n, m, pool = 70, 12, 4
	p := methods.Sample{X: uniformPoints(31, n, 2), Kernel: kernel.NewGaussian(4), Sizes: methods.Sizes{N: n, M: m, Ell: 2}}
	whole := kernel.NewFourier(kernel.NewGaussian(4), pool*m, 2, newRand(32))
	z := featuresOf(whole, p.X)
	moment := product(z.T(), z)
	at := func(level float64) (scores map[float64]float64, sum float64) { // by the first coordinate of a frequency
		shifted, inverse := mat.DenseCopyOf(moment), new(mat.Dense)
		for i := range 2 * pool * m {
			shifted.Set(i, i, shifted.At(i, i)+n*level)
		}
		if err := inverse.Inverse(shifted); err != nil {
			t.Fatal(err)
		}
		hat := product(moment, inverse)
		scores = map[float64]float64{}
		for j := range pool * m {
			scores[whole.Frequencies.At(j, 0)] = hat.At(j, j) + hat.At(pool*m+j, pool*m+j)
		}
		return scores, mat.Trace(hat)
	}
	low, high := math.Log(1e-6), 0.0 // of the level
	for range 50 {
		if _, sum := at(math.Exp((low + high) / 2)); sum > m/(2*math.Log(m)) {
			low = (low + high) / 2
		} else {
			high = (low + high) / 2
		}
	}
	for asked, level := range map[float64]float64{1e-4: 1e-4, 0: math.Exp(low)} {
		scores, sum := at(level)
		options := methods.RFFOptions{Features: "fourier", Center: "none", Pooled: methods.Pooled{Pool: pool, Level: asked}}
		drawn := drawnMap(t, options, p, 32).(*kernel.Fourier)
		if drawn.Features() != m {
			t.Fatalf("%d features, want %d", drawn.Features(), m)
		}
		different := map[float64]bool{}
		for a, w := range drawn.Weights {
			score, known := scores[drawn.Frequencies.At(a, 0)]
			want := math.Sqrt(sum / score / (pool * m))
			if !known || math.Abs(w-want) > 1e-8*want {
				t.Errorf("level %g: feature %d: of the pool %t, weight %.10g, want %.10g", asked, a, known, w, want)
			}
			different[math.Round(w*1e6)] = true
		}
		if len(different) < m/2 {
			t.Errorf("%d different weights: the scores of this pool do not differ", len(different))
		}
	}
}

// The scores of coordinates of a series of two eigenvalues in closed form: at the middles
// of n equal intervals cosines are orthogonal, so that the moment of a pool with c_i draws
// of e_i is diagonal, σ_i = c_i·Σλ/s, and the score is σ_i/(σ_i + t). 1e-12: rounding.
func TestPooledScoresInClosedForm(t *testing.T) {
	const n, m, pool, level = 64, 6, 3, 0.05
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, (float64(i)+0.5)/n)
	}
	series, err := kernel.NewFiniteSeries([]float64{1, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	p := methods.Sample{X: x, Kernel: series, Sizes: methods.Sizes{N: n, M: m, Ell: 1}}
	counts := kernel.NewMercer(series, pool*m, newRand(5)).Collected().Counts
	if len(counts) != 2 {
		t.Fatalf("a pool of %v draws: take another seed", counts)
	}
	score := func(c int) (sigma, score float64) {
		sigma = 1.2 * float64(c) / (pool * m)
		return sigma, sigma / (sigma + level)
	}
	_, first := score(counts[0])
	_, second := score(counts[1])
	drawn := drawnMap(t, methods.RFFOptions{Features: "mercer", Center: "none", Pooled: methods.Pooled{Pool: pool, Level: level}}, p, 5).(*kernel.Mercer)
	for a, index := range drawn.Indices {
		sigma, s := score(counts[index-1])
		want := math.Sqrt(float64(drawn.Counts[a]) / m * sigma * (first + second) / s)
		if got := drawn.Scales()[a]; math.Abs(got-want) > 1e-12*want {
			t.Errorf("eigenfunction %d, drawn %d times: scale %.15g, want %.15g", index, drawn.Counts[a], got, want)
		}
	}
}

// The mean of ⟨Φ(x),Φ(y)⟩ over fits is k(x,y), pair by pair. The largest of 45 means of 400
// draws exceeds 5 standard errors in less than 1e-4 of seeds. Without weights it is at
// least twice as far, since leverage prefers rare frequencies.
func TestPooledFeaturesAreUnbiased(t *testing.T) {
	const n, m, draws = 10, 8, 400
	series, err := kernel.NewFiniteSeries([]float64{1, 0.1, 0.02})
	if err != nil {
		t.Fatal(err)
	}
	for family, k := range map[string]kernel.Kernel{"fourier": kernel.NewGaussian(3), "mercer": series} {
		p := methods.Sample{X: uniformPoints(33, n, 1), Kernel: k, Sizes: methods.Sizes{N: n, M: m, Ell: 1}}
		options := methods.RFFOptions{Features: family, Center: "none", Pooled: methods.Pooled{Pool: 5, Level: 1e-3}}
		far := map[bool]float64{}
		for _, weighed := range []bool{true, false} {
			values := make([][]float64, n*n)
			for seed := range uint64(draws) {
				z := featuresOf(unweighedUnless(weighed, drawnMap(t, options, p, seed)), p.X)
				gram := product(z, z.T())
				for i := range n {
					for j := range i {
						values[i*n+j] = append(values[i*n+j], gram.At(i, j))
					}
				}
			}
			for i := range n {
				for j := range i {
					mean, std := stat.MeanStdDev(values[i*n+j], nil)
					far[weighed] = max(far[weighed], math.Abs(mean-k.At(p.X.RawRowView(i), p.X.RawRowView(j)))*math.Sqrt(draws)/std)
				}
			}
		}
		t.Logf("%s: %.1f standard errors, without weights %.1f", family, far[true], far[false])
		if !(far[true] < 5) || !(far[false] > 10) {
			t.Errorf("%s: the mean is %.1f standard errors off, without weights %.1f", family, far[true], far[false])
		}
	}
}

func unweighedUnless(weighed bool, f kernel.FeatureMap) kernel.FeatureMap {
	switch f := f.(type) {
	case *kernel.Fourier:
		if !weighed {
			return &kernel.Fourier{Frequencies: f.Frequencies}
		}
	case *kernel.Mercer:
		if !weighed {
			return &kernel.Mercer{Series: f.Series, Indices: f.Indices, Counts: f.Counts}
		}
	}
	return f
}

// At the level of regression, and at equal m, features drawn by leverage approximate a
// kernel of slowly decaying eigenvalues better than features of the family: the mean over
// 20 draws of the largest eigenvalue of (K + ntI)^(−1/2)(K − ZZᵀ)(K + ntI)^(−1/2), on which
// the theorems of the paper rest, in absolute value. They differ by many standard errors.
func TestPooledFeaturesApproximateAtTheirLevel(t *testing.T) {
	const n, m, draws, level = 60, 25, 20, 1e-3
	lambda := make([]float64, 60)
	for i := range lambda {
		lambda[i] = math.Pow(float64(i+1), -2)
	}
	series, err := kernel.NewFiniteSeries(lambda)
	if err != nil {
		t.Fatal(err)
	}
	p := methods.Sample{X: uniformPoints(34, n, 1), Kernel: series, Sizes: methods.Sizes{N: n, M: m, Ell: 1}}
	gram := denseGram(series, p.X, p.X)
	values, vectors := eigen(gram)
	root := mat.DenseCopyOf(vectors)
	for j, v := range values {
		for i := range n {
			root.Set(i, j, vectors.At(i, j)/math.Sqrt(max(v, 0)+n*level))
		}
	}
	means := map[int]float64{}
	for _, pool := range []int{0, 10} {
		options := methods.RFFOptions{Features: "mercer", Center: "none", Pooled: methods.Pooled{Pool: pool}}
		if pool > 0 {
			options.Level = level
		}
		for seed := range uint64(draws) {
			z := featuresOf(drawnMap(t, options, p, seed), p.X)
			rest := product(z, z.T())
			rest.Sub(gram, rest)
			left, _ := eigen(product(root.T(), rest, root))
			means[pool] += max(left[0], -left[n-1]) / draws
		}
	}
	t.Logf("of the family %.3f, by leverage %.3f", means[0], means[10])
	if !(means[10] < 0.8*means[0]) {
		t.Errorf("by leverage %.3f, of the family %.3f", means[10], means[0])
	}
}

func TestPooledIsRefused(t *testing.T) {
	for says, o := range map[string]methods.Options{
		"take fourier or mercer": &methods.RFFOptions{Features: "sobol", Center: "u", Pooled: methods.Pooled{Pool: 2}},
		"level: needs pool":      &methods.RFFKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1}, Features: "fourier", Pooled: methods.Pooled{Level: 1}},
		"must not be negative":   &methods.RFFOptions{Features: "fourier", Center: "u", Pooled: methods.Pooled{Pool: 2, Level: math.NaN()}},
	} {
		if _, err := o.Method(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", o, err, says)
		}
	}
}
