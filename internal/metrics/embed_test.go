package metrics

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// embedDraws are, for independent draws X, Y, Y', k̄(X,Y)² − k̄(X,Y) k̄(X,Y')
// Σ_j q_j(Y) q_j(Y'), whose mean is S: E‖(I − QQᵀ)k̄(·,X)‖² with ⟨k̄(·,X), q_j⟩ as
// a mean over Y. cov is the covariance of the components, which Q = f·R⁻¹ is
// orthonormal by, R its Cholesky factor.
func (s sampled) embedDraws(draws, ell int, cov mat.Symmetric) []float64 {
	x, y, z := points(draws, 1, s.next), points(draws, 1, s.next), points(draws, 1, s.next)
	fy, fz := s.at(y), s.at(z)
	leading := mat.NewSymDense(ell, nil)
	for i := range ell {
		for j := i; j < ell; j++ {
			leading.SetSym(i, j, cov.At(i, j))
		}
	}
	var inverse mat.Dense // of the covariance: Q Qᵀ = f·inverse·fᵀ
	if err := inverse.Inverse(leading); err != nil {
		panic(err)
	}
	centred := func(a, b []float64) float64 {
		return s.kernel.At(a, b) - s.embedding(a) - s.embedding(b) + s.norm
	}
	var terms []float64
	for i := range draws {
		u, v := mat.NewVecDense(ell, nil), mat.NewVecDense(ell, nil)
		for j := range ell {
			u.SetVec(j, fy.At(i, j)-s.mean[j])
			v.SetVec(j, fz.At(i, j)-s.mean[j])
		}
		a, b := centred(x.RawRowView(i), y.RawRowView(i)), centred(x.RawRowView(i), z.RawRowView(i))
		terms = append(terms, a*a-a*b*mat.Inner(u, &inverse, v))
	}
	return terms
}

// embedByMonteCarlo says where S lies more than 5 standard errors from its
// estimate by 20000 draws. 6 comparisons at 5.7e-7 each are a false-alarm rate
// of 3e-6; the seeds are fixed. Standard errors are below 2 % of tr Σ².
func embedByMonteCarlo(s source, model methods.Model, center string, ell int) []string {
	values, _, err := Evaluate(context.Background(), s.truth(), model, []int{ell}, []string{"embed_recon_l2"})
	if err != nil {
		return []string{err.Error()}
	}
	var functions kernel.Functions
	switch m := model.(type) {
	case *methods.Subspace:
		functions = m.Expansion
	case *methods.FeatureSubspace:
		functions = m.FeatureExpansion
	}
	moments, err := s.population.Moments(functions, 0)
	if err != nil {
		return []string{err.Error()}
	}
	mean, deviation := meanAndError(newSampled(s, model, center).embedDraws(20_000, ell, moments.Cov))
	if got := values[0]["embed_recon_l2"]; !(math.Abs(got-mean) <= 5*deviation) {
		return []string{fmt.Sprintf("embed_recon_l2 at ell = %d is %.6g, by Monte Carlo %.6g ± %.2g", ell, got, mean, deviation)}
	}
	return nil
}

func TestEmbedReconstructByMonteCarlo(t *testing.T) {
	for _, s := range sources(t) {
		for _, options := range []methods.Options{
			&methods.NystromOptions{Landmarks: landmark.By("first"), Center: "u"}, &methods.RFFOptions{Features: s.features, Center: "u"},
		} {
			for _, line := range embedByMonteCarlo(s, s.fit(t, options, worldEll), "u", 1) {
				t.Errorf("%s, %T: %s", s.name, options, line)
			}
		}
	}
}

// Rotating or scaling components, or repeating one, changes neither their span
// nor S: to 1e-12, since S is exact to 1e-16 times the condition of the span.
func TestEmbedReconstructSeesTheSpanAlone(t *testing.T) {
	for _, w := range worlds(t) {
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			want := evaluate(t, w, model, worldEll)[0]
			coef, _ := parts(model)
			p, _ := coef.Dims()
			turned := product(coef.Slice(0, p, 0, worldEll), eigenbasis(worldEll))
			for i := range p {
				turned.Set(i, 1, 1e5*turned.At(i, 1))
			}
			coef.Copy(turned)
			got := evaluate(t, w, model, worldEll)[0]
			if was, is := want["embed_recon_l2"], got["embed_recon_l2"]; !(math.Abs(is-was) <= 1e-12) {
				t.Errorf("S was %.15g, is %.15g with components of the same span", was, is)
			}
			three := evaluate(t, w, model, 3)[0]
			for i := range p {
				coef.Set(i, 3, coef.At(i, 0)-2*coef.At(i, 2))
			}
			if got := evaluate(t, w, model, worldEll)[0]; got["embed_recon_l2"] != three["embed_recon_l2"] {
				t.Errorf("a fourth component in the span of three: S = %v, %v with three", got["embed_recon_l2"], three["embed_recon_l2"])
			}
		})
	}
}
