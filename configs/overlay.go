package configs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Overlays is the `profiles` of a spec, written as a mapping from the name of a
// run profile to what it changes.
type Overlays []Overlay

// Changes are parameters of components, written as a mapping from id to the keys
// that change.
type Changes []Change

// Change is what changes in the component of an id.
type Change struct {
	ID     Word
	Params Params // replace those of the same keys, or are added
}

// Overlay is what a run profile changes in a spec. Of each list it keeps the ids
// given; nil keeps all.
type Overlay struct {
	Profile    string       `yaml:"-"` // name of the run profile: smoke, ci, paper, timing
	Parameters Changes      `yaml:"parameters" doc:"Parameters of datasets, by id: each key given replaces that of the dataset, with all that is in it."`
	Repeats    Located[int] `yaml:"repeats" min:"1" max:"1000000" doc:"Seeded draws of each cell."` // 0: as in the spec
	Grid       Variables    `yaml:"grid" doc:"Variables that replace those of the same name."`
	Measure    Words        `yaml:"measure" minlen:"1" unique:"true" item:"measure" doc:"Replaces the error measures."`
	Datasets   Words        `yaml:"datasets" minlen:"1" unique:"true" doc:"Ids of the datasets that are kept."`
	Methods    Words        `yaml:"methods" minlen:"1" unique:"true" doc:"Ids of the methods that are kept."`
	Claims     Words        `yaml:"claims" unique:"true" doc:"Ids of the claims that are kept; an empty list leaves all of them out."`
	Plots      Words        `yaml:"plots" unique:"true" doc:"Ids of the plots that are kept; an empty list leaves all of them out."`
	Budgets    Words        `yaml:"budgets" unique:"true" doc:"Ids of the budgets that are kept; an empty list leaves all of them out."`
	Pos        Pos          `yaml:"-"`
}

// decodeNode reads `profiles`: a mapping from profile name to overlay.
func (o *Overlays) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from profile name to changes") {
		return
	}
	for key, value := range pairs(n) {
		overlay := Overlay{Profile: key.Value}
		if !slices.Contains(ProfileNames(), key.Value) {
			d.add(key, "%s", Unknown("profile", key.Value, "", ProfileNames()))
		}
		d.decode(value, reflect.ValueOf(&overlay).Elem(), place{label: "profile " + quote(key.Value)})
		overlay.Pos = d.pos(key)
		*o = append(*o, overlay)
	}
}

// fixedKeys are those of a data set that no profile changes.
var fixedKeys = []string{"id", "use", "optional"}

// decodeNode reads the components that an overlay changes.
func (cs *Changes) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from id to the keys that change") {
		return
	}
	*cs = Changes{}
	for id, keys := range pairs(n) {
		inner := at.under(id.Value, "")
		if !d.isMapping(keys, inner, "a mapping of keys to their new values") {
			continue
		}
		if len(keys.Content) == 0 {
			d.add(keys, "%s changes nothing; give a key with its new value", inner.label)
		}
		for key := range pairs(keys) {
			if slices.Contains(fixedKeys, key.Value) {
				d.add(key, "%q cannot be changed by a profile; the data set stays what it is, and its parameters change", key.Value)
			}
		}
		*cs = append(*cs, Change{Word{id.Value, d.pos(id)}, Params{owner: inner.label, pos: d.pos(keys), pairs: keys.Content}})
	}
}

func (*Changes) schema(*schemaBuilder, reflect.StructTag) *JSONSchema {
	fixed := &JSONSchema{Enum: fixedKeys}
	keys := &JSONSchema{Type: "object", MinProperties: 1, PropertyNames: &JSONSchema{Not: fixed}}
	return &JSONSchema{Type: "object", PropertyNames: &JSONSchema{Pattern: idPattern.String()}, Additional: keys}
}

func (*Overlays) schema(b *schemaBuilder, _ reflect.StructTag) *JSONSchema {
	s := &JSONSchema{Type: "object", Additional: false}
	for _, name := range ProfileNames() {
		s.Properties.Set(name, b.object(reflect.TypeFor[Overlay](), reflect.Value{}))
	}
	return s
}

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
		out.Repeats.Value = min(out.Repeats.Value, profile.MaxRepeats)
	}
	return out, err
}

// under is a copy of the spec with the changes of an overlay.
func (s *Spec) under(o Overlay) (*Spec, error) {
	out := *s
	if o.Repeats.Value > 0 {
		out.Repeats = o.Repeats
	}
	if o.Measure != nil {
		out.Measure = o.Measure
	}
	out.Datasets, out.Methods = kept(s.Datasets, o.Datasets), kept(s.Methods, o.Methods)
	out.Claims, out.Plots, out.Budgets = kept(s.Claims, o.Claims), kept(s.Plots, o.Plots), kept(s.Budgets, o.Budgets)
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

// with is a copy of the grid with variables in the place of those of their names.
func (g Grid) with(variables Variables) Grid {
	replaced := func(list Variables) Variables {
		list = slices.Clone(list)
		for i := range list {
			for _, v := range variables {
				if list[i].Name == v.Name {
					list[i] = v
				}
			}
		}
		return list
	}
	g.Vars, g.Zip = replaced(g.Vars), slices.Clone(g.Zip)
	for i, group := range g.Zip {
		g.Zip[i] = replaced(group)
	}
	return g
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
	c.lookupAll("dataset", o.Datasets, where, c.datasets)
	c.lookupAll("method", o.Methods, where, c.methods)
	c.lookupAll("claim", o.Claims, where, c.claims)
	c.lookupAll("plot", o.Plots, where, c.plots)
	c.lookupAll("budget", o.Budgets, where, c.budgets)
	out, err := s.under(o)
	if err != nil {
		c.problems.Add(err)
		return
	}
	checkKept(c, o, "claim", out.Claims)
	checkKept(c, o, "plot", out.Plots)
	checkKept(c, o, "budget", out.Budgets)
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
