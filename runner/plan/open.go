package plan

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"mercer/configs"
	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/lists"
	"mercer/internal/metrics"
	"mercer/methods"
	"mercer/methods/exec"
	"mercer/results"
)

// opener makes a plan: it opens what the spec names, each distinct set of parameters once, and
// lists the cells.
type opener struct {
	*Plan
	ctx context.Context
	log io.Writer // of downloads; nil where nothing is read: validate

	methods  map[string]*Method       // by id and the values that its parameters use
	groups   map[groupID]*Group       // those without a kernel too
	used     map[results.Key][]string // columns, by data set, kernel and method
	badSizes map[string]bool          // methods with a size that is none
	partial  bool                     // points of the grid are left out, at which a data set is wrong
}

// dataset opens a data set of the spec at each set of values of the variables that its
// parameters use, and lists the points of the grid with the opened data set of each, beside an
// error those at which nothing is wrong.
func (o *opener) dataset(c configs.Component) (points *configs.Points, at []*Dataset, err error) {
	uses := o.usesOf[id(c)]
	var opened []*Dataset
	points, err = o.Spec.Grid.PointsOf(uses, func(env configs.Env) (map[string]float64, error) {
		d, err := o.open(c, env)
		if err != nil {
			return nil, err
		}
		opened = append(opened, d)
		return d.constants, nil
	})
	if points == nil {
		return nil, nil, err
	}

	for i := range points.Len() {
		at = append(at, opened[points.Set(i)])
	}
	return points, at, err
}

// keyAt is the key of some names at a point, without those that have no value there.
func keyAt(names []string, env configs.Env) results.Key {
	return results.NewKey(names, lists.Map(names, func(name string) results.Value { return env[name] }))
}

// open opens a data set with its parameters at some values of variables.
func (o *opener) open(c configs.Component, env configs.Env) (*Dataset, error) {
	options := data.Registry[c.Use.Value].New()
	params, err := c.Params.Bind(options, env)
	if err == nil {
		err = params.Wrong(options.Validate())
	}
	found := false
	if err == nil {
		found, err = o.find(c, options)
	}
	if err != nil {
		return nil, err
	}

	d := &Dataset{ID: c.ID, Params: params.Canonical(), Fixed: keyAt(slices.Sorted(maps.Keys(env)), env), options: options}
	if found {
		d.Params = string(jsonOf(options))
	}
	if _, reads := options.(data.Reader); reads && o.log == nil {
		d.Dataset, d.constants = unread{counts: options.Traits().Counts, kernel: options.Traits().Kernel}, map[string]float64{}
		return d, nil
	}
	d.Dataset, err = options.Open(data.Context{
		Context: o.ctx, Dir: o.Input.Dir, Log: o.log, Streams: FixedStreams(o.Spec.Seed, c.ID), Memory: o.Input.Memory,
	})
	if err == nil {
		err = o.checkData(c, d.Dataset)
	}
	if err == nil {
		err = d.addConstants(o.Resolved)
	}
	if err != nil {
		return nil, err // as it is: of data that are absent it says so, and whoever expands gives it its place
	}
	return d, nil
}

