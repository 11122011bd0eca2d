package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"mercer/configs"
	"mercer/internal/sizes"
	"mercer/methods"
	"mercer/results"
)

// expand lists the cells of one data set of the spec: for each kernel and method one at each
// different set of values that the three use, e.g. ekpca has one cell for each n, and not
// one for each m beside it.
func (o *opener) expand(c configs.Component) error {
	points, at, wrong := o.dataset(c)
	if points.Len() == 0 {
		return wrong
	}
	o.partial = o.partial || wrong != nil
	most := float64(points.Len()) * float64(len(o.Spec.Methods)) * float64(max(1, len(o.Spec.Kernels)))
	if err := o.Spec.CheckRecords(most); err != nil {
		return err
	}

	var problems configs.Problems
	problems.Add(wrong)
	first := len(o.Groups)
	for i, d := range at {
		if i%1024 == 0 && o.ctx.Err() != nil {
			return o.ctx.Err()
		}
		if problems.Add(o.point(d, c, points.At(i))); len(problems) > mostProblems {
			break
		}
	}
	for _, g := range o.Groups[first:] {
		o.shareEll(g)
		g.fits, g.known = nil, nil // for the listing alone
	}
	return problems.Err()
}

// mostProblems is how many problems a data set may have before its other points are not looked at.
const mostProblems = 1000

// point adds the cells at one point of the grid, where the data set c is opened as d. A size
// that is none is an error once.
func (o *opener) point(d *Dataset, c configs.Component, point configs.Env) error {
	d.hasPoint(point)
	env := point.With(configs.Numbers(d.constants))
	kernels := o.Spec.Kernels
	if d.Dataset.Kernel() != nil {
		kernels = []configs.Component{{ID: c.Use.Value}} // its own
	}

	var problems configs.Problems
	var groups []*Group
	for _, k := range kernels {
		g, err := o.group(d, k, env)
		if problems.Add(err); g.Kernel != nil {
			groups = append(groups, g)
		}
	}

	for _, c := range o.Spec.Methods {
		m, err := o.method(c, env)
		if problems.Add(err); o.badSizes[c.ID] {
			continue
		}
		s, err := c.SizesAt(point, d.constants)
		if err != nil {
			problems.Add(err)
			o.badSizes[c.ID] = true
			continue
		}
		for _, g := range groups {
			o.add(g, m, s, o.columns(g, m, c, s, point))
		}
	}
	return problems.Err()
}

// groupID tells the groups of a plan apart: by the opened data set, the kernel of the spec, and
// the values that its parameters use.
type groupID struct {
	dataset *Dataset
	kernel  string
	at      results.Key
}

// group is the group of a data set under a kernel where names have the values of env. A wrong
// kernel is an error once.
func (o *opener) group(d *Dataset, c configs.Component, env configs.Env) (*Group, error) {
	names := o.usesOf[id(c)]
	at := groupID{d, c.ID, keyAt(names, env)}
	if g := o.groups[at]; g != nil {
		return g, nil
	}
	g := &Group{Dataset: d, KernelID: c.ID, kernelNames: names, fits: map[fitID]*Fit{}, known: map[results.Key]bool{}}
	o.groups[at] = g

	var err error
	if g.Kernel, err = o.kernel(d, c, env); g.Kernel != nil {
		o.Groups = append(o.Groups, g)
	}
	return g, err
}

// fitID tells the fits of a group apart.
type fitID struct {
	method *Method
	sizes  methods.Sizes
	at     results.Key // of the one cell of a fit that is not shared
}

// add adds a cell to the fit of a group that computes it, unless the group has it.
func (o *opener) add(g *Group, m *Method, s methods.Sizes, at results.Key) {
	if g.known[at] {
		return
	}
	g.known[at] = true
	id := fitID{method: m, sizes: sharedSizes(m, s)}
	skip := o.check(g, m, s)
	if o.Timed || skip != nil {
		id = fitID{m, s, at} // alone
	}
	f := g.fits[id]
	if f == nil {
		f = &Fit{Method: m, Sizes: s, Skip: skip}
		g.fits[id], g.Fits = f, append(g.Fits, f)
	}
	f.Sizes.Ell = max(f.Sizes.Ell, s.Ell)
	f.Cells = append(f.Cells, &Cell{At: at, Sizes: s, Due: o.Spec.Repeats.Value})
}

