package methods_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// approximation is Z·Zᵀ ≈ K, Z the n×m values of all components at the sample:
// the kernel of H projected onto their span.
func approximation(t *testing.T, options methods.Options, p methods.Sample, seed uint64) *mat.Dense {
	z := functions(t, fit(t, options, p, seed), p.X)
	return product(z, z.T())
}

// The expected trace that a Gaussian sketch leaves is at most (1 + k/(p−1))
// times the trace behind the k-th eigenvalue, k + p = m: HMT Theorem 10.5 for a
// root of K. The mean of 100 draws must stay 6 standard errors below; its
// expectation lies a hundred below, so that no false alarm is to be expected. No
// rank m leaves less than the trace behind the m-th.
func TestGaussianSketchIsWithinTheExpectedTrace(t *testing.T) {
	const n, m, draws = 120, 16, 100
	p := methods.Sample{X: uniformPoints(21, n, 2), Kernel: kernel.Laplace{Sigma: 1}, Sizes: methods.Sizes{N: n, M: m, Ell: m}}
	mu, _ := eigen(denseGram(p.Kernel, p.X, p.X))
	bound := math.Inf(1)
	for k := 1; k <= m-2; k++ {
		bound = min(bound, (1+float64(k)/float64(m-k-1))*tail(mu, k, 1))
	}
	for name, options := range map[string]methods.Options{
		"randomized-kpca, q = 0": &methods.RandomizedOptions{Center: "none", Power: 0},
	} {
		var sum, squares float64
		for seed := range uint64(draws) {
			left := float64(n)
			for _, v := range spectrumOf(t, fit(t, options, p, seed)).Values {
				left -= n * v
			}
			if !(left >= tail(mu, m, 1)*(1-1e-12)) {
				t.Fatalf("%s: %g is left, less than any rank %d can", name, left, m)
			}
			sum, squares = sum+left/draws, squares+left*left/draws
		}
		deviation := math.Sqrt((squares - sum*sum) / draws)
		t.Logf("%s: mean %.4f ± %.4f, bound %.4f, best %.4f", name, sum, deviation, bound, tail(mu, m, 1))
		if !(sum+6*deviation <= bound) || !(sum > 0.5*bound) {
			t.Errorf("%s: the mean trace left is %.4f ± %.4f, the bound %.4f", name, sum, deviation, bound)
		}
	}
}

// tail is Σ_{i>k} μ_i^power.
func tail(mu []float64, k int, power float64) float64 {
	sum := 0.0
	for _, v := range mu[k:] {
		sum += math.Pow(max(v, 0), power)
	}
	return sum
}

// The expected root of ‖K − ZZᵀ‖ is at most
//
//	((1 + √(k/(p−1)))·σ^(2q+1) + e√m/p·(Σ_{i>k} σ_i^(2(2q+1)))^(1/2))^(1/(2q+1)),
//
// σ_i = √μ_i, σ = σ_{k+1}, k + p = m: HMT Corollary 10.10 for a root of K with q
// power iterations. The mean of 20 draws must stay 6 standard errors below; its
// expectation lies 60 below at least, so that no false alarm is to be expected.
func TestRandomizedKPCAIsWithinTheExpectedNorm(t *testing.T) {
	const n, m, draws = 120, 12, 20
	p := methods.Sample{X: uniformPoints(22, n, 2), Kernel: kernel.Laplace{Sigma: 1}, Sizes: methods.Sizes{N: n, M: m, Ell: m}}
	gram := denseGram(p.Kernel, p.X, p.X)
	mu, _ := eigen(gram)
	previous := math.Inf(1)
	for q := range 3 {
		bound, e := math.Inf(1), float64(2*q+1)
		for k := 1; k <= m-2; k++ {
			over := float64(m - k)
			b := (1+math.Sqrt(float64(k)/(over-1)))*math.Pow(mu[k], e/2) + math.E*math.Sqrt(m)/over*math.Sqrt(tail(mu, k, e))
			bound = min(bound, math.Pow(b, 1/e))
		}
		var sum, squares float64
		for seed := range uint64(draws) {
			z := approximation(t, &methods.RandomizedOptions{Center: "none", Power: q}, p, seed)
			z.Sub(gram, z)
			left, _ := eigen(z)
			sum, squares = sum+math.Sqrt(left[0])/draws, squares+left[0]/draws
		}
		deviation := math.Sqrt(max(0, squares-sum*sum) / draws)
		t.Logf("q = %d: mean %.4f ± %.4f, bound %.4f, best %.4f", q, sum, deviation, bound, math.Sqrt(mu[m]))
		if !(sum >= math.Sqrt(mu[m])) || !(sum+6*deviation <= bound) || !(sum < previous) {
			t.Errorf("q = %d: the mean root of the norm left is %.4f ± %.4f, the bound %.4f, the best %.4f, before %.4f", q, sum, deviation, bound, math.Sqrt(mu[m]), previous)
		}
		previous = sum
	}
}

