package configs

import (
	"fmt"
	"maps"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/sizes"
)

// axes are the numeric columns by which records can be picked and split: grid
// variables and the sizes that methods set.
func (s *Spec) axes() []string {
	names := s.Grid.Names()
	for _, size := range sizes.Names {
		set := func(c Component) bool { _, ok := c.Sizes[size]; return ok }
		if !slices.Contains(names, size) && slices.ContainsFunc(s.Methods, set) {
			names = append(names, size)
		}
	}
	return names
}

// Constants are the values of a numeric variable in rising order, each once; false where the
// grid has no such variable, or one of its values depends on another variable or on a
// dataset.
func (g Grid) Constants(variable string) ([]float64, bool) {
	v, _ := g.Variable(variable)
	return constants(variable, v.expressions())
}

func constants(column string, values []Value) ([]float64, bool) {
	numbers := make([]float64, len(values))
	for i, v := range values {
		x, err := v.Eval(nil)
		if err != nil {
			return nil, false
		}
		if numbers[i] = x; sizes.Is(column) {
			numbers[i] = nearWhole(x)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), len(numbers) > 0
}

// numbers are the values that each numeric column has in the grid, in the grids of the
// profiles or as a size that a method sets; nil where not all are known.
func (s *Spec) numbers() map[string][]float64 {
	numbers := map[string][]float64{}
	for _, column := range s.axes() {
		var values []Value
		for _, grid := range append([]Variables{s.Grid.all()}, lists.Map(s.Profiles, func(o Overlay) Variables { return o.Grid })...) {
			for _, v := range grid {
				if v.Name == column {
					values = append(values, v.expressions()...)
				}
			}
		}
		for _, m := range s.Methods {
			if size, sets := m.Sizes[column]; sets {
				values = append(values, size)
			}
		}
		numbers[column], _ = constants(column, values)
	}
	return numbers
}

// CheckNames looks up the names in every expression of the spec (grid, skip, size
// overrides, targets of claims, curves and marks of plots, grids of profiles) for each
// dataset, whose id maps to the names of its constants, so that a misspelt name is
// found before a run. An expression that fails for several datasets is reported once,
// for the first of the spec's order.
func (s *Spec) CheckNames(constants map[string][]string) error {
	var problems Problems
	reported := map[Value]bool{}
	for _, dataset := range s.Datasets {
		own, ok := constants[dataset.ID]
		if !ok {
			continue
		}
		known := union(s.Grid.Names(), own)
		check := func(known []string, values []Value) {
			for _, v := range values {
				var p Problems
				if !reported[v] {
					p.Add(v.Check(known))
				}
				for _, one := range p {
					reported[v] = true
					one.Msg += fmt.Sprintf(" (for dataset %q)", dataset.ID)
					problems = append(problems, one)
				}
			}
		}
		check(known, s.values(dataset.ID))
		check(union(known, s.axes()), s.drawn(dataset.ID)) // a line has the sizes that its method sets
	}
	return problems.Err()
}

// values are those of the spec that are evaluated over the grid for a dataset.
func (s *Spec) values(dataset string) []Value {
	all := s.sizing()
	for _, claim := range s.Statements() {
		if _, kind := claim.Kind(); kind.Picked().Where.about(dataset) {
			all = append(all, kind.values()...)
		}
	}
	for _, target := range s.Targets {
		_, kind := target.Claim().Kind()
		all = append(all, append(given(target.Theory), kind.values()...)...)
	}
	for _, overlay := range s.Profiles {
		for _, v := range overlay.Grid {
			all = append(all, v.Values...)
		}
	}
	return all
}

// drawn are the values of the plots' curves and marks for a dataset.
func (s *Spec) drawn(dataset string) []Value {
	var all []Value
	for _, plot := range s.Plots {
		for _, curve := range plot.Theory {
			if plot.Where.about(dataset) && curve.Where.about(dataset) {
				all = append(all, curve.Curve)
			}
		}
		for _, mark := range plot.Marks {
			if plot.Where.about(dataset) && mark.Where.about(dataset) {
				all = append(all, given(mark.X, mark.Y)...)
			}
		}
	}
	return all
}

// sizing are the values of the grid and of the sizes of methods.
func (s *Spec) sizing() []Value {
	all := s.Grid.expressions()
	for _, m := range s.Methods {
		all = slices.AppendSeq(all, maps.Values(m.Sizes))
	}
	return all
}

// ForeignNames are the names that the grid and the sizes of methods use beside the
// grid's own variables: constants of data sets.
func (s *Spec) ForeignNames() []string {
	var names []string
	for _, v := range s.sizing() {
		names = union(names, v.Names())
	}
	own := s.Grid.Names()
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(own, name) })
}

// Columns are the columns of the table beside dataset, kernel, method and repeat: grid
// variables, then sizes that methods set and the grid has not.
func (s *Spec) Columns() []string { return s.axes() }
