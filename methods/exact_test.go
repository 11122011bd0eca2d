package methods_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// problems on which K_mm is well conditioned, so that every route agrees to
// 1e-10: rounding of 1e-16 times κ/λ̂_ℓ (100), κ/gap (1000) and a little.
func problems(t *testing.T) map[string]methods.Sample {
	t.Helper()
	power, err := kernel.NewPowerSeries(2)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]methods.Sample{
		"gaussian": {X: uniformPoints(1, 50, 3), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{N: 50, M: 15, Ell: 4}},
		"laplace":  {X: uniformPoints(2, 300, 2), Kernel: kernel.Laplace{Sigma: 0.5}, Sizes: methods.Sizes{N: 300, M: 40, Ell: 5}},
		"series":   {X: uniformPoints(3, 60, 1), Kernel: power, Sizes: methods.Sizes{N: 60, M: 12, Ell: 3}},
		"krylov":   {X: uniformPoints(4, 450, 2), Kernel: kernel.Matern{Half: 1, Sigma: 1}, Sizes: methods.Sizes{N: 450, M: 60, Ell: 4}},
	}
}

var centers = []string{"u", "v", "none"}

func eachProblem(t *testing.T, run func(t *testing.T, p methods.Sample, dim int, center string)) {
	t.Helper()
	for name, p := range problems(t) {
		for _, center := range centers {
			t.Run(name+" "+center, func(t *testing.T) {
				_, dim := p.X.Dims()
				run(t, p, dim, center)
			})
		}
	}
}

func TestEkpcaIsTheEigendecompositionOfTheCentredGram(t *testing.T) {
	eachProblem(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		got := fit(t, &methods.EKPCAOptions{Center: center}, p, 1)
		sameComponents(t, got, ekpcaByGram(p, center), dim, 1e-10)
	})
}

func TestNystromIsTheSymmetricRootOfKmm(t *testing.T) {
	eachProblem(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		got := fit(t, &methods.NystromOptions{Landmarks: landmark.By("first"), Center: center}, p, 1)
		want, err := nystromByRoot{center: center, power: -0.5}.Fit(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameComponents(t, got, want, dim, 1e-10)
	})
}

// Every point a landmark: the span holds the empirical eigenfunctions. 1e-8, since K_nn is worse conditioned than K_mm.
func TestNystromOnAllPointsIsEkpca(t *testing.T) {
	eachProblem(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		p.Sizes.M = p.Sizes.N
		want := fit(t, &methods.EKPCAOptions{Center: center}, p, 1)
		got := fit(t, &methods.NystromOptions{Landmarks: landmark.By("uniform"), Center: center}, p, 1)
		sameComponents(t, got, want, dim, 1e-8)
	})
}

// Coefficients of centred ekpca sum to 0, down to components near rounding, whose
// eigenvectors the solver may mix with the constant one of eigenvalue 0.
func TestCentredEkpcaCoefficientsSumToZero(t *testing.T) {
	p := methods.Sample{X: uniformPoints(10, 40, 1), Kernel: kernel.NewGaussian(0.5), Sizes: methods.Sizes{N: 40, Ell: 10}}
	model := fit(t, &methods.EKPCAOptions{Center: "u"}, p, 1).(*methods.Subspace)
	if smallest := slices.Min(model.Values); smallest > 1e-11*model.Values[0] {
		t.Fatalf("no component is near rounding: the smallest value is %g", smallest)
	}
	for i := range model.Values {
		column := model.Coef.ColView(i)
		if sum := mat.Sum(column); !(math.Abs(sum) <= 1e-14*mat.Norm(column, 1)) {
			t.Errorf("coefficients of component %d sum to %g", i+1, sum)
		}
	}
}

// spectrumOnly is a population of which only the eigenvalues are known.
type spectrumOnly struct {
	data.Population
	values []float64
}

func (s spectrumOnly) Eigenvalues(count int) ([]float64, error) {
	return slices.Concat(s.values, make([]float64, count))[:count], nil
}

