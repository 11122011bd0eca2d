package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/internal/sizes"
	"mercer/internal/theory"
	"mercer/methods"
)

// check finds what of the spec does not fit together: kernels and data, methods and
// responses, measures, labels, claims, plots, targets, theorems and names.
func (r *Resolved) check(problems *configs.Problems) {
	spec := r.Spec
	whole := len(r.Datasets) == len(spec.Datasets) && !spec.Incomplete["datasets"]
	if whole && !spec.Incomplete["kernels"] {
		problems.Add(r.checkKernels())
	}
	if whole {
		problems.Add(r.checkResponses())
	}
	everyMethod := len(r.Methods) == len(spec.Methods) && !spec.Incomplete["methods"]
	r.checkMeasures(whole && everyMethod, problems)
	if len(spec.Incomplete) == 0 {
		r.checkLabels(problems)
	}
	if !spec.Incomplete["measure"] && !spec.Incomplete["grid"] {
		r.checkAsks(problems)
		r.checkNames(problems)
		if everyMethod && problems.Err() == nil {
			r.checkTheorems(theory.Registry, problems)
		}
	}
	if !spec.Incomplete["grid"] {
		problems.Add(spec.CheckNames(constantNames(spec)))
	}
}

// checkKernels refuses data sets that no kernel applies to, and kernels that
// apply to no data set.
func (r *Resolved) checkKernels() error {
	if len(r.Spec.Kernels) > 0 {
		for _, c := range r.Spec.Datasets {
			if !data.Registry[c.Use.Value].Population {
				return nil
			}
		}
		return configs.Errorf(r.Spec.Kernels[0].Pos, "kernels apply to no data set: every data set of this spec is a population that brings its own kernel; remove the key kernels")
	}
	for _, c := range r.Spec.Datasets {
		if !data.Registry[c.Use.Value].Population {
			return configs.Errorf(c.Pos, "dataset %q needs a kernel: add the key kernels, such as `kernels: [{id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}]`", c.ID)
		}
	}
	return nil
}

// checkResponses refuses regression on data sets without responses.
func (r *Resolved) checkResponses() error {
	for _, m := range r.Spec.Methods {
		for _, d := range r.Spec.Datasets {
			if method := r.Methods[m.ID]; method != nil && method.Shape == methods.ShapeRegression && !predictable(r.Datasets[d.ID].Traits()) {
				return configs.Errorf(m.Pos, "method %q is a regression, and dataset %q has neither responses nor classes: name the column that is predicted (response: or label:), or take atoms or series, with such as response: {smoothness: 0.5, noise: 0.5}", m.ID, d.ID)
			}
		}
	}
	return nil
}

// predictable says that the points of a data set have something to be predicted.
func predictable(t data.Traits) bool { return t.Response || t.Responses || t.Classes }

// checkLabels refuses labels of what the spec does not have under any profile.
func (r *Resolved) checkLabels(problems *configs.Problems) {
	spec := r.Spec
	known := spec.Grid.Names()
	for _, components := range [][]configs.Component{spec.Datasets, spec.Kernels, spec.Methods} {
		for _, c := range components {
			known = append(known, c.ID)
		}
	}
	known = append(known, r.outputs()...)
	for _, target := range spec.Targets {
		known = append(known, target.ID)
	}
	for _, ids := range spec.LeftOut {
		known = append(known, ids...)
	}
	for name, label := range spec.Labels {
		if !slices.Contains(known, name) {
			problems.Add(configs.Errorf(label.Pos, "%s", configs.Unknown("name", name, "labels", known)))
		}
	}
}

// checkNames refuses targets that are called like a metric or a size, and grid variables like a
// metric: an expression over both could mean either.
func (r *Resolved) checkNames(problems *configs.Problems) {
	for _, target := range r.Spec.Targets {
		if r.measureOf(target.ID) != "" || sizes.Is(target.ID) {
			problems.Add(configs.Errorf(target.Pos, "target %q has the name of a metric or a size; give it another, by which claims can name it", target.ID))
		}
	}
	for _, v := range r.Spec.Grid.Variables {
		if slices.Contains(r.outputs(), v.Name) {
			problems.Add(configs.Errorf(v.Pos, "%q cannot name a grid variable here: it is a metric that this spec measures; choose another name", v.Name))
		}
	}
}

