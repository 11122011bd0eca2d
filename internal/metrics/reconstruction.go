package metrics

import (
	"math"

	"mercer/methods"
)

// reconstructionMeasures are the measures of reconstruction errors.
var reconstructionMeasures = map[string]Measure{
	"recon_h": {
		Family:    ofSubspaces,
		Doc:       "reconstruction error in H, R = tr Σ - tr S + ‖δ‖², with its projection part, mean part and floor Σ_{i>ℓ} λ_i",
		Reference: "NYK eq 13-14",
		Cost:      ofMoments,
		Outputs: []Output{
			{"recon_h", "reconstruction error R", Less, traceC},
			{"recon_h_projection", "projection part of R", Neither, traceC},
			{"recon_h_mean", "mean part of R", Neither, traceC.by(1e-28)},
			{"recon_h_floor", "floor of R", Neither, traceC},
		},
		compute: reconH,
	},
	"recon_l2": {
		Family:    ofFunctions,
		Doc:       "reconstruct-and-embed error in L²(P), T = tr Σ² - 2τ + ‖S‖² + δᵀSδ, with its projection part, mean part and floor Σ_{i>ℓ} λ_i²",
		Reference: "NYK §4.2",
		Cost:      ofMoments,
		Outputs: []Output{
			{"recon_l2", "reconstruct-and-embed error T", Less, ofL2},
			{"recon_l2_projection", "projection part of T", Neither, ofL2},
			{"recon_l2_mean", "mean part of T", Neither, ofL2.by(1e-28)},
			{"recon_l2_floor", "floor of T", Neither, ofL2},
		},
		compute: reconL2,
	},
}

// reconH is R^ℓ, its projection part tr Σ − tr S and its mean part ‖δ‖².
//
// Reference: [NYK, eq 13–14].
func reconH(e *evaluation, ell int, into Values) error {
	return e.reconstructed("recon_h", 1, traceC, ell, into, func(all float64) (projection, mean float64) {
		projection = all
		for i := range e.kept(ell) {
			projection -= e.moments.Cov.At(i, i)
			mean += e.offset[i] * e.offset[i]
		}
		return projection, mean
	})
}

// reconL2 is T^ℓ, its projection part ‖Σ^{1/2}(I−P̂)Σ^{1/2}‖²_HS and its mean
// part δᵀSδ; with a feature space's operators in place of H's, T^ℓ_rf.
//
// Reference: [NYK, §4.2].
func reconL2(e *evaluation, ell int, into Values) error {
	return e.reconstructed("recon_l2", 2, ofL2, ell, into, func(all float64) (projection, mean float64) {
		squares := 0.0
		projection = all
		for i := range e.kept(ell) {
			projection -= 2 * e.moments.Tau[i]
			for j := range e.kept(ell) {
				s := e.moments.Cov.At(i, j)
				squares += s * s
				mean += e.offset[i] * s * e.offset[j]
			}
		}
		return projection + squares, mean
	})
}

// resolution is how many units in the last place of a scale a projection part may miss by: its
// terms add up to no more than that, and each is off by some roundings.
const resolution = 128

// reconstructed adds an error with its projection part, mean part and floor, a sum of the
// eigenvalues to a power. parts takes the sum of all of them. The population's own components
// are at the floor, and what lies within rounding of it, below which none can be, is the floor.
func (e *evaluation) reconstructed(name string, power int, r Rounding, ell int, into Values, parts func(all float64) (projection, mean float64)) error {
	all, floor, err := e.tails(power, ell)
	if err != nil {
		return err
	}
	projection, mean := floor, 0.0
	if e.shape != methods.ShapePopulation {
		projection, mean = parts(all)
	}
	size, err := r.of(e, ell)
	if math.Abs(projection-floor) <= r.Factor*size {
		projection = floor
	}
	into[name], into[name+"_projection"], into[name+"_mean"], into[name+"_floor"] = projection+mean, projection, mean, floor
	return err
}

// tails are the sums of the population's eigenvalues to a power, of all and of those beyond
// the first ℓ: the floor of a reconstruction error.
func (e *evaluation) tails(power, ell int) (all, floor float64, err error) {
	if all, err = e.Population.Tail(power, 0); err != nil {
		return 0, 0, err
	}
	floor, err = e.Population.Tail(power, ell)
	return all, floor, err
}
