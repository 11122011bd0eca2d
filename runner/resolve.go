package runner

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/internal/theory"
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
}

// Resolve decodes the parameters of all components of a spec and checks
// measures, claims and plots against them. It opens no data. Its error is a
// configs.Problems with everything that is wrong; beside it stands what is sound.
// Of a spec that is not whole, see configs.Read, it finds what is wrong in the rest.
func Resolve(spec *configs.Spec) (*Resolved, error) {
	r := &Resolved{Spec: spec, Datasets: map[string]data.Options{}, Kernels: map[string]kernel.Options{}, Methods: map[string]ResolvedMethod{}}
	var problems configs.Problems
	for _, c := range spec.Datasets {
		if entry, ok := lookup(c, data.Registry, &problems); ok {
			options := entry.New()
			err := c.Params.Decode(options)
			if v, ok := options.(data.Validator); ok && err == nil {
				err = v.Validate()
			}
			problems.Add(atPlace(c, err))
			if err == nil {
				r.Datasets[c.ID] = options
			}
		}
	}
	for _, c := range spec.Kernels {
		if entry, ok := lookup(c, kernel.Registry, &problems); ok {
			options := entry.New()
			err := c.Params.Decode(options)
			if err == nil {
				_, err = options.Build(anyDistances{})
			}
			problems.Add(atPlace(c, err))
			if err == nil {
				r.Kernels[c.ID] = options
			}
		}
	}
	for _, c := range spec.Methods {
		if entry, ok := lookup(c, methods.Registry, &problems); ok {
			r.method(c, entry, &problems)
		}
	}
	whole := len(r.Datasets) == len(spec.Datasets) && !spec.Incomplete["datasets"]
	if whole && !spec.Incomplete["kernels"] {
		problems.Add(r.checkKernels())
	}
	r.checkMeasures(whole && len(r.Methods) == len(spec.Methods) && !spec.Incomplete["methods"], &problems)
	if !spec.Incomplete["measure"] && !spec.Incomplete["grid"] {
		r.checkClaims(&problems)
		r.checkPlots(&problems)
		r.checkBudgets(&problems)
		if len(r.Methods) == len(spec.Methods) && !spec.Incomplete["methods"] {
			r.checkTheorems(theory.Registry, &problems)
		}
	}
	if !spec.Incomplete["grid"] {
		problems.Add(spec.CheckNames(constantNames(spec)))
	}
	return r, problems.Err()
}

// anyDistances stand in for a data set's, so that a kernel's parameters can be
// checked before there is data.
type anyDistances struct{}

func (anyDistances) RMS() (float64, error)             { return 1, nil }
func (anyDistances) Quantile(float64) (float64, error) { return 1, nil }

func lookup[E any](c configs.Component, registry map[string]E, problems *configs.Problems) (E, bool) {
	entry, ok := registry[c.Use]
	if !ok {
		names := slices.Sorted(maps.Keys(registry))
		problems.Add(configs.Errorf(c.UsePos, "%s", configs.Unknown(c.Kind, c.Use, "", names)))
	}
	return entry, ok
}

func (r *Resolved) method(c configs.Component, entry methods.Entry, problems *configs.Problems) {
	options := entry.New()
	if err := c.Params.Decode(options); err != nil {
		problems.Add(err)
		return
	}
	method, err := options.Method()
	if err != nil {
		problems.Add(configs.Errorf(c.Pos, "method %q: %v", c.ID, err))
		return
	}
	if a, ok := options.(methods.Adapter); ok {
		entry = a.Adapt(entry)
	}
	r.Methods[c.ID] = ResolvedMethod{Entry: entry, Use: c.Use, Method: method, Options: options, Params: c.Params.Canonical()}
}

// checkKernels refuses data sets that no kernel applies to, and kernels that
// apply to no data set.
func (r *Resolved) checkKernels() error {
	if len(r.Spec.Kernels) > 0 {
		for _, c := range r.Spec.Datasets {
			if !data.Registry[c.Use].Population {
				return nil
			}
		}
		return configs.Errorf(r.Spec.Kernels[0].Pos, "kernels apply to no data set: every data set of this spec is a population that brings its own kernel; remove the key kernels")
	}
	for _, c := range r.Spec.Datasets {
		if !data.Registry[c.Use].Population {
			return configs.Errorf(c.Pos, "dataset %q needs a kernel: add the key kernels, such as `kernels: [{id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}]`", c.ID)
		}
	}
	return nil
}

// offer is what a data set has for measures: one without the question has a
// population by nature, in closed form.
func (r *Resolved) offer(dataset string) metrics.Capabilities {
	options, ok := r.Datasets[dataset].(interface{ Populated() bool })
	return metrics.Capabilities{Population: !ok || options.Populated(), HeldOut: ok && options.Populated()}
}

// checkMeasures refuses unknown measures and, where all methods and data sets are
// known, those that no cell could have.
func (r *Resolved) checkMeasures(whole bool, problems *configs.Problems) {
	for i, name := range r.Spec.Measure {
		if _, ok := metrics.Registry[name]; !ok {
			problems.Add(configs.Errorf(r.Spec.MeasurePos[i], "%s", configs.Unknown("measure", name, "", metrics.Names())))
			continue
		}
		if !whole {
			continue
		}
		var reason error
		defined := false
		for _, m := range r.Spec.Methods {
			for _, d := range r.Spec.Datasets {
				err := metrics.Undefined(name, r.Methods[m.ID].Shape, r.offer(d.ID))
				if err == nil {
					defined = true
				} else if reason == nil {
					reason = fmt.Errorf("method %q on dataset %q: %w", m.ID, d.ID, err)
				}
			}
		}
		if !defined {
			problems.Add(configs.Errorf(r.Spec.MeasurePos[i], "measure %q is defined for no method of this spec: %v", name, reason))
		}
	}
}