// addConstants finds the constants of a data set that expressions may use. The median and
// the root mean square of the distances between points are found only where the spec names
// them: that reads points.
func (d *Dataset) addConstants(r *Resolved) (err error) {
	d.constants = maps.Clone(d.Dataset.Constants())
	if d.Dataset.Kernel() != nil || d.Distances() == nil {
		return nil
	}
	for name, find := range map[string]func() (float64, error){
		"median": func() (float64, error) { return d.Distances().Quantile(0.5) },
		"rms":    d.Distances().RMS,
	} {
		if !r.names(name) {
			continue
		}
		if d.constants[name], err = find(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// kernel is a kernel of the spec on a data set, or that data set's own, where names have the
// values of env.
func (o *opener) kernel(d *Dataset, c configs.Component, env configs.Env) (kernel.Kernel, error) {
	if own := d.Dataset.Kernel(); own != nil {
		return own, nil
	}
	options := kernel.Registry[c.Use.Value].New()
	params, err := c.Params.Bind(options, env)
	if err == nil {
		_, err = o.find(c, options)
	}
	if err == nil {
		k, wrong := options.Build(d.Distances())
		if wrong == nil {
			return k, nil
		}
		err = wrong
		if _, own := options.Build(anyDistances{}); own != nil {
			err = params.Wrong(err)
		} else { // it is wrong on this data set alone
			err = configs.Errorf(c.Pos, "kernel %q on dataset %q: %v", c.ID, d.ID, err)
		}
	}
	return nil, err
}

// method is a method of the spec where names have the values of env. A wrong one is an error
// once, and has no Estimator.
func (o *opener) method(c configs.Component, env configs.Env) (*Method, error) {
	if !o.varies(c) {
		return o.Methods[c.ID], nil
	}
	place := c.ID + " " + keyAt(o.usesOf[id(c)], env).String()
	if m := o.methods[place]; m != nil {
		return m, nil
	}
	entry := methods.Registry[c.Use.Value]
	m := &Method{ID: c.ID, Use: c.Use.Value, Options: entry.New(), Names: o.usesOf[id(c)]}
	params, err := c.Params.Bind(m.Options, env)
	if err == nil {
		err = m.make(params)
	}
	m.describe(entry)
	m.Params = params.Canonical()
	o.methods[place] = m
	if err == nil {
		err = o.findMethod(c, m)
	}
	return m, err
}

// find has a component find its programs and files beside the spec, if it names any.
func (o *opener) find(c configs.Component, options any) (found bool, err error) {
	if found, err = exec.FindAll(o.Input.Dir, options, o.Programs); err != nil {
		err = configs.Errorf(c.Params.Pos("command"), "%s: %v", c, err)
	}
	return found, err
}

// findMethod is find, and what is found takes the place of the parameters in keys.
func (o *opener) findMethod(c configs.Component, m *Method) error {
	found, err := o.find(c, m.Options)
	if found {
		m.Params = string(jsonOf(m.Options))
	}
	return err
}

// findNamed has measures, and those methods whose parameters use no variables, find what they
// need.
func (o *opener) findNamed() error {
	var problems configs.Problems
	for _, c := range o.Spec.Methods {
		if m := o.Methods[c.ID]; m != nil && !o.varies(c) {
			problems.Add(o.findMethod(c, m))
		}
	}
	for _, c := range o.Spec.Measure.Own {
		_, err := o.find(c, o.Own[c.ID])
		problems.Add(err)
	}
	return problems.Err()
}

// leaveOut plans, in place of the cells of a data set that is absent, one skipped row for
// each kernel, method and repeat: its grid may depend on constants that are not known.
func (o *opener) leaveOut(c configs.Component, why error) {
	o.Absent[c.ID] = why
	o.note("dataset %q is skipped: %v", c.ID, why)
	for _, kernelID := range configs.IDs(o.Spec.Kernels) {
		g := &Group{Dataset: &Dataset{ID: c.ID, Params: c.Params.Canonical()}, KernelID: kernelID}
		for _, m := range o.Spec.Methods {
			at := place(c.ID, kernelID, m.ID)
			g.Fits = append(g.Fits, &Fit{Method: o.Methods[m.ID], Skip: fmt.Errorf("data: %w", why), Cells: []*Cell{{At: at, Due: o.Spec.Repeats.Value}}})
		}
		o.Groups = append(o.Groups, g)
	}
}

// place is the key of a data set, kernel and method.
func place(dataset, kernelID, method string) results.Key {
	return results.NewKey([]string{"dataset", "kernel", "method"}, []results.Value{configs.TextOf(dataset), configs.TextOf(kernelID), configs.TextOf(method)})
}

// checkData refuses a data set that the spec's measures cannot be taken on.
func (p *Plan) checkData(c configs.Component, dataset data.Dataset) error {
	if p.needs(metrics.NeedsPopulation) {
		if err := data.CheckOperators(dataset.Support().Points); err != nil {
			return err
		}
	}
	if split, ok := dataset.(data.Split); ok && split.Repeats > 0 && p.Spec.Repeats.Value > split.Repeats {
		return configs.Errorf(c.Pos, "dataset %q has splits for %d repeats, one a column of its mask, and the spec has %d: lower repeats, or take another split, such as {test: 0.1}", c.ID, split.Repeats, p.Spec.Repeats.Value)
	}
	if _, known := dataset.Constants()["classes"]; !known && p.needs(metrics.NeedsClasses) {
		return configs.Errorf(c.Pos, "dataset %q has no classes, and a measure of this spec needs them: name its label column or file (label:)", c.ID)
	}
	return nil
}

// failedRead turns a panic about a file that points are read from into that error.
func failedRead(err *error) {
	if v := recover(); v != nil {
		failure, ok := v.(*data.ReadError)
		if !ok {
			panic(v)
		}
		*err = failure
	}
}

// Unchanged returns an error if a data file has changed since the plan was made: the ids
// of rows then no longer describe their data.
func (p *Plan) Unchanged() error {
	for _, d := range lists.Once(lists.Map(p.Groups, func(g *Group) *Dataset { return g.Dataset })) {
		if d.Dataset == nil {
			continue // it is absent
		}
		if err := d.Dataset.Unchanged(); err != nil {
			return fmt.Errorf("data set %q: %w", d.ID, err)
		}
	}
	return nil
}

// hasPoint keeps of the variables in common those that have their one number at a point too.
func (d *Dataset) hasPoint(point configs.Env) {
	if d.common == nil {
		d.common = map[string]float64{}
		for name, v := range point {
			if v.Kind == configs.Number {
				d.common[name] = v.Number
			}
		}
	}
	maps.DeleteFunc(d.common, func(name string, x float64) bool { return point[name].Number != x })
}

// Constants are those of the data set that expressions may use.
func (d *Dataset) Constants() map[string]float64 { return d.constants }