func TestKpcaOfSmallRank(t *testing.T) {
	p := methods.Sample{X: uniformPoints(1, 1, 1), Kernel: kernel.NewGaussian(1), Sizes: methods.Sizes{Ell: 4}, Population: spectrumOnly{values: []float64{2, 1}}}
	model := fit(t, &methods.KPCAOptions{}, p, 1).(*methods.Exact)
	if !slices.Equal(model.Values, []float64{2, 1}) || len(model.Center) != 2 {
		t.Errorf("values %v and centres %v, want the two positive eigenvalues", model.Values, model.Center)
	}
	if want := []string{"numerical rank 2 is below ell = 4: 2 components kept"}; !slices.Equal(model.Caveats(4), want) {
		t.Errorf("warnings %q, want %q", model.Caveats(4), want)
	}
	for says, population := range map[string]data.Population{
		"the population's covariance is zero: all its points look the same to this kernel": spectrumOnly{},
		"kpca needs a data set with a population: add population: to the data set":         nil,
	} {
		method := method(t, &methods.KPCAOptions{})
		p.Population = population
		if _, err := method.Fit(t.Context(), p, newRand(1)); err == nil || err.Error() != says {
			t.Errorf("error %v, want %s", err, says)
		}
	}
}

// Uniform landmarks are m different points, nested in m, each sample point among
// them equally often: of 2000 draws of 5 of 20, each point is in 500 ± 19.4. A
// bound of 6 deviations has a false-alarm rate below 1e-7 for all 20 points.
func TestUniformLandmarksAreDrawnWithoutReplacement(t *testing.T) {
	p := methods.Sample{X: uniformPoints(5, 20, 1), Kernel: kernel.Laplace{Sigma: 1}, Sizes: methods.Sizes{N: 20, M: 5, Ell: 1}}
	options := &methods.NystromOptions{Landmarks: landmark.By("uniform"), Center: "u"}
	counts := map[float64]int{}
	for seed := range uint64(2000) {
		drawn := mat.Col(nil, 0, fit(t, options, p, seed).(*methods.Subspace).Points)
		for _, x := range drawn {
			counts[x]++
		}
		if seed < 20 {
			larger := p
			larger.Sizes.M = 9
			more := mat.Col(nil, 0, fit(t, options, larger, seed).(*methods.Subspace).Points)
			if !slices.Equal(drawn, more[:5]) {
				t.Errorf("seed %d: 5 landmarks %v are not the first of 9, %v", seed, drawn, more)
			}
		}
		if slices.Sort(drawn); len(slices.Compact(drawn)) != 5 {
			t.Errorf("seed %d: a landmark is drawn twice", seed)
		}
	}
	for i := range 20 {
		if n := counts[p.X.At(i, 0)]; math.Abs(float64(n)-500) > 6*19.4 {
			t.Errorf("point %d is a landmark in %d of 2000 draws, want about 500", i, n)
		}
	}
}

// The covariance of the features, from an explicit n×p feature matrix.
func TestRandomFeaturesAreTheEigendecompositionOfTheirCovariance(t *testing.T) {
	series := quarterSeries(t)
	for _, tt := range []struct {
		features string
		problem  methods.Sample
	}{
		{"fourier", methods.Sample{X: uniformPoints(6, 300, 3), Kernel: kernel.NewGaussian(2), Sizes: methods.Sizes{N: 300, M: 25, Ell: 4}}},
		{"mercer", methods.Sample{X: uniformPoints(7, 80, 1), Kernel: series, Sizes: methods.Sizes{N: 80, M: 8, Ell: 2}}},
	} {
		for _, center := range centers {
			t.Run(tt.features+" "+center, func(t *testing.T) {
				p := tt.problem
				model := fit(t, &methods.RFFOptions{Features: tt.features, Center: center}, p, 1).(*methods.FeatureSubspace)
				phi := mat.NewDense(p.Sizes.N, model.Map.Dim(), nil)
				model.Map.Transform(phi, p.X)
				values, v := eigen(product(phi.T(), centring(p.Sizes.N, center), phi))
				want := &methods.FeatureSubspace{FeatureExpansion: kernel.FeatureExpansion{Map: model.Map}, Spectrum: methods.Spectrum{Center: make([]float64, p.Sizes.Ell)}}
				want.Coef = mat.DenseCopyOf(v.Slice(0, model.Map.Dim(), 0, p.Sizes.Ell))
				at := product(phi, want.Coef)
				for i := range p.Sizes.Ell {
					want.Values = append(want.Values, values[i]/divisor(p.Sizes.N, center))
					if center != "none" {
						want.Center[i] = mat.Sum(at.ColView(i)) / float64(p.Sizes.N)
					}
				}
				_, dim := p.X.Dims()
				sameComponents(t, model, want, dim, 1e-10)
			})
		}
	}
}

