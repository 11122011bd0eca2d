package plan

import (
	"errors"
	"slices"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
)

// Resolved is a spec whose every name is known and whose every parameter is
// decoded.
type Resolved struct {
	Spec     *configs.Spec
	Datasets map[string]data.Options
	Kernels  map[string]kernel.Options
	Methods  map[string]ResolvedMethod
}

// ResolvedMethod is a method with its registry entry.
type ResolvedMethod struct {
	methods.Entry
	Use     string // as the spec says
	Method  methods.Method
	Options methods.Options
	Params  string // canonical, for keys
	assumed bool   // its parameters are not sound, see assumedMethod
}

// offer is what a data set has for measures.
func (r *Resolved) offer(dataset string) metrics.Capabilities {
	traits := r.Datasets[dataset].Traits()
	return metrics.Capabilities{Population: traits.Population, HeldOut: traits.HeldOut, Response: traits.Response}
}

// Taken are the measures of the spec that are defined for a method on a data set.
func (r *Resolved) Taken(dataset, method string) []string {
	return lists.Where(r.Spec.Measure.Texts(), func(name string) bool {
		return metrics.Undefined(name, r.Methods[method].Entry, r.offer(dataset)) == nil
	})
}

// outputs are the metrics that the spec's measures yield.
func (r *Resolved) outputs() []string {
	var names []string
	for _, measure := range r.Spec.Measure.Texts() {
		names = append(names, metrics.Registry[measure].Outputs...)
	}
	slices.Sort(names)
	return names
}

// anyDistances stand in for a data set's, so that a kernel's parameters can be
// checked before there is data.
type anyDistances struct{}

func (anyDistances) RMS() (float64, error) { return 1, nil }

func (anyDistances) Quantile(float64) (float64, error) { return 1, nil }

// atPlace gives an error the place of its component, unless it has one.
func atPlace(c configs.Component, err error) error {
	if err == nil || errors.As(err, new(configs.Problem)) || errors.As(err, new(configs.Problems)) {
		return err
	}
	return configs.Errorf(c.Pos, "%s %q: %v", c.Kind, c.ID, err)
}
