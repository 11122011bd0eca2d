package configs

import (
	"fmt"
	"math"
	"reflect"

	"gopkg.in/yaml.v3"

	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// maxSize is the largest m, d, ell or k that is taken for honest, and MaxPoints the
// largest n where samples are points of their own. Samples of counts have no more
// memory for more points: maxCounted is what float64 counts exactly.
const (
	maxSize    = MaxPoints
	MaxPoints  = 1e9
	maxCounted = 1 << 53
)

func largestSize(name string) float64 {
	if name == "n" {
		return maxCounted
	}
	return maxSize
}

// size decodes a value of a grid variable or a size. A plain number that cannot be a
// size is refused; expressions are checked at each grid point.
func (d *decoder) size(name string, n *yaml.Node, at place) Value {
	var v Value
	d.decode(n, reflect.ValueOf(&v).Elem(), at)
	if x, given := v.Number(); given && v.Pos.Line > 0 && sizes.Is(name) && !isSize(name, x) {
		d.add(n, "%s = %s is not a size; it must be a whole number from 1 to %s", name, v.Text, sizeLimit(name))
	}
	return v
}

// sizeLimit is largestSize as messages write it.
func sizeLimit(name string) string {
	if name == "n" {
		return "2^53"
	}
	return plain.Number(largestSize(name))
}

func isSize(name string, x float64) bool {
	return x == math.Trunc(x) && x >= 1 && x <= largestSize(name)
}

// nearWhole rounds a size that is whole but for rounding errors.
func nearWhole(name string, x float64) float64 {
	if r := math.Round(x); sizes.Is(name) && math.Abs(x-r) <= 1e-9*max(1, math.Abs(r)) {
		return r
	}
	return x
}

func sizeAdvice(name string, x float64) string {
	switch {
	case x < 1:
		return "a size is at least 1; use max(1, ...) or skip such points"
	case x > largestSize(name):
		return fmt.Sprintf("%s is at most %s", name, sizeLimit(name))
	}
	return "a size is a whole number; use ceil, floor or round"
}
