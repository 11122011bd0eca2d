package metrics

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"mercer/internal/kernel"
	"mercer/methods"
)

// Notes are what a reader of the values at one ℓ should know.
type Notes struct {
	Rounded   []string          // metrics whose values are at or below their rounding
	Undefined map[string]string // why, by metric, of those that are not defined there
	Warnings  []string          // what is uncertain
	// Series are the values of metrics at each iterate of a solver, the last of which is the metric.
	Series map[string][]float64
}

// Evaluate computes the named measures of a model for each ℓ in ells, from its
// first ℓ components: one map of metric name to value an entry of ells, in their
// order, and notes on them. A model without components takes one entry, 0. Measures that
// are not defined for the model on these data are left out (see Undefined), those that
// the runner takes (time) too, and those by eigenfunctions that the population does
// not determine, which the notes name.
//
// It costs one evaluation of the moments of all components, see the
// population, and O(ℓ²) for each ℓ; other measures say what they cost. It fails
// where a name is unknown, where the population knows no moments of the model's
// functions (data.ErrUndefined), where classes are needed and missing, or where
// a value is not finite.
func Evaluate(ctx context.Context, truth Truth, model methods.Model, ells []int, names []string) ([]Values, []Notes, error) {
	e := evaluation{
		Truth: truth, ctx: ctx, model: model, largest: slices.Max(ells),
		shared: map[sharedKey]any{},
	}
	if err := e.prepare(names); err != nil {
		return nil, nil, err
	}
	values, notes := make([]Values, len(ells)), make([]Notes, len(ells))
	for i, ell := range ells {
		values[i] = Values{}
		e.notes = Notes{Warnings: slices.Clone(e.warnings), Undefined: map[string]string{}, Series: map[string][]float64{}}
		for _, name := range e.names {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if err := e.measure(name, ell, values[i]); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", at(name, ell), err)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(values[i])) {
			if v := values[i][name]; math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, fmt.Errorf("%s is %v", at(name, ell), v)
			}
		}
		slices.Sort(e.notes.Rounded)
		notes[i] = e.notes
	}
	return values, notes, nil
}

// measure computes one measure at ell, with its notes.
func (e *evaluation) measure(name string, ell int, into Values) error {
	m := Registry[name]
	if m.eigen {
		if tied, err := e.tied(name, ell); tied || err != nil {
			return err
		}
	}
	compute := func() (Values, error) {
		outputs := Values{}
		if m.eigen && e.shape == methods.ShapePopulation { // no distance from themselves
			outputs[m.Outputs[0].Name] = 0
			return outputs, nil
		}
		return outputs, m.compute(e, ell, outputs)
	}
	var outputs Values
	var err error
	if m.fixed { // at every ell
		outputs, err = shared(e, "measure", name, compute)
	} else {
		_, count := e.iterates()
		if len(m.Shapes) > 1 { // it does not measure f̂
			count = 1
		}
		for e.iterate = range count {
			if outputs, err = compute(); err != nil {
				break
			}
			for metric, v := range outputs {
				if before := e.notes.Series[metric]; count > 1 && len(before) == e.iterate {
					e.notes.Series[metric] = append(before, v)
				}
			}
		}
	}
	if err != nil {
		return err
	}
	rounded, err := e.rounded(m, ell, outputs)
	e.notes.Rounded = append(e.notes.Rounded, rounded...)
	maps.Copy(into, outputs)
	return err
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
	case *methods.Embedding, *methods.Clustering, *methods.Regression:
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
		if m.compute == nil || undefined(name, e.shape, e.offer()) != nil {
			continue
		}
		if m.has(NeedsClasses) && e.Labels == nil {
			return fmt.Errorf("%s needs classes, and the data set has none: name its label column or file", name)
		}
		e.names = append(e.names, name)
		needs = needs || m.has(NeedsPopulation) && !m.Uncentred
		if m.eigen {
			eigen = e.largest
		}
	}
	if !needs {
		return nil
	}
	return e.ask(functions, eigen)
}

// ask takes from the population what the measures need, of functions unless they are its own.
func (e *evaluation) ask(functions kernel.Functions, eigen int) (err error) {
	caveat, err := e.centred()
	if err != nil {
		return err
	}
	if caveat != "" {
		e.warnings = append(e.warnings, caveat)
	}
	if e.lambda, err = e.Population.Eigenvalues(max(e.largest, eigen+1)); err != nil || functions == nil {
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
