package methods_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// sketchByRoot is kernel PCA over the span of Σ_i S_ij k(·, X_i), with explicit
// matrices: R = (SᵀKS)^(−1/2), M = RᵀSᵀK C KSR / divisor, Γ = SRu.
func sketchByRoot(p methods.Sample, s *mat.Dense, center string) *methods.Subspace {
	n, ell := p.Sizes.N, p.Sizes.Ell
	gram := denseGram(p.Kernel, p.X, p.X)
	values := product(gram, s)
	root := symmetricPower(product(s.T(), values), -0.5)
	all, u := eigen(product(root.T(), values.T(), centring(n, center), values, root))
	_, c := s.Dims()
	coef := product(s, root, u.Slice(0, c, 0, ell))
	spectrum := methods.Spectrum{Center: make([]float64, ell)}
	at := product(gram, coef)
	for i := range ell {
		spectrum.Values = append(spectrum.Values, all[i]/divisor(n, center))
		if center != "none" {
			spectrum.Center[i] = mat.Sum(at.ColView(i)) / float64(n)
		}
	}
	return &methods.Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: p.X, Coef: coef}, Spectrum: spectrum}
}

// orthonormal is an orthonormal basis of the columns' span, by gonum's QR.
func orthonormalOf(a *mat.Dense) *mat.Dense {
	n, c := a.Dims()
	var qr mat.QR
	qr.Factorize(a)
	var q mat.Dense
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, n, 0, c))
}

// powers is A^q·Ω, made orthonormal after each product; A = CKC, and Ω is centred with it.
func powers(p methods.Sample, omega *mat.Dense, center string, q int) *mat.Dense {
	n := p.Sizes.N
	c := centring(n, center)
	a := product(c, denseGram(p.Kernel, p.X, p.X), c)
	last := product(c, omega)
	for range q {
		last = orthonormalOf(product(a, last))
	}
	return last
}

// eachOfSome is eachProblem with the larger ones at center u only: dense
// matrices of their size take long.
func eachOfSome(t *testing.T, run func(t *testing.T, p methods.Sample, dim int, center string)) {
	t.Helper()
	eachProblem(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		if p.Sizes.N < 100 || center == "u" && p.Sizes.N <= 300 {
			run(t, p, dim, center)
		}
	})
}

// The same components by the definition, from the same draw of S. 1e-9: bases
// of A^q·Ω agree to the rounding of one times λ_1/λ_m.
func TestSketchesAreTheRootOfTheSketchedGram(t *testing.T) {
	eachOfSome(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		n, m := p.Sizes.N, p.Sizes.M
		normal := methods.NormalSketch(n, m, newRand(3))
		for _, q := range []int{0, 1, 2} {
			got := fit(t, &methods.RandomizedOptions{Center: center, Power: q}, p, 3)
			sameComponents(t, got, sketchByRoot(p, powers(p, normal, center, q), center), dim, 1e-9)
		}
	})
}

// rivals are the methods that approximate the Gram matrix, in a way that spans everything
// where m = n.
func rivals(center string) map[string]methods.Options {
	return map[string]methods.Options{
		"greedy pivots":   &methods.NystromOptions{Landmarks: landmark.By("greedy"), Center: center},
		"randomized-kpca": &methods.RandomizedOptions{Center: center, Power: 1},
	}
}

// A square sketch of independent columns spans all kernel functions of the
// sample, as do m = n pivots. 1e-8, since a square random matrix has a condition
// number of some n, which SᵀKS squares.
func TestRivalsOfFullRankAreEkpca(t *testing.T) {
	eachOfSome(t, func(t *testing.T, p methods.Sample, dim int, center string) {
		want := fit(t, &methods.EKPCAOptions{Center: center}, p, 1)
		for name, options := range rivals(center) {
			t.Run(name, func(t *testing.T) {
				q := p
				q.Sizes.M = q.Sizes.N
				got := fit(t, options, q, 1)
				sameComponents(t, got, want, dim, 1e-8)
				if caveats := got.Caveats(p.Sizes.Ell); len(caveats) > 0 {
					t.Errorf("caveats %q", caveats)
				}
			})
		}
	})
}

// Components orthonormal in H have variances that, largest first, are at most
// those of ekpca: Courant–Fischer. And each span is not the best one.
func TestRivalsAreBelowEkpca(t *testing.T) {
	eachProblem(t, func(t *testing.T, p methods.Sample, _ int, center string) {
		most := spectrumOf(t, fit(t, &methods.EKPCAOptions{Center: center}, p, 1)).Values
		for name, options := range rivals(center) {
			for i, v := range spectrumOf(t, fit(t, options, p, 2)).Values {
				if !(v <= most[i]*(1+1e-12)) || !(v > 0.3*most[i]) {
					t.Errorf("%s: value %d is %.15g, ekpca's %.15g", name, i+1, v, most[i])
				}
			}
		}
	})
}

// E[SSᵀ] = I, entry by entry within 6 standard errors estimated from 3000 draws:
// for 78 entries the false-alarm rate is below 1e-6. A sketch of twice the
// variance must be outside.
func TestSketchesAverageToTheIdentity(t *testing.T) {
	const n, m, draws = 12, 5, 3000
	for name, draw := range map[string]func(seed uint64) *mat.Dense{
		"normal": func(seed uint64) *mat.Dense { return methods.NormalSketch(n, m, newRand(seed)) },
	} {
		sum, squares := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		for seed := range uint64(draws) {
			s := draw(seed)
			outer := product(s, s.T())
			sum.Add(sum, outer)
			outer.MulElem(outer, outer)
			squares.Add(squares, outer)
		}
		for i := range n {
			for j := range i + 1 {
				mean := sum.At(i, j) / draws
				band := 6*math.Sqrt((squares.At(i, j)/draws-mean*mean)/draws) + 1e-12
				want := 0.0
				if i == j {
					want = 1
					if !(math.Abs(2*mean-1) > 2*band) {
						t.Errorf("%s: a band of %.2g would miss a factor 2", name, band)
					}
				}
				if !(math.Abs(mean-want) <= band) {
					t.Errorf("%s: E[SSᵀ] at %d, %d is %.4f, want %.0f ± %.4f", name, i, j, mean, want, band)
				}
			}
		}
	}
}

func TestSketchesRefuseConstantZeroKernels(t *testing.T) {
	p := methods.Sample{X: mat.NewDense(9, 1, nil), Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, Sizes: methods.Sizes{N: 9, M: 3, Ell: 1}}
	for name, options := range rivals("none") {
		if _, err := method(t, options).Fit(t.Context(), p, newRand(1)); err == nil {
			t.Errorf("%s: no error of a kernel that is 0", name)
		}
	}
}

func TestParametersOfRivalsAreChecked(t *testing.T) {
	for says, options := range map[string]methods.Options{
		`center "": must be u (divide by n-1), v (divide by n) or none (uncentred)`: &methods.RandomizedOptions{},
		"power -1: must not be negative":                                            &methods.RandomizedOptions{Center: "u", Power: -1},
	} {
		if _, err := options.Method(); err == nil || err.Error() != says {
			t.Errorf("%s: error %v, want %s", fmt.Sprintf("%+v", options), err, says)
		}
	}
}
