package configs

import (
	"math"
	"reflect"

	"gopkg.in/yaml.v3"

	"mercer/internal/sizes"
)

// maxSize is the largest n, m, d or ell that is taken for honest.
const maxSize = 1e9

// size decodes a value of a grid variable or a size. A plain number that cannot be a
// size is refused; expressions are checked at each grid point.
func (d *decoder) size(name string, n *yaml.Node, at place) Value {
	var v Value
	d.decode(n, reflect.ValueOf(&v).Elem(), at)
	if x, plain := v.Number(); plain && v.Pos.Line > 0 && sizes.Is(name) && !isSize(x) {
		d.add(n, "%s = %s is not a size; it must be a whole number from 1 to %s", name, v.Text, FormatNumber(maxSize))
	}
	return v
}

func isSize(x float64) bool { return x == math.Trunc(x) && x >= 1 && x <= maxSize }

// nearWhole rounds a size that is whole but for rounding errors.
func nearWhole(name string, x float64) float64 {
	if r := math.Round(x); sizes.Is(name) && math.Abs(x-r) <= 1e-9*max(1, math.Abs(r)) {
		return r
	}
	return x
}

func sizeAdvice(x float64) string {
	switch {
	case x < 1:
		return "a size is at least 1; use max(1, ...) or skip such points"
	case x > maxSize:
		return "a size is at most " + FormatNumber(maxSize)
	}
	return "a size is a whole number; use ceil, floor or round"
}