// With the complete basis of a finite series, every index drawn in proportion to
// its eigenvalue, the features' kernel is the kernel and random-feature PCA is
// kernel PCA. A draw of 8 has the proportions 4:2:1:1 with probability 0.05.
func TestCompleteMercerFeaturesAreEkpca(t *testing.T) {
	p := methods.Sample{X: uniformPoints(8, 120, 1), Kernel: quarterSeries(t), Sizes: methods.Sizes{N: 120, M: 8, Ell: 4}}
	for _, center := range centers {
		found := 0
		for seed := range uint64(200) {
			model := fit(t, &methods.RFFOptions{Features: "mercer", Center: center}, p, seed)
			if !slices.Equal(model.(*methods.FeatureSubspace).Map.(*kernel.Mercer).Counts, []int{4, 2, 1, 1}) {
				continue
			}
			found++
			sameComponents(t, model, fit(t, &methods.EKPCAOptions{Center: center}, p, 1), 1, 1e-10)
		}
		if found == 0 {
			t.Errorf("center %s: none of 200 draws has the right proportions", center)
		}
	}
}

// A kernel of large constant part: variances are 1e-7 of the mean's square. Two
// passes over the data would keep 9 digits more than a one-pass Σbbᵀ − n·b̄b̄ᵀ;
// taking off the first row keeps all but those of the kernel's own rounding,
// 1e-16/1e-7.
func TestALargeMeanDoesNotCancel(t *testing.T) {
	p := methods.Sample{X: uniformPoints(9, 400, 1), Kernel: kernel.Polynomial{Degree: 1, Gamma: 1, Offset: 1e6}, Sizes: methods.Sizes{N: 400, M: 2, Ell: 1}}
	x := mat.Col(nil, 0, p.X)
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / 400
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / 399
	}
	for name, options := range map[string]methods.Options{
		"ekpca":   &methods.EKPCAOptions{Center: "u"},
		"nystrom": &methods.NystromOptions{Landmarks: landmark.By("first"), Center: "u"},
	} {
		got := spectrumOf(t, fit(t, options, p, 1)).Values[0]
		if !(math.Abs(got/variance-1) <= 1e-8) {
			t.Errorf("%s: value %.15g, the variance is %.15g", name, got, variance)
		}
	}
}

func TestParametersAreChecked(t *testing.T) {
	for name, options := range map[string]methods.Options{
		`center "w": must be u (divide by n-1), v (divide by n) or none (uncentred)`:                                                                      &methods.EKPCAOptions{Center: "w"},
		`landmarks "some": must be one of bless, block-rpcholesky, first, greedy, kmeans++, leverage, recursive, rpcholesky, uniform`:                     &methods.NystromOptions{Landmarks: landmark.By("some"), Center: "u"},
		`features "": must be one of fourier, mercer, offset, orthogonal`:                                                                                 &methods.RFFOptions{Center: "u"},
		"center \"\": must be u (divide by n-1), v (divide by n) or none (uncentred)\nfeatures \"x\": must be one of fourier, mercer, offset, orthogonal": &methods.RFFOptions{Features: "x"},
	} {
		if _, err := options.Method(); err == nil || err.Error() != name {
			t.Errorf("%+v: error %v, want %s", options, err, name)
		}
	}
}

func TestFeaturesNeedTheirKernels(t *testing.T) {
	series := quarterSeries(t)
	for _, tt := range []struct {
		features string
		kernel   kernel.Kernel
		says     string
	}{
		{"mercer", kernel.NewGaussian(1), "mercer features need a series kernel, not gaussian exp(-1*d^2)"},
		{"fourier", series, fmt.Sprintf("fourier features need a shift-invariant kernel, not %s; take features: mercer", series)},
		{"fourier", kernel.Polynomial{Degree: 2, Gamma: 1}, "polynomial (1*<x,y>+0)^2 has no spectral measure, from which random features are drawn; take nystrom"},
		{"orthogonal", kernel.Laplace{Sigma: 1}, "orthogonal features need a kernel of the Euclidean distance, whose spectral measure every rotation leaves as it is: gaussian, matern or rational-quadratic, not laplace exp(-|d|_1/1)"},
	} {
		method, err := (&methods.RFFOptions{Features: tt.features, Center: "u"}).Method()
		if err != nil {
			t.Fatal(err)
		}
		if err := method.Check(tt.kernel, methods.Sizes{N: 9, M: 3, Ell: 1}); err == nil || err.Error() != tt.says {
			t.Errorf("%s features of %s: %v, want %s", tt.features, tt.kernel, err, tt.says)
		}
	}
}
