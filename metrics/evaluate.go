package metrics

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"mercer/data"
	"mercer/kernel"
	"mercer/methods"
)

// Evaluate computes the named measures of a model for each ℓ in ells, from its
// first ℓ components: one map of metric name to value an entry of ells, in their
// order. There must be an ℓ, and each must be at least 1. population may be nil
// where no measure needs one. Measures that are not defined for the model are
// left out (see Undefined), "time" is not its business.
//
// It costs one evaluation of the moments of all components, see the
// population, and O(ℓ²) for each ℓ. It fails where a name is unknown, where the
// population knows no moments of the model's functions (data.ErrUndefined), or
// where a value is not finite.
func Evaluate(population data.Population, model methods.Model, ells []int, names []string) ([]map[string]float64, error) {
	e := evaluation{population: population, largest: slices.Max(ells)}
	if err := e.prepare(model, names); err != nil {
		return nil, err
	}
	values := make([]map[string]float64, len(ells))
	for i, ell := range ells {
		values[i] = map[string]float64{}
		for _, name := range e.names {
			if err := e.measure(name, ell, values[i]); err != nil {
				return nil, fmt.Errorf("%s at ell = %d: %w", name, ell, err)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(values[i])) {
			if v := values[i][name]; math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s at ell = %d is %v", name, ell, v)
			}
		}
	}
	return values, nil
}

// evaluation holds what all measures of one model are computed from.
type evaluation struct {
	population data.Population
	largest    int
	names      []string // measures that are defined for the model
	shape      string
	spectrum   methods.Spectrum
	lambda     []float64    // of the population, λ_1 … λ_largest
	moments    data.Moments // of the model's functions; empty for the population's own
	offset     []float64    // δ
}

func (e *evaluation) prepare(model methods.Model, names []string) error {
	var functions kernel.Functions
	switch m := model.(type) {
	case *methods.Subspace:
		e.spectrum, functions = m.Spectrum, m.Expansion
	case *methods.FeatureSubspace:
		e.spectrum, functions = m.Spectrum, m.FeatureExpansion
	case *methods.Exact:
		e.spectrum = m.Spectrum
	default:
		return fmt.Errorf("no measure knows a model of type %T", model)
	}
	e.shape = methods.ShapeOf(model)
	needs, eigen := false, 0
	for _, name := range names {
		m, known := Registry[name]
		if !known {
			return fmt.Errorf("unknown measure %q", name)
		}
		if Undefined(name, e.shape, e.population != nil) != nil {
			continue
		}
		e.names = append(e.names, name)
		needs = needs || m.Needs == "population"
		if name == "eigenspace_l2" || name == "eigenfunction_l2" {
			eigen = e.largest
		}
	}
	if !needs || functions == nil {
		return nil
	}
	return e.ask(functions, eigen)
}

// ask takes from the population what the measures need.
func (e *evaluation) ask(functions kernel.Functions, eigen int) (err error) {
	if e.lambda, err = e.population.Eigenvalues(e.largest); err != nil {
		return err
	}
	if e.moments, err = e.population.Moments(functions, eigen); err != nil {
		return err
	}
	e.offset = make([]float64, len(e.moments.Mean))
	for i, mean := range e.moments.Mean {
		e.offset[i] = mean - e.spectrum.Center[i]
	}
	return nil
}

// kept is how many of the first ell components the model has.
func (e *evaluation) kept(ell int) int { return min(ell, len(e.spectrum.Values)) }

func (e *evaluation) measure(name string, ell int, into map[string]float64) error {
	switch name {
	case "recon_h":
		return e.reconH(ell, into)
	case "recon_l2":
		return e.reconL2(ell, into)
	case "eigenspace_l2":
		into[name] = e.eigenspace(ell)
	case "eigenfunction_l2":
		into[name] = e.eigenfunctions(ell)
	case "eigenvalues":
		for i := range ell {
			value := 0.0
			if i < len(e.spectrum.Values) {
				value = e.spectrum.Values[i]
			}
			into[fmt.Sprintf("eigenvalue_%d", i+1)] = value
		}
	case "rank":
		into[name] = float64(e.spectrum.Rank)
		if e.spectrum.Rank == 0 {
			into[name] = float64(e.kept(ell))
		}
	}
	return nil
}

// reconH is R^ℓ, its projection part tr Σ − tr S and its mean part ‖δ‖².
//
// Reference: [NYK, eq 13–14].
func (e *evaluation) reconH(ell int, into map[string]float64) error {
	projection, err := e.population.Tail(1, 0)
	if err != nil {
		return err
	}
	floor, err := e.population.Tail(1, ell)
	if err != nil {
		return err
	}
	mean := 0.0
	if e.shape == methods.ShapePopulation {
		projection = floor
	} else {
		for i := range e.kept(ell) {
			projection -= e.moments.Cov.At(i, i)
			mean += e.offset[i] * e.offset[i]
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
	projection, err := e.population.Tail(2, 0)
	if err != nil {
		return err
	}
	floor, err := e.population.Tail(2, ell)
	if err != nil {
		return err
	}
	mean := 0.0
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
		projection += squares
	}
	setParts("recon_l2", projection, mean, floor, into)
	return nil
}

func setParts(name string, projection, mean, floor float64, into map[string]float64) {
	into[name] = projection + mean
	into[name+"_projection"] = projection
	into[name+"_mean"] = mean
	into[name+"_floor"] = floor
}

// eigenspace is (‖S‖²_F + Σ λ_i² − 2 Σ_i λ_i Σ_j C_ij²)^(1/2), 0 for the
// population's own. The terms cancel: below 1e-8·λ_1 it is rounding.
//
// Reference: [RFK, Thm 1(i), 2(i)].
func (e *evaluation) eigenspace(ell int) float64 {
	if e.shape == methods.ShapePopulation {
		return 0
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
	return math.Sqrt(max(sum, 0))
}

// eigenfunctions is Σ_i (S_ii + λ_i − 2√λ_i |C_ii|)^(1/2), 0 for the population's
// own; a component that the model does not have counts as the zero function.
// ⟨φ_i, φ̂_i⟩ ≥ 0 fixes the signs: it is C_ii/√λ_i in H.
//
// Reference: [RFK, Thm 1(ii), 2(ii)].
func (e *evaluation) eigenfunctions(ell int) float64 {
	if e.shape == methods.ShapePopulation {
		return 0
	}
	sum := 0.0
	for i := range ell {
		square := e.lambda[i]
		if i < e.kept(ell) {
			square += e.moments.Cov.At(i, i) - 2*math.Sqrt(e.lambda[i])*math.Abs(e.moments.Eigen.At(i, i))
		}
		sum += math.Sqrt(max(square, 0))
	}
	return sum
}
