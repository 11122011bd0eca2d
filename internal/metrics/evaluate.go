package metrics

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/methods"
)

// Truth is what models are measured against. Measures leave it as it is.
type Truth struct {
	Population    data.Population // nil where none is declared
	Kernel        kernel.Kernel
	X             *mat.Dense // n×D, the sample of the fit; nil where the method streamed it
	Labels        []int      // classes of the sample; nil where there are none
	HeldOut       *mat.Dense // N×D, the points of an empirical population; nil where there are none
	HeldOutLabels []int
	// HeldOutKernel is shared by all models measured against the same held-out
	// points with the same kernel; nil where nothing is shared.
	HeldOutKernel *HeldOutKernel
}

// offer is what measures may ask for.
func (t Truth) offer() Capabilities {
	return Capabilities{Population: t.Population != nil, HeldOut: t.HeldOut != nil}
}

// Evaluate computes the named measures of a model for each ℓ in ells, from its
// first ℓ components: one map of metric name to value an entry of ells, in their
// order. A model without components takes one entry, 0. Measures that are not
// defined for the model on these data are left out (see Undefined), those that
// the runner takes (time) too.
//
// It costs one evaluation of the moments of all components, see the
// population, and O(ℓ²) for each ℓ; other measures say what they cost. It fails
// where a name is unknown, where the population knows no moments of the model's
// functions (data.ErrUndefined), where classes are needed and missing, or where
// a value is not finite.
func Evaluate(ctx context.Context, truth Truth, model methods.Model, ells []int, names []string) ([]map[string]float64, error) {
	e := evaluation{
		Truth: truth, ctx: ctx, model: model, largest: slices.Max(ells),
		known: map[string]map[string]float64{}, assignments: map[*mat.Dense]assignment{},
	}
	if err := e.prepare(names); err != nil {
		return nil, err
	}
	values := make([]map[string]float64, len(ells))
	for i, ell := range ells {
		values[i] = map[string]float64{}
		for _, name := range e.names {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := Registry[name].compute(&e, ell, values[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", at(name, ell), err)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(values[i])) {
			if v := values[i][name]; math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s is %v", at(name, ell), v)
			}
		}
	}
	return values, nil
}

// at names a measure or metric and the ℓ of a model that has components.
func at(name string, ell int) string {
	if ell == 0 {
		return name
	}
	return fmt.Sprintf("%s at ell = %d", name, ell)
}

// evaluation holds what all measures of one model are computed from.
type evaluation struct {
	Truth
	ctx      context.Context
	model    methods.Model
	largest  int
	names    []string // measures that are defined for the model
	shape    string
	spectrum methods.Spectrum
	lambda   []float64    // of the population, λ_1 … λ_largest
	moments  data.Moments // of the model's functions; empty for the population's own
	offset   []float64    // δ

	// What measures compute when the first ℓ asks for it, for all ℓ.
	embedded  *basis
	captured  []float64 // ‖L q_j‖² of that basis
	objective *objective
	sketch    *sketch
	span      *span
	means     *means

	// What does not depend on ℓ, once it is computed.
	known       map[string]map[string]float64
	assignments map[*mat.Dense]assignment
}

func (e *evaluation) prepare(names []string) error {
	var functions kernel.Functions
	switch m := e.model.(type) {
	case *methods.Subspace:
		e.spectrum, functions = m.Spectrum, m.Expansion
	case *methods.FeatureSubspace:
		e.spectrum, functions = m.Spectrum, m.FeatureExpansion
	case *methods.Exact:
		e.spectrum = m.Spectrum
	case *methods.Embedding, *methods.Clustering:
	default:
		return fmt.Errorf("no measure knows a model of type %T", e.model)
	}
	e.shape = methods.ShapeOf(e.model)
	needs, eigen := false, 0
	for _, name := range names {
		m, known := Registry[name]
		if !known {
			return fmt.Errorf("unknown measure %q", name)
		}
		if m.compute == nil || Undefined(name, e.shape, e.offer()) != nil {
			continue
		}
		if slices.Contains(m.Needs, NeedsClasses) && e.Labels == nil {
			return fmt.Errorf("%s needs classes, and the data set has none: name its label column or file", name)
		}
		e.names = append(e.names, name)
		needs = needs || slices.Contains(m.Needs, NeedsPopulation)
		if m.eigen {
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
	if e.lambda, err = e.Population.Eigenvalues(e.largest); err != nil {
		return err
	}
	if e.moments, err = e.Population.Moments(functions, eigen); err != nil {
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
