package metrics

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"mercer/internal/misuse"
	"mercer/methods"
)

// Formula computes the outputs of a measure from the first ell components of a model, which is
// of one of the measure's shapes; ell is 0 where models have no components. It leaves the truth
// as it is; an output that has no value is left out.
type Formula func(ctx context.Context, t Truth, model methods.Model, ell int) (Values, error)

// Register adds a measure to the Registry. It panics where the name or that of an output is
// taken, or the measure is not whole.
func Register(name string, m Measure, f Formula) {
	for _, metric := range m.Metrics() {
		if of := MeasureOf(metric); of != "" {
			panic(fmt.Sprintf("measure %q: the output %s is one of %s", name, metric, of))
		}
	}
	m.compute = func(e *evaluation, ell int, into Values) error {
		values, err := f(e.ctx, e.Truth, e.model, ell)
		for output := range values {
			if !slices.Contains(m.Metrics(), output) {
				return fmt.Errorf("%s is none of the measure's outputs", output)
			}
		}
		maps.Copy(into, values)
		return err
	}
	misuse.Register(Registry, name, m, "Doc", "Reference", "Cost", "Shapes", "Outputs")
}
