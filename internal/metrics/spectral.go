package metrics

import (
	"fmt"
	"math"

	"mercer/methods"
)

// eigenvalues are the estimates, 0 past the numerical rank.
func (e *evaluation) eigenvalues(ell int, into map[string]float64) error {
	for i := range ell {
		value := 0.0
		if i < len(e.spectrum.Values) {
			value = e.spectrum.Values[i]
		}
		into[fmt.Sprintf("eigenvalue_%d", i+1)] = value
	}
	return nil
}

// rank is that of the matrix that the fit factors, where it factors one, or the
// number of components kept.
func (e *evaluation) rank(ell int, into map[string]float64) error {
	into["rank"] = float64(e.spectrum.Rank)
	if e.spectrum.Rank == 0 {
		into["rank"] = float64(e.kept(ell))
	}
	return nil
}

// modelSize is 8 bytes for each number of the model's first ℓ components; left out
// where they are not known.
func (e *evaluation) modelSize(ell int, into map[string]float64) error {
	if count, known := methods.Numbers(e.model, ell); known {
		into["model_size"] = 8 * float64(count)
	}
	return nil
}

// reconH is R^ℓ, its projection part tr Σ − tr S and its mean part ‖δ‖².
//
// Reference: [NYK, eq 13–14].
func (e *evaluation) reconH(ell int, into map[string]float64) error {
	all, err := e.Population.Tail(1, 0)
	if err != nil {
		return err
	}
	floor, err := e.Population.Tail(1, ell)
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
		projection = resolved(projection, floor, all)
	}
	setParts("recon_h", projection, mean, floor, into)
	return nil
}

// reconL2 is T^ℓ, its projection part ‖Σ^{1/2}(I−P̂)Σ^{1/2}‖²_HS and its mean
// part δᵀSδ; with a feature space's operators in place of H's, T^ℓ_rf.
//
// Reference: [NYK, §4.2].
func (e *evaluation) reconL2(ell int, into map[string]float64) error {
	all, err := e.Population.Tail(2, 0)
	if err != nil {
		return err
	}
	floor, err := e.Population.Tail(2, ell)
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
		projection = resolved(projection+squares, floor, all)
	}
	setParts("recon_l2", projection, mean, floor, into)
	return nil
}

// resolution is the share of the sum of all eigenvalues, to the same power, that a
// projection part may miss by: its terms add up to that sum, and each is off by some
// roundings.
const resolution = 0x1p-45

// resolved is a projection part; what lies within rounding of the floor, below which
// none can be, is the floor.
func resolved(projection, floor, all float64) float64 {
	if math.Abs(projection-floor) <= resolution*all {
		return floor
	}
	return projection
}

func setParts(name string, projection, mean, floor float64, into map[string]float64) {
	into[name] = projection + mean
	into[name+"_projection"] = projection
	into[name+"_mean"] = mean
	into[name+"_floor"] = floor
}

// eigenspaceL2 is (‖S‖²_F + Σ λ_i² − 2 Σ_i λ_i Σ_j C_ij²)^(1/2), 0 for the
// population's own. The terms cancel: below 1e-8·λ_1 it is rounding.
//
// Reference: [RFK, Thm 1(i), 2(i)].
func (e *evaluation) eigenspaceL2(ell int, into map[string]float64) error {
	into["eigenspace_l2"] = 0
	if e.shape == methods.ShapePopulation {
		return nil
	}
	sum := 0.0
	for i := range ell {
		sum += e.lambda[i] * e.lambda[i]
		for j := range e.kept(ell) {
			c := e.moments.Eigen.At(i, j)
			sum -= 2 * e.lambda[i] * c * c
		}
	}
	for i := range e.kept(ell) {
		for j := range e.kept(ell) {
			s := e.moments.Cov.At(i, j)
			sum += s * s
		}
	}
	into["eigenspace_l2"] = math.Sqrt(max(sum, 0))
	return nil
}

// eigenfunctionL2 is Σ_i (S_ii + λ_i − 2√λ_i |C_ii|)^(1/2), 0 for the population's
// own; a component that the model does not have counts as the zero function.
// ⟨φ_i, φ̂_i⟩ ≥ 0 fixes the signs: it is C_ii/√λ_i in H.
//
// Reference: [RFK, Thm 1(ii), 2(ii)].
func (e *evaluation) eigenfunctionL2(ell int, into map[string]float64) error {
	into["eigenfunction_l2"] = 0
	if e.shape == methods.ShapePopulation {
		return nil
	}
	sum := 0.0
	for i := range ell {
		square := e.lambda[i]
		if i < e.kept(ell) {
			square += e.moments.Cov.At(i, i) - 2*math.Sqrt(e.lambda[i])*math.Abs(e.moments.Eigen.At(i, i))
		}
		sum += math.Sqrt(max(square, 0))
	}
	into["eigenfunction_l2"] = sum
	return nil
}
