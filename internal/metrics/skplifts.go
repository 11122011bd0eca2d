package metrics

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// skpProjected is ⟨P̃, K/N⟩ of the projection P̃ onto the span of the kept functions in
// L² of the held-out points, the nearest to their lift: tr(S⁻¹F) for their second
// moments S and forms F, whatever the rotation of the lift. Directions in which the
// functions vanish are left out. A subspace of H is a projection already.
//
// Reference: [SKP, Cor C.12].
func skpProjected(e *evaluation, o *objective, ell int, into Values) error {
	optimum, err := e.heldOut().optimum(ell)
	if err != nil {
		return err
	}
	var value float64
	if o.sums != nil {
		value = floats.Sum(o.sums[:e.kept(ell)])
	} else if value, err = o.projected(e.kept(ell)); err != nil {
		return err
	}
	into["skp_projected"], into["skp_projected_excess"] = value, optimum-value
	return nil
}

// projected is tr(S⁻¹F) of the first kept functions, by the eigenpairs of S where each
// function has second moment 1.
func (o *objective) projected(kept int) (float64, error) {
	if kept == 0 {
		return 0, nil
	}
	s, scale := mat.NewSymDense(kept, nil), scalesOf(o.second.Slice(0, kept, 0, kept))
	for i := range kept {
		for j := i; j < kept; j++ {
			s.SetSym(i, j, scale[i]*o.second.At(i, j)*scale[j])
		}
	}
	values, vectors, err := linalg.EigenSym(s)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for c, v := range values {
		if v <= vanishing*float64(kept) {
			continue
		}
		for i := range kept {
			for j := range kept {
				sum += vectors.At(i, c) * scale[i] * o.form.At(i, j) * scale[j] * vectors.At(j, c) / v
			}
		}
	}
	return sum, nil
}

// skpLifts is skp_objective by the lifts that are not by the nearest rotation.
//
// Reference: [SKP, Lemma E.1, E.2].
func skpLifts(e *evaluation, o *objective, ell int, into Values) error {
	kept := e.kept(ell)
	none := mat.NewDense(kept, kept, nil)
	for i := range kept {
		none.Set(i, i, 1)
	}
	for name, r := range map[string]mat.Matrix{"skp_lift_none": none, "skp_lift_lemma": o.turn.Slice(0, kept, 0, kept)} {
		_, forms := o.liftedBy(r)
		into[name] = floats.Sum(forms)
	}
	return nil
}
