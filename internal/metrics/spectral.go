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