// The residuals are those of the model's values on the sample, by the dense matrix; a
// caveat follows where one of the first ell is beyond the level, and not where
// only a later one is.
func TestResidualsAreThoseOfTheValues(t *testing.T) {
	eachOfSome(t, func(t *testing.T, p methods.Sample, _ int, center string) {
		c := centring(p.Sizes.N, center)
		a := product(c, denseGram(p.Kernel, p.X, p.X), c)
		for _, o := range []methods.RandomizedOptions{{}, {Power: 3}} {
			o.Center = center
			model := fit(t, &o, p, 1).(*methods.Subspace)
			for i, v := range model.Values {
				var on, off mat.VecDense
				on.MulVec(a, model.Coef.ColView(i))
				off.MulVec(a, &on)
				off.AddScaledVec(&off, -v*divisor(p.Sizes.N, center), &on)
				want := mat.Norm(&off, 2) / (mat.Norm(&on, 2) * model.Values[0] * divisor(p.Sizes.N, center))
				if got := model.Residuals[i]; !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("%+v: residual %d is %g, want %g", o, i+1, got, want)
				}
			}
		}
	})
}

// A smooth kernel's matrix has a null space, to rounding, in which coefficients
// are arbitrary: values that are exact to 1e-9 have small residuals.
func TestResidualsOfWhatIsConverged(t *testing.T) {
	p := methods.Sample{X: uniformPoints(41, 200, 1), Kernel: kernel.NewGaussian(0.5), Sizes: methods.Sizes{N: 200, M: 8, Ell: 5}}
	for _, center := range []string{"u", "none"} {
		exact := spectrumOf(t, fit(t, &methods.EKPCAOptions{Center: center}, p, 1)).Values
		model := fit(t, &methods.RandomizedOptions{Center: center, Power: 2}, p, 1).(*methods.Subspace)
		for i, v := range model.Values {
			if !(math.Abs(v-exact[i]) <= 1e-9*exact[0]) {
				t.Fatalf("center %s: value %d is %g, exact %g", center, i+1, v, exact[i])
			}
		}
		if !(slices.Max(model.Residuals) <= 1e-6) {
			t.Errorf("center %s: residuals %.2g", center, model.Residuals)
		}
	}
}

func TestResidualsBecomeCaveats(t *testing.T) {
	p := problems(t)["laplace"]
	o := methods.RandomizedOptions{Center: "u", Power: 2}
	p.Sizes.M = 8
	model := fit(t, &o, p, 1).(*methods.Subspace)
	if residuals := model.Residuals; !(residuals[0] < 0.01 && 0.01 < residuals[4]) {
		t.Fatalf("residuals %.2g: 0.01 should lie between the first and the fifth", residuals)
	}
	says := "eigenpairs not converged: largest relative residual"
	if got := model.Caveats(1); len(got) > 0 {
		t.Errorf("caveats of the first component: %q", got)
	}
	if got := model.Caveats(5); len(got) != 1 || !strings.HasPrefix(got[0], says) {
		t.Errorf("caveats of five components: %q, want %s", got, says)
	}
	if got := model.Caveats(9); len(got) != 2 {
		t.Errorf("caveats of nine components: %q, want that of the residuals and that of the rank", got)
	}
}

// Iterations pay: at equal columns the leading components come nearer to ekpca's
// with each.
func TestIterationsConverge(t *testing.T) {
	p := problems(t)["krylov"]
	exact := spectrumOf(t, fit(t, &methods.EKPCAOptions{Center: "u"}, p, 1)).Values
	p.Sizes.M = 10
	off := func(q int) float64 {
		worst := 0.0
		for i, v := range spectrumOf(t, fit(t, &methods.RandomizedOptions{Center: "u", Power: q}, p, 1)).Values {
			worst = max(worst, (exact[i]-v)/exact[0])
		}
		return worst
	}
	previous := 1.0
	for q := range 6 {
		now := off(q)
		if !(now < previous) {
			t.Errorf("q = %d: off by %g, by %g before", q, now, previous)
		}
		previous = now
	}
}
