package metrics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// valuesAndTurn are the features' values at the held-out points times the first ell
// components U, and UᵀΦ_ell.
func (l lift) valuesAndTurn(m *methods.FeatureSubspace, ell int) (values, turn *mat.Dense) {
	n, _ := l.heldOut.Dims()
	features := mat.NewDense(n, m.Map.Dim(), nil)
	m.Map.Transform(features, l.heldOut)
	second := mat.NewSymDense(m.Map.Dim(), nil)
	second.SymOuterK(1/float64(n), features.T())
	_, vectors := eigen(second)
	p, _ := m.Coef.Dims()
	u := m.Coef.Slice(0, p, 0, ell)
	return product(features, u), product(u.T(), vectors.Slice(0, p, 0, ell))
}

// rayleigh are Σ aᵀKa/(N·aᵀa) over the columns of a.
func (l lift) rayleigh(a *mat.Dense) float64 {
	n, ell := a.Dims()
	image, sum := product(l.kernel, a), 0.0
	for i := range ell {
		column := mat.Col(nil, i, a)
		sum += floats.Dot(column, mat.Col(nil, i, image)) / floats.Dot(column, column)
	}
	return sum / float64(n)
}

// The lifts are Rayleigh quotients of the turned functions, and the projected objective
// is that of an orthonormal basis by a QR decomposition, which the measure does without.
// No projection exceeds the optimum.
func TestLiftsAreTheirDefinitions(t *testing.T) {
	checked := 0
	for _, w := range []world{selfWorld(t), heldOutWorld(t)} {
		w.eachTrial(t, func(t *testing.T, _ trial, model methods.Model) {
			ells := []int{3, 1, 4}
			got, _, err := Evaluate(t.Context(), w.truth(), model, ells, []string{"skp_objective", "skp_excess", "skp_projected", "skp_lifts"})
			if err != nil {
				t.Fatal(err)
			}
			l := newLift(w, model)
			for i, ell := range ells {
				want := map[string]float64{"skp_projected": got[i]["skp_objective"]}
				if m, ok := model.(*methods.FeatureSubspace); ok {
					checked++
					y, turn := l.valuesAndTurn(m, ell)
					var qr mat.QR
					qr.Factorize(y)
					var q mat.Dense
					qr.QTo(&q)
					n, _ := y.Dims()
					want["skp_projected"] = l.rayleigh(mat.DenseCopyOf(q.Slice(0, n, 0, ell)))
					want["skp_lift_none"], want["skp_lift_lemma"] = l.rayleigh(y), l.rayleigh(product(y, turn))
				}
				want["skp_projected_excess"] = got[i]["skp_optimum"] - want["skp_projected"]
				for name, v := range want {
					if !(math.Abs(got[i][name]-v) <= 1e-11) {
						t.Errorf("ell = %d: %s is %.15g, want %.15g", ell, name, got[i][name], v)
					}
				}
				if !(got[i]["skp_projected_excess"] >= -1e-14) {
					t.Errorf("ell = %d: the projection exceeds the optimum by %g", ell, -got[i]["skp_projected_excess"])
				}
			}
		})
	}
	if checked == 0 {
		t.Error("no feature subspace")
	}
}
