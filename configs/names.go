package configs

import (
	"fmt"
	"maps"
	"slices"
)

// CheckNames compiles every expression of the spec (grid, skip, size overrides,
// targets of claims, curves and marks of plots, grids of profiles) for each dataset, whose
// id maps to the names of its constants, so that a misspelt name is found before
// a run. An expression that fails for several datasets is reported once, for the
// first of the spec's order.
func (s *Spec) CheckNames(constants map[string][]string) error {
	c := nameCheck{reported: map[Value]bool{}}
	for _, dataset := range s.Datasets {
		own, ok := constants[dataset.ID]
		if !ok {
			continue
		}
		c.dataset, c.names = dataset.ID, union(s.Grid.Names(), own)
		for _, v := range s.Grid.all() {
			c.all(v.Values, Compile)
		}
		c.all(s.Grid.Skip, CompileBool)
		for _, m := range s.Methods {
			c.all(slices.Collect(maps.Values(m.Sizes)), Compile)
		}
		for _, claim := range s.Claims {
			_, kind := claim.Kind()
			if only := kind.Picked().Where["dataset"]; only == nil || slices.Contains(only, dataset.ID) {
				c.all(kind.values(), Compile)
			}
		}
		for _, plot := range s.Plots {
			if only := plot.Where["dataset"]; only == nil || slices.Contains(only, dataset.ID) {
				withSizes := func(v Value, names []string) (*Expression, error) {
					return Compile(v, union(names, s.axes())) // a line has the sizes that its method sets
				}
				for _, curve := range plot.Theory {
					if own := curve.Where["dataset"]; own == nil || slices.Contains(own, dataset.ID) {
						c.all([]Value{curve.Curve}, withSizes)
					}
				}
				for _, mark := range plot.Marks {
					if own := mark.Where["dataset"]; own == nil || slices.Contains(own, dataset.ID) {
						c.all(mark.values(), withSizes)
					}
				}
			}
		}
		for _, overlay := range s.Profiles {
			for _, v := range overlay.Grid {
				c.all(v.Values, Compile)
			}
		}
	}
	return c.problems.Err()
}

// nameCheck compiles values against the names of one dataset after the other.
type nameCheck struct {
	dataset  string
	names    []string
	reported map[Value]bool
	problems Problems
}

func (c *nameCheck) all(values []Value, compile func(Value, []string) (*Expression, error)) {
	for _, v := range values {
		if _, plain := v.Number(); plain || c.reported[v] {
			continue
		}
		if _, err := compile(v, c.names); err != nil {
			c.reported[v] = true
			var p Problems
			p.Add(err)
			for _, one := range p {
				one.Msg += fmt.Sprintf(" (for dataset %q)", c.dataset)
				c.problems = append(c.problems, one)
			}
		}
	}
}

// ForeignNames are the names that the grid and the sizes of methods use beside the
// grid's own variables: constants of data sets.
func (s *Spec) ForeignNames() []string {
	values := slices.Clone(s.Grid.Skip)
	for _, v := range s.Grid.all() {
		values = append(values, v.Values...)
	}
	for _, m := range s.Methods {
		values = slices.AppendSeq(values, maps.Values(m.Sizes))
	}
	var names []string
	for _, v := range values {
		if _, plain := v.Number(); !plain {
			names = union(names, Names(v))
		}
	}
	own := s.Grid.Names()
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
}
