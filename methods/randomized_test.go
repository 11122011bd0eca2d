package methods_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// The residuals are those of the model's values on the sample, by the dense matrix; a
// caveat follows where one of the first ell is beyond the level, and not where
// only a later one is.
func TestResidualsAreThoseOfTheValues(t *testing.T) {
	eachOfSome(t, func(t *testing.T, p methods.Problem, _ int, center string) {
		c := centring(p.Sizes.N, center)
		a := product(c, denseGram(p.Kernel, p.X, p.X), c)
		for _, o := range []methods.RandomizedOptions{{Variant: "power"}, {Variant: "power", Power: 3}, {Variant: "block-krylov", Power: 2}} {
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
// are arbitrary: values that are exact to 1e-9 have no caveat.
func TestNoCaveatOfWhatIsConverged(t *testing.T) {
	p := methods.Problem{X: uniformPoints(41, 200, 1), Kernel: kernel.NewGaussian(0.5), Sizes: methods.Sizes{N: 200, M: 8, Ell: 5}}
	for _, center := range []string{"u", "none"} {
		exact := spectrumOf(t, fit(t, &methods.EKPCAOptions{Center: center}, p, 1)).Values
		for _, variant := range []string{"power", "block-krylov"} {
			model := fit(t, &methods.RandomizedOptions{Center: center, Variant: variant, Power: 2, Residual: 1e-6}, p, 1).(*methods.Subspace)
			for i, v := range model.Values {
				if !(math.Abs(v-exact[i]) <= 1e-9*exact[0]) {
					t.Fatalf("center %s, %s: value %d is %g, exact %g", center, variant, i+1, v, exact[i])
				}
			}
			for _, caveat := range model.Caveats(5) {
				if strings.Contains(caveat, "not converged") {
					t.Errorf("center %s, %s: %s; residuals %.2g", center, variant, caveat, model.Residuals)
				}
			}
		}
	}
}

func TestResidualsBecomeCaveats(t *testing.T) {
	p := problems(t)["laplace"]
	o := methods.RandomizedOptions{Center: "u", Variant: "power", Power: 2}
	residuals := fit(t, &o, p, 1).(*methods.Subspace).Residuals
	if !(residuals[0] < residuals[4]/3) {
		t.Fatalf("residuals %.2g: the first should be the least", residuals)
	}
	o.Residual = residuals[4] / 2
	model := fit(t, &o, p, 1)
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
