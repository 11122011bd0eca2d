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
	var own Overlay
	for _, o := range s.Profiles {
		if o.Profile == name {
			own = o
		}
	}
	out, err := s.under(own)
	if err == nil && profile.MaxRepeats > 0 && own.Repeats.Value == 0 {
		out.Repeats = out.Repeats.UpTo(profile.MaxRepeats)
	}
	return out, err
}

// under is a copy of the spec with the changes of an overlay.
func (s *Spec) under(o Overlay) (*Spec, error) {
	out := *s
	out.Whole = s
	if o.Repeats.Value > 0 {
		out.Repeats = o.Repeats
	}
	if o.Measure != nil {
		out.Measure = o.Measure
	}
	out.Datasets, out.Methods = kept(s.Datasets, o.Datasets), kept(s.Methods, o.Methods)
	out.Claims, out.Plots, out.Budgets = kept(s.Claims, o.Claims), kept(s.Plots, o.Plots), kept(s.Budgets, o.Budgets)
	out.Checks = kept(s.Checks, o.Claims)
	out.Targets = kept(s.Targets, o.Targets)
	for i, c := range out.Datasets {
		for _, change := range o.Parameters {
			if c.ID == change.ID.Value {
				out.Datasets[i].Params = c.Params.With(change.Params)
			}
		}
	}
	out.Grid = s.Grid.with(o.Grid)
	for _, axis := range out.Grid.axes() {
		if v := axis.uneven(); v != nil {
			return nil, Errorf(v.Pos, "profile %q gives %q %d values, but it is zipped with %q, which has %d",
				o.Profile, v.Name, len(v.Values), axis[0].Name, len(axis[0].Values))
		}
	}
	if _, err := out.Grid.order(); err != nil {
		return nil, err
	}
	return &out, out.checkSize()
}

// kept are the entries with one of the ids; nil keeps all.
func kept[T interface{ id() string }](list []T, ids Words) []T {
	return slices.DeleteFunc(slices.Clone(list), func(one T) bool { return ids != nil && !slices.Contains(ids.Texts(), one.id()) })
}

// check reports names that the spec does not have, and claims, plots and budgets
// that are kept although a method they need, or all their data sets, are left out.
func (o Overlay) check(c *checker, s *Spec) {
	where := fmt.Sprintf("profile %q", o.Profile)
	for _, change := range o.Parameters {
		c.lookup("dataset", change.ID, where, c.datasets)
	}
	for _, v := range o.Grid {
		c.lookup("grid variable", Word{v.Name, v.Pos}, where, s.Grid.Names())
	}
	o.Repeats.check(c)
	c.lookupAll("dataset", o.Datasets, where, c.datasets)
	c.lookupAll("method", o.Methods, where, c.methods)
	c.lookupAll("claim", o.Claims, where, c.claims)
	c.lookupAll("plot", o.Plots, where, c.plots)
	c.lookupAll("budget", o.Budgets, where, c.budgets)
	c.lookupAll("target", o.Targets, where, c.targets)
	out, err := s.under(o)
	if err != nil {
		c.problems.Add(err)
		return
	}
	checkKept(c, o, "claim", out.Statements())
	checkTargetsKept(c, o, s, out)
	checkKept(c, o, "plot", out.Plots)
	for _, plot := range out.Plots {
		if id := plot.Claim.Value; o.Claims != nil && slices.Contains(c.claims, id) && !o.Claims.Has(id) {
			c.report(o.Pos, "profile %q keeps plot %q but not its claim %q; list the plots to keep under `plots`", o.Profile, plot.ID, id)
		}
	}
	checkKept(c, o, "budget", out.Budgets)
	checkKept(c, o, "target", out.Targets)
	if len(out.Targets) > 0 && len(s.Targets) > 0 && s.Repeats.Adaptive() && !out.Repeats.Adaptive() {
		c.report(o.Repeats.Pos, "profile %q has a fixed number of repeats, and the targets need {from: 8, to: 320, until: decided}; or leave them out by targets: []", o.Profile)
	}
}

// part is a claim, a plot or a budget.
type part interface {
	id() string
	where() Conditions
	methodIDs() Words
}

func checkKept[T part](c *checker, o Overlay, kind string, list []T) {
	for _, one := range list {
		missing := map[string]bool{}
		for _, id := range one.methodIDs().Texts() {
			if o.Methods != nil && slices.Contains(c.methods, id) && !o.Methods.Has(id) {
				missing[fmt.Sprintf("%q", id)] = true
			}
		}
		if len(missing) > 0 {
			c.report(o.Pos, "profile %q keeps %s %q but not its method %s; list the %ss to keep under `%ss`",
				o.Profile, kind, one.id(), strings.Join(slices.Sorted(maps.Keys(missing)), ", "), kind, kind)
		}
		needed := one.where()["dataset"].Value
		known := func(id string) bool { return slices.Contains(c.datasets, id) }
		if o.Datasets != nil && slices.ContainsFunc(needed, known) && !slices.ContainsFunc(o.Datasets.Texts(), func(id string) bool { return slices.Contains(needed, id) }) {
			c.report(o.Pos, "profile %q keeps %s %q but none of its datasets, %s; list the %ss to keep under `%ss`",
				o.Profile, kind, one.id(), strings.Join(needed, ", "), kind, kind)
		}
	}
}
