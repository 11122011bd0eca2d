package metrics

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// liftMeasures are the measures of the objective by other lifts and projections.
var liftMeasures = map[string]Measure{
	"skp_projected": {
		Family:    ofProjections,
		Doc:       "objective of the projection that is nearest to the estimate: of a feature subspace that onto its functions in L² of the held-out points, Σ_{i≤ℓ} qᵢᵀKqᵢ/N for an orthonormal basis q of their values, and what the best projection has more; at most the largest objective of any projection, and for a subspace of H skp_objective",
		Reference: "SKP Cor C.12",
		Cost:      "that of skp_excess",
		Outputs: []Output{
			{"skp_projected", "objective of the nearest projection", More, ofLift},
			{"skp_projected_excess", "excess of the nearest projection", Less, ofLift},
		},
		Cancels: true,
		compute: onHeldOut(skpProjected),
	},
	"skp_lifts": {
		Family:    ofFeatures,
		Doc:       "skp_objective by other lifts of a feature subspace U: by R = UᵀΦ_ℓ of Lemma E.1, which is not orthogonal (skp_lift_lemma), and by no rotation at all (skp_lift_none); they may exceed the maximum over projections",
		Reference: "SKP Lemma E.1, E.2",
		Cost:      "that of skp_objective",
		Outputs: []Output{
			{"skp_lift_lemma", "objective, lift of Lemma E.1", Neither, ofLift},
			{"skp_lift_none", "objective, no correction of the lift", Neither, ofLift},
		},
		compute: onHeldOut(skpLifts),
	},
}

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
