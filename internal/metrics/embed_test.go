package metrics

import (
	"math"
	"testing"

	"mercer/methods"
)

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
			for _, name := range []string{"embed_recon_l2", "principal_angle"} {
				if !(math.Abs(math.Pow(got[name], 2)-math.Pow(want[name], 2)) <= 1e-12) {
					t.Errorf("%s was %.15g, is %.15g with components of the same span", name, want[name], got[name])
				}
			}
			three := evaluate(t, w, model, 3)[0]
			for i := range p {
				coef.Set(i, 3, coef.At(i, 0)-2*coef.At(i, 2))
			}
			if got := evaluate(t, w, model, worldEll)[0]; got["embed_recon_l2"] != three["embed_recon_l2"] || got["principal_angle"] != 1 {
				t.Errorf("a fourth component in the span of three: S = %v, %v with three; angle %v", got["embed_recon_l2"], three["embed_recon_l2"], got["principal_angle"])
			}
		})
	}
}
