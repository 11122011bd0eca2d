package configs

import (
	"maps"
	"slices"

	"mercer/internal/sizes"
)

// SizeRule gives the sizes of a method at points of a grid.
type SizeRule struct {
	component Component
	overrides map[string]*Expression // nil for a plain number
}

// SizeRule compiles the sizes that a method sets itself; names are the grid's
// variables and the constants of the data set.
func (c Component) SizeRule(names []string) (*SizeRule, error) {
	r := &SizeRule{component: c, overrides: map[string]*Expression{}}
	var p Problems
	for name, v := range c.Sizes {
		if _, plain := v.Number(); plain {
			r.overrides[name] = nil
			continue
		}
		compiled, err := Compile(v, names)
		p.Add(err)
		r.overrides[name] = compiled
	}
	return r, p.Err()
}

// At are the sizes of the method at a grid point: the point's own, or
// the method's override, whose expression sees the grid's values of all variables
// (not other overrides) and the data set's constants. A size that neither gives is 0.
//
// An override that is not a whole number from 1 to 1e9 is an error with its
// place, the value and the point.
func (r *SizeRule) At(point, constants map[string]float64) (at sizes.Sizes, err error) {
	for _, name := range sizes.Names {
		if x, ok := point[name]; ok {
			at.Set(name, int(x))
		}
	}
	if len(r.overrides) == 0 {
		return at, nil
	}
	env := environment(point, constants)
	var p Problems
	for name, override := range r.overrides {
		v := r.component.Sizes[name]
		x, plain := v.Number()
		if !plain {
			var err error
			if x, err = override.Eval(env); err != nil {
				p.Add(err)
				continue
			}
		}
		x = nearWhole(name, x)
		if !isSize(x) {
			p.Add(Errorf(v.Pos, "%s: %s = %s is %s at %s; %s", r.component, name, v.Text, FormatNumber(x),
				formatPoint(slices.Sorted(maps.Keys(point)), point), sizeAdvice(x)))
			continue
		}
		at.Set(name, int(x))
	}
	return at, p.Err()
}

// environment is the constants, overlaid by the point.
func environment(point, constants map[string]float64) map[string]float64 {
	env := make(map[string]float64, len(point)+len(constants))
	maps.Copy(env, constants)
	maps.Copy(env, point)
	return env
}