// columns is the key of a cell: dataset, kernel and method, then every variable that one of
// them uses, itself or through an expression, in the order of the grid. A size has the value
// that the method uses.
func (o *opener) columns(g *Group, m *Method, c configs.Component, s methods.Sizes, point configs.Env) results.Key {
	id := place(g.Dataset.ID, g.KernelID, m.ID)
	used, known := o.used[id]
	if !known {
		names := slices.Concat(g.Dataset.Fixed.Names(), g.kernelNames, m.Names, m.Uses)
		for size, v := range c.Sizes {
			if slices.Contains(m.Uses, size) {
				names = append(names, v.Names()...)
			}
		}
		used = o.closure(names)
		o.used[id] = used
	}

	names := append([]string{"dataset", "kernel", "method"}, used...)
	values := []results.Value{configs.TextOf(g.Dataset.ID), configs.TextOf(g.KernelID), configs.TextOf(m.ID)}
	for _, name := range used {
		v := point[name]
		if sizes.Is(name) && slices.Contains(m.Uses, name) {
			v = results.Value{}
			if size := s.Get(name); size > 0 {
				v = configs.NumberOf(float64(size))
			}
		}
		values = append(values, v)
	}
	return results.NewKey(names, values)
}

// closure are the columns among names, with all variables that their values depend on, in the order
// of the table's columns.
func (r *Resolved) closure(names []string) []string {
	grid := r.Spec.Grid
	found := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if found[name] {
			return
		}
		v, ok := grid.Variable(name)
		if !ok {
			if sizes.Is(name) {
				found[name] = true
			}
			return
		}
		found[name] = true
		for _, value := range v.Values {
			for _, other := range value.Names() {
				visit(other)
			}
		}
	}
	for _, name := range names {
		visit(name)
	}
	return slices.DeleteFunc(r.Spec.Columns(), func(name string) bool { return !found[name] })
}

// sharedSizes are the sizes that a fit depends on, but for ell, which one fit serves at any
// value unless the method says otherwise.
func sharedSizes(m *Method, s methods.Sizes) methods.Sizes {
	shared := s.Only(m.Uses...)
	shared.Ell = 0
	if m.PerEll {
		shared.Ell = s.Ell
	}
	return shared
}

// mostPoints is how many points a sample may have that is no sample of counts.
const mostPoints = 1_000_000_000

// check says why a method cannot be run in a group at some sizes.
func (o *opener) check(g *Group, m *Method, s methods.Sizes) error {
	if s.N < 1 && slices.Contains(m.Uses, "n") {
		return errors.New("the grid gives no n")
	}
	if s.Ell < 1 && slices.Contains(m.Uses, "ell") {
		return errors.New("the grid gives no ell")
	}
	counts := g.Dataset.Support().Atoms > 0
	if slices.Contains(m.Uses, "n") && !counts {
		if limit, ok := g.Dataset.constants["N"]; ok && float64(s.N) > limit {
			return fmt.Errorf("n = %d points of a data set of %v", s.N, limit)
		}
		if s.N > mostPoints {
			return fmt.Errorf("n = %d points, more than %d; only samples of counts may be larger: use: atoms, or sample: with_replacement", s.N, mostPoints)
		}
	}
	if counts && m.NoCounts != "" {
		return fmt.Errorf("the samples of dataset %q are counts: %s", g.Dataset.ID, m.NoCounts)
	}
	if m.Estimator == nil {
		return nil // its parameters are wrong
	}
	return m.Estimator.Check(g.Kernel, g.distinct(m, s))
}

// distinct are the sizes that the cost and the limits of a fit depend on: of samples of
// counts no more rows than there are atoms.
func (g *Group) distinct(m *Method, s methods.Sizes) methods.Sizes {
	if atoms := g.Dataset.Support().Atoms; atoms > 0 {
		return m.AtAtoms(s, atoms)
	}
	return s
}

// checkMethods refuses a method that no cell can run, where the plan has all data sets, and
// notes skipped cells.
func (o *opener) checkMethods(whole bool) error {
	var problems configs.Problems
	repeats := o.Spec.Repeats.Value
	for _, c := range o.Spec.Methods {
		run, skipped := 0, 0
		var reason error
		for _, g := range o.Groups {
			for _, f := range g.Fits {
				switch {
				case f.Method.ID != c.ID || o.Absent[g.Dataset.ID] != nil:
				case f.Skip == nil:
					run += len(f.Cells) * repeats
				default:
					skipped += len(f.Cells) * repeats
					reason = cmp.Or(reason, f.Skip)
				}
			}
		}
		switch {
		case run == 0 && skipped > 0 && whole:
			problems.Add(configs.Errorf(c.Pos, "method %q can be run at no point of the grid: %v", c.ID, reason))
		case skipped > 0:
			o.note("%d of %d rows are skipped of method %q: %v", skipped, run+skipped, c.ID, reason)
		}
	}
	return problems.Err()
}
