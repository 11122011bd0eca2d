package metrics

import (
	"math"

	"mercer/methods"
)

// reconH is R^ℓ, its projection part tr Σ − tr S and its mean part ‖δ‖².
//
// Reference: [NYK, eq 13–14].
func (e *evaluation) reconH(ell int, into map[string]float64) error {
	all, floor, err := e.tails(1, ell)
	if err != nil {
		return err
	}
	projection, mean := all, 0.0
	if e.shape == methods.ShapePopulation {
		projection = floor
	} else {
		for i := range e.kept(ell) {
			projection -= e.moments.Cov.At(i, i)
			mean += e.offset[i] * e.offset[i]
		}
		if projection, err = e.resolved(projection, floor, ell, traceC); err != nil {
			return err
		}
	}
	setParts("recon_h", projection, mean, floor, into)
	return nil
}

// reconL2 is T^ℓ, its projection part ‖Σ^{1/2}(I−P̂)Σ^{1/2}‖²_HS and its mean
// part δᵀSδ; with a feature space's operators in place of H's, T^ℓ_rf.
//
// Reference: [NYK, §4.2].
func (e *evaluation) reconL2(ell int, into map[string]float64) error {
	all, floor, err := e.tails(2, ell)
	if err != nil {
		return err
	}
	projection, mean := all, 0.0
	if e.shape == methods.ShapePopulation {
		projection = floor
	} else {
		squares := 0.0
		for i := range e.kept(ell) {
			projection -= 2 * e.moments.Tau[i]
			for j := range e.kept(ell) {
				s := e.moments.Cov.At(i, j)
				squares += s * s
				mean += e.offset[i] * s * e.offset[j]
			}
		}
		if projection, err = e.resolved(projection+squares, floor, ell, ofL2); err != nil {
			return err
		}
	}
	setParts("recon_l2", projection, mean, floor, into)
	return nil
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

// resolution is how many units in the last place of a scale a projection part may miss by: its
// terms add up to no more than that, and each is off by some roundings.
const resolution = 128

// resolved is a projection part; what lies within rounding of the floor, below which
// none can be, is the floor.
func (e *evaluation) resolved(projection, floor float64, ell int, s scale) (float64, error) {
	size, err := s.of(e, ell)
	if math.Abs(projection-floor) <= resolution*epsilon*size {
		return floor, err
	}
	return projection, err
}

func setParts(name string, projection, mean, floor float64, into map[string]float64) {
	into[name] = projection + mean
	into[name+"_projection"] = projection
	into[name+"_mean"] = mean
	into[name+"_floor"] = floor
}