// checkMeasures refuses unknown measures and, where all methods and data sets are
// known, those that no cell could have.
func (r *Resolved) checkMeasures(whole bool, problems *configs.Problems) {
	for _, measure := range r.Spec.Measure.Words {
		name := measure.Value
		if _, ok := metrics.Registry[name]; !ok && r.Own[name] == nil {
			wrong := configs.Unknown("measure", name, "", metrics.Names())
			if whole := r.measureOf(name); whole != "" {
				wrong = fmt.Sprintf("%s is a metric of the measure %s: measure that", name, whole)
			}
			problems.Add(configs.Errorf(measure.Pos, "%s", wrong))
			continue
		}
		if !whole {
			continue
		}
		var reason error
		defined := slices.ContainsFunc(r.Spec.Methods, func(m configs.Component) bool {
			without, why := r.undefined(name, m)
			if reason == nil && why != nil {
				reason = fmt.Errorf("method %q on dataset %s: %w", m.ID, without[0], why)
			}
			return len(without) < len(r.Spec.Datasets)
		})
		if !defined {
			problems.Add(configs.Errorf(measure.Pos, "measure %q is defined for no method of this spec: %v", name, reason))
		}
	}
}

// undefined are the data sets on which a measure is not defined for a method, quoted, and why it
// is not on the first.
func (r *Resolved) undefined(measure string, m configs.Component) (without []string, why error) {
	if r.Own[measure] != nil {
		return nil, nil
	}
	for _, d := range r.Spec.Datasets {
		if err := metrics.Undefined(measure, r.Methods[m.ID].Traits, offer(r.Datasets[d.ID])); err != nil {
			without, why = append(without, strconv.Quote(d.ID)), cmp.Or(why, err)
		}
	}
	return without, why
}

// notes say what of the spec is in vain.
func (r *Resolved) notes() []string {
	warnings := lists.Map(r.Spec.Warnings, error.Error)
	slices.Sort(warnings)
	if repeats := r.Spec.Repeats; repeats.Adaptive() && len(r.Spec.Statements()) == 0 && len(r.Spec.Targets) == 0 {
		warnings = append(warnings, fmt.Sprintf("repeats are added until verdicts are decided, and nothing is claimed or sought here: the run ends with %d", repeats.From))
	}
	return slices.Concat(r.undefinedNotes(), warnings)
}

// undefinedNotes name the measures that are not taken of methods, or only on some data
// sets, because they are not defined there.
func (r *Resolved) undefinedNotes() (notes []string) {
	for _, name := range r.Spec.Measure.Texts() {
		for _, m := range r.Spec.Methods {
			if without, why := r.undefined(name, m); why != nil {
				notes = append(notes, fmt.Sprintf("measure %q is not taken of method %q on dataset %s: %v", name, m.ID, strings.Join(without, ", "), why))
			}
		}
	}
	return notes
}

func constantNames(spec *configs.Spec) map[string][]string {
	names := map[string][]string{}
	for _, c := range spec.Datasets {
		if entry, known := data.Registry[c.Use.Value]; known {
			names[c.ID] = constantsOf(entry)
		}
	}
	return names
}

// constantsOf are the constants that expressions may use of a data set: of points also the median
// and the root mean square of their distances.
func constantsOf(entry data.Entry) []string {
	if entry.Population {
		return entry.Constants
	}
	return append(slices.Clone(entry.Constants), "median", "rms")
}

// Taken are the measures of the spec that are defined for the method of a fit.
func (g *Group) Taken(r *Resolved, f *Fit) []string {
	return lists.Where(r.Spec.Measure.Texts(), func(name string) bool {
		return metrics.Undefined(name, f.Method.Traits, offer(g.Dataset.options)) == nil
	})
}

// measureOf is the measure that a metric is of, "" for none.
func (r *Resolved) measureOf(metric string) string {
	for id, own := range r.Own {
		if _, is := own.Outputs[metric]; is {
			return id
		}
	}
	return metrics.MeasureOf(metric)
}

// outputs are the metrics that the spec's measures yield.
func (r *Resolved) outputs() []string {
	var names []string
	for _, measure := range r.Spec.Measure.Texts() {
		names = append(names, metrics.Registry[measure].Metrics()...)
		if own := r.Own[measure]; own != nil {
			names = append(names, own.Metrics()...)
		}
	}
	slices.Sort(names)
	return names
}

// offer is what a data set has for measures.
func offer(o data.Options) metrics.Capabilities {
	traits := o.Traits()
	return metrics.Capabilities{Population: traits.Population, HeldOut: traits.HeldOut, Self: traits.Self, Response: traits.Response,
		Responses: traits.Responses, Classes: traits.Classes && !traits.Responses && !traits.Response}
}

// atPlace gives an error the place of its component, unless it has one.
func atPlace(c configs.Component, err error) error {
	if err == nil || configs.HasPlace(err) {
		return err
	}
	return configs.Errorf(c.Pos, "%s %q: %v", c.Kind, c.ID, err)
}
