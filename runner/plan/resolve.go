package plan

import (
	"cmp"
	"maps"
	"slices"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/methods/exec"
)

// Resolved is a spec whose every name is known to the registries, and whose parameters are
// sound as far as that shows without values of grid variables. It opens no data.
type Resolved struct {
	Spec *configs.Spec
	// Methods, by id, have the parameters that are right and use no variables; others hold their
	// defaults. They say which metrics and sizes a method has, also where it has no Estimator.
	Methods  map[string]*Method
	Datasets map[string]data.Options // by id, likewise
	Own      map[string]*metrics.Own // measures of the user's, by id

	usesOf map[string][]string // variables and constants that a component's parameters use, by kind and id
}

// Resolve checks the components of a spec, and what measures, claims, plots and targets ask
// of them. Its error is a configs.Problems with everything that is wrong; beside it stands
// what is sound. Of a spec that is not whole, see configs.Decode, it finds what is wrong in the
// rest.
func Resolve(spec *configs.Spec) (*Resolved, error) {
	r := &Resolved{Spec: spec, Methods: map[string]*Method{}, Datasets: map[string]data.Options{}, Own: map[string]*metrics.Own{}, usesOf: map[string][]string{}}
	var problems configs.Problems
	for _, c := range spec.Datasets {
		if entry, ok := lookup(c, data.Registry, &problems); ok {
			options := entry.New()
			err := r.decode(c, options)
			if err == nil && !r.varies(c) {
				err = c.Params.Wrong(options.Validate())
			}
			if problems.Add(err); err == nil {
				r.Datasets[c.ID] = options
			}
		}
	}
	for _, c := range spec.Kernels {
		if entry, ok := lookup(c, kernel.Registry, &problems); ok {
			options := entry.New()
			err := r.decode(c, options)
			if err == nil && !r.varies(c) {
				_, err = options.Build(anyDistances{})
				err = c.Params.Wrong(err)
			}
			problems.Add(err)
		}
	}
	for _, c := range spec.Methods {
		if entry, ok := lookup(c, methods.Registry, &problems); ok {
			options := entry.New()
			err := r.decode(c, options)
			m := &Method{ID: c.ID, Use: c.Use.Value, Options: options, Names: r.usesOf[id(c)]}
			m.describe(entry)
			if err == nil && !r.varies(c) {
				m.Params = c.Params.Canonical()
				err = m.make(c.Params)
			}
			if problems.Add(err); m.Shape != "" {
				r.Methods[c.ID] = m
			}
		}
	}
	for _, c := range spec.Measure.Own {
		if _, ok := lookup(c, map[string]bool{"exec": true}, &problems); ok {
			problems.Add(r.addOwn(c))
		}
	}
	r.check(&problems)
	return r, problems.Err()
}

// addOwn adds a measure of the user's, whose parameters have no variables.
func (r *Resolved) addOwn(c configs.Component) error {
	own := &metrics.Own{Options: exec.DefaultOptions()}
	_, err := c.Params.Bind(own, nil)
	if err == nil {
		err = c.Params.Wrong(own.Validate())
	}
	taken := r.outputs()
	if slices.ContainsFunc(own.Metrics(), func(name string) bool { return slices.Contains(taken, name) }) || metrics.Registry[c.ID].Doc != "" || r.Own[c.ID] != nil {
		err = cmp.Or(err, configs.Errorf(c.Pos, "measure %q: its id is the name of a measure, or one of its outputs is another measure's: take other names", c.ID))
	}
	r.Own[c.ID] = own
	return err
}

// id names a component among all of the spec.
func id(c configs.Component) string { return c.Kind + " " + c.ID }

// decode checks the parameters of a component without values of variables, and notes the
// names that they use.
func (r *Resolved) decode(c configs.Component, options any) (err error) {
	r.usesOf[id(c)], err = c.Params.Uses(options)
	return err
}

// varies says whether the parameters of a component use variables or constants.
func (r *Resolved) varies(c configs.Component) bool { return len(r.usesOf[id(c)]) > 0 }

// names says whether the spec uses a name in its grid, its skips or parameters.
func (r *Resolved) names(name string) bool {
	for _, uses := range r.usesOf {
		if slices.Contains(uses, name) {
			return true
		}
	}
	return slices.Contains(r.Spec.ForeignNames(), name)
}

// lookup finds what a component uses in a registry.
func lookup[E any](c configs.Component, registry map[string]E, problems *configs.Problems) (E, bool) {
	entry, ok := registry[c.Use.Value]
	if !ok {
		names := slices.Sorted(maps.Keys(registry))
		problems.Add(configs.Errorf(c.Use.Pos, "%s", configs.Unknown(c.Kind, c.Use.Value, "", names)))
	}
	return entry, ok
}

// make makes the estimator, if the parameters that the options were bound to are sound.
func (m *Method) make(bound configs.Params) error {
	estimator, err := m.Options.Method()
	if err == nil {
		m.Estimator = estimator
	}
	return bound.Wrong(err)
}
