package configs

import (
	"maps"
	"slices"
)

// SizesAt is the n, m, d and ell of a method at a grid point: the point's own,
// or the method's override, whose expression sees the grid's values of all
// variables (not other overrides) and the dataset's constants. A size that
// neither gives is not in the map.
//
// An override that is not a whole number from 1 to 1e9 is an error with its
// place, the value and the point.
func (c Component) SizesAt(point, constants map[string]float64) (map[string]float64, error) {
	sizes := map[string]float64{}
	for _, name := range sizeNames {
		if x, ok := point[name]; ok {
			sizes[name] = x
		}
	}
	if len(c.Sizes) == 0 {
		return sizes, nil
	}
	env := environment(point, constants)
	var p Problems
	for name, v := range c.Sizes {
		x, err := v.Eval(env)
		if err != nil {
			p.Add(err)
			continue
		}
		x = nearWhole(name, x)
		if !isSize(x) {
			p.Add(Errorf(v.Pos, "%s: %s = %s is %s at %s; %s", c, name, v.Text, FormatNumber(x),
				formatPoint(slices.Sorted(maps.Keys(point)), point), sizeAdvice(x)))
		}
		sizes[name] = x
	}
	return sizes, p.Err()
}

// environment is the constants, overlaid by the point.
func environment(point, constants map[string]float64) map[string]float64 {
	env := make(map[string]float64, len(point)+len(constants))
	maps.Copy(env, constants)
	maps.Copy(env, point)
	return env
}
