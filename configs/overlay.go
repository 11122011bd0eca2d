package configs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// WithProfile is a copy of the spec as a run profile sees it: the spec's own
// overlay of that name is applied, and where that says nothing of repeats they
// are capped by the profile's MaxRepeats. The name must be that of a run
// profile.
func (s *Spec) WithProfile(name string) (*Spec, error) {
	profile, err := LoadProfile(name)
	if err != nil {
		return nil, err
	}
	out := s.clone()
	i := slices.IndexFunc(s.Profiles, func(o Overlay) bool { return o.Profile == name })
	if i >= 0 {
		if err := out.apply(s.Profiles[i]); err != nil {
			return nil, err
		}
	}
	if profile.MaxRepeats > 0 && (i < 0 || s.Profiles[i].Repeats == 0) {
		out.Repeats = min(out.Repeats, profile.MaxRepeats)
	}
	return out, nil
}

// clone copies the lists that an overlay changes.
func (s *Spec) clone() *Spec {
	out := *s
	out.Datasets = slices.Clone(s.Datasets)
	out.Kernels = slices.Clone(s.Kernels)
	out.Methods = slices.Clone(s.Methods)
	out.Measure = slices.Clone(s.Measure)
	out.MeasurePos = slices.Clone(s.MeasurePos)
	out.Claims = slices.Clone(s.Claims)
	out.Plots = slices.Clone(s.Plots)
	out.Budgets = slices.Clone(s.Budgets)
	out.Grid.Vars = slices.Clone(s.Grid.Vars)
	out.Grid.Skip = slices.Clone(s.Grid.Skip)
	out.Grid.Zip = make([][]Variable, len(s.Grid.Zip))
	for i, group := range s.Grid.Zip {
		out.Grid.Zip[i] = slices.Clone(group)
	}
	return &out
}

func (s *Spec) apply(o Overlay) error {
	if o.Repeats > 0 {
		s.Repeats, s.RepeatsPos = o.Repeats, o.RepeatsPos
	}
	if o.Measure != nil {
		s.Measure, s.MeasurePos = slices.Clone(o.Measure), slices.Clone(o.MeasurePos)
	}
	if o.Datasets != nil {
		s.Datasets = slices.DeleteFunc(s.Datasets, func(c Component) bool { return !slices.Contains(o.Datasets, c.ID) })
	}
	if o.Methods != nil {
		s.Methods = slices.DeleteFunc(s.Methods, func(c Component) bool { return !slices.Contains(o.Methods, c.ID) })
	}
	if o.Claims != nil {
		s.Claims = slices.DeleteFunc(s.Claims, func(c Claim) bool { return !slices.Contains(o.Claims, c.ID) })
	}
	if o.Plots != nil {
		s.Plots = slices.DeleteFunc(s.Plots, func(p Plot) bool { return !slices.Contains(o.Plots, p.ID) })
	}
	if o.Budgets != nil {
		s.Budgets = slices.DeleteFunc(s.Budgets, func(b Budget) bool { return !slices.Contains(o.Budgets, b.ID) })
	}
	for _, change := range o.Parameters {
		for i, c := range s.Datasets {
			if c.ID == change.ID {
				s.Datasets[i].Params = c.Params.With(change.Params)
			}
		}
	}
	for _, v := range o.Grid {
		s.Grid.replace(v)
	}
	for _, axis := range s.Grid.axes() {
		for _, v := range axis {
			if len(v.Values) != len(axis[0].Values) {
				return Errorf(v.Pos, "profile %q gives %q %d values, but it is zipped with %q, which has %d",
					o.Profile, v.Name, len(v.Values), axis[0].Name, len(axis[0].Values))
			}
		}
	}
	if err := s.Grid.checkCycles(); err != nil {
		return err
	}
	return s.checkSize()
}

// replace puts a variable in the place of the one of its name.
func (g *Grid) replace(v Variable) {
	for _, list := range append([][]Variable{g.Vars}, g.Zip...) {
		for i := range list {
			if list[i].Name == v.Name {
				list[i] = v
			}
		}
	}
}

// checkOverlay reports names that the spec does not have, and claims, plots and
// budgets that are kept although a method they need is left out.
func (c *checker) checkOverlay(o Overlay) {
	where := fmt.Sprintf("profile %q", o.Profile)
	for _, change := range o.Parameters {
		c.lookup("dataset", change.ID, change.Pos, where, c.datasets)
	}
	for _, v := range o.Grid {
		c.lookup("grid variable", v.Name, v.Pos, where, c.spec.Grid.Names())
	}
	for i, id := range o.Datasets {
		c.lookup("dataset", id, o.DatasetsPos[i], where, c.datasets)
	}
	for i, id := range o.Methods {
		c.lookup("method", id, o.MethodsPos[i], where, c.methods)
	}
	for i, id := range o.Claims {
		c.lookup("claim", id, o.ClaimsPos[i], where, c.claims)
	}
	for i, id := range o.Plots {
		c.lookup("plot", id, o.PlotsPos[i], where, c.plots)
	}
	for i, id := range o.Budgets {
		c.lookup("budget", id, o.BudgetsPos[i], where, c.budgets)
	}
	out := c.spec.clone()
	if err := out.apply(o); err != nil {
		c.problems.Add(err)
		return
	}
	if o.Methods != nil && c.methods != nil {
		c.checkKept(out, o, where)
	}
	if o.Datasets != nil && c.datasets != nil {
		c.checkKeptData(out, o, where)
	}
}

// checkKeptData reports claims, plots and budgets of an overlaid spec that are
// about data sets which it left out, all of them.
func (c *checker) checkKeptData(out *Spec, o Overlay, where string) {
	check := func(kind, id string, needed []string) {
		known := func(id string) bool { return slices.Contains(c.datasets, id) }
		kept := func(id string) bool { return slices.Contains(o.Datasets, id) }
		if slices.ContainsFunc(needed, known) && !slices.ContainsFunc(needed, kept) {
			c.problems.Add(Errorf(o.Pos, "%s keeps %s %q but none of its datasets, %s; list the %ss to keep under `%ss`",
				where, kind, id, strings.Join(needed, ", "), kind, kind))
		}
	}
	for _, claim := range out.Claims {
		if _, kind := claim.Kind(); kind != nil {
			check("claim", claim.ID, kind.Picked().Where["dataset"])
		}
	}
	for _, plot := range out.Plots {
		check("plot", plot.ID, plot.Where["dataset"])
	}
	for _, budget := range out.Budgets {
		check("budget", budget.ID, budget.Where["dataset"])
	}
}

// checkKept reports claims, plots and budgets of an overlaid spec that need a method it
// left out.
func (c *checker) checkKept(out *Spec, o Overlay, where string) {
	kept := IDs(out.Methods)
	check := func(kind, id string, needed []placed) {
		missing := map[string]bool{}
		for _, id := range needed {
			if slices.Contains(c.methods, id.word) && !slices.Contains(kept, id.word) {
				missing[fmt.Sprintf("%q", id.word)] = true
			}
		}
		if len(missing) > 0 {
			c.problems.Add(Errorf(o.Pos, "%s keeps %s %q but not its method %s; list the %ss to keep under `%ss`",
				where, kind, id, strings.Join(slices.Sorted(maps.Keys(missing)), ", "), kind, kind))
		}
	}
	for _, claim := range out.Claims {
		check("claim", claim.ID, claim.methodIDs())
	}
	for _, plot := range out.Plots {
		check("plot", plot.ID, plot.methodIDs())
	}
	for _, budget := range out.Budgets {
		check("budget", budget.ID, budget.methodIDs())
	}
}