// undefinedNotes name the measures that are not taken of a method, or only on some
// data sets, because they are not defined there.
func (r *Resolved) undefinedNotes() []string {
	var notes []string
	for _, name := range r.Spec.Measure {
		for _, m := range r.Spec.Methods {
			var reasons []error
			var without []string
			for _, d := range r.Spec.Datasets {
				if err := metrics.Undefined(name, r.Methods[m.ID].Shape, r.offer(d.ID)); err != nil {
					reasons, without = append(reasons, err), append(without, strconv.Quote(d.ID))
				}
			}
			switch {
			case len(without) == 0:
			case len(without) == len(r.Spec.Datasets):
				notes = append(notes, fmt.Sprintf("measure %q is not taken of method %q: %v", name, m.ID, reasons[0]))
			default:
				notes = append(notes, fmt.Sprintf("measure %q is not taken of method %q on dataset %s: %v", name, m.ID, strings.Join(without, ", "), reasons[0]))
			}
		}
	}
	return notes
}

var eigenvalueName = regexp.MustCompile(`^eigenvalue_[1-9][0-9]*$`)

// measureOf is the measure that yields a metric; empty for none.
func measureOf(metric string) string {
	if eigenvalueName.MatchString(metric) {
		return "eigenvalues"
	}
	for name, measure := range metrics.Registry {
		if slices.Contains(measure.Outputs, metric) {
			return name
		}
	}
	return ""
}

// outputs are the metrics that the spec's measures yield.
func (r *Resolved) outputs() []string {
	var names []string
	for _, measure := range r.Spec.Measure {
		names = append(names, metrics.Registry[measure].Outputs...)
	}
	slices.Sort(names)
	return names
}

// checkClaims refuses claims about metrics that the spec does not measure, or
// that are not defined for a method the claim names.
func (r *Resolved) checkClaims(problems *configs.Problems) {
	for _, claim := range r.Spec.Claims {
		_, kind := claim.Kind()
		q := kind.Quantity()
		r.checkQuantity(fmt.Sprintf("claim %q", claim.ID), q.Text, q.Pos, named(claim), problems)
	}
}

// checkPlots does the same with plots, and refuses to draw points that a method
// has not.
func (r *Resolved) checkPlots(problems *configs.Problems) {
	for _, plot := range r.Spec.Plots {
		where := fmt.Sprintf("plot %q", plot.ID)
		for _, q := range plot.Quantities() {
			r.checkQuantity(where, q.Text, q.Pos, plot.Where["method"], problems)
		}
		if plot.Kind != configs.PlotScatter {
			continue
		}
		for _, id := range plot.Where["method"] {
			if r.Methods[id].Shape == methods.ShapePopulation {
				problems.Add(configs.Errorf(plot.WherePos["method"], "%s: method %q has no coordinates to draw: it is the population's own eigenspace", where, id))
			}
		}
	}
}

// checkBudgets does the same with budgets.
func (r *Resolved) checkBudgets(problems *configs.Problems) {
	for _, budget := range r.Spec.Budgets {
		for _, q := range budget.Quantities() {
			r.checkQuantity(fmt.Sprintf("budget %q", budget.ID), q.Text, q.Pos, budget.Where["method"], problems)
		}
	}
}

// checkQuantity checks the metrics that the text of owner uses; ids are the
// methods that must have them.
func (r *Resolved) checkQuantity(owner, text string, pos configs.Pos, ids []string, problems *configs.Problems) {
	for _, metric := range configs.Names(configs.Value{Text: text}) {
		if sizes.Is(metric) || slices.Contains(r.Spec.Grid.Names(), metric) {
			continue
		}
		measure := measureOf(metric)
		switch {
		case measure == "":
			problems.Add(configs.Errorf(pos, "%s", configs.Unknown("metric", metric, owner, r.outputs())))
			continue
		case !slices.Contains(r.Spec.Measure, measure):
			problems.Add(configs.Errorf(pos, "%s is about %q, which this spec does not measure; add %q to measure", owner, metric, measure))
			continue
		}
		for _, id := range ids {
			if _, known := r.Methods[id]; !known {
				continue // a problem of its own
			}
			if err := metrics.Undefined(measure, r.Methods[id].Shape, metrics.Capabilities{Population: true, HeldOut: true}); err != nil {
				problems.Add(configs.Errorf(pos, "%s: method %q: %v", owner, id, err))
			}
		}
	}
}

func constantNames(spec *configs.Spec) map[string][]string {
	names := map[string][]string{}
	for _, c := range spec.Datasets {
		if entry, known := data.Registry[c.Use]; known {
			names[c.ID] = entry.Constants
		}
	}
	return names
}

// named are the ids of the methods that a claim cannot do without.
func named(c configs.Claim) []string {
	if ids := c.Compared(); ids != nil {
		return ids
	}
	_, kind := c.Kind()
	return kind.Picked().Where["method"]
}
