package selection

import (
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Coordinate fixes one column of the records.
type Coordinate struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Describe writes coordinates as "dataset=poly2 method=nystrom theta=0.5".
func Describe(at []Coordinate) string {
	return strings.Join(lists.Map(at, func(c Coordinate) string { return c.Name + "=" + c.Value }), " ")
}

// Column is a record's value in a column, as text: its dataset, kernel or method,
// or the value at its grid point before its method's own sizes; false where it
// has none.
func Column(r *results.Record, name string) (string, bool) {
	switch name {
	case "dataset":
		return r.Dataset, true
	case "kernel":
		return r.Kernel, true
	case "method":
		return r.Method, true
	}
	v, ok := number(r, name)
	return plain.Number(v), ok
}

// number is a record's value in a numeric column, as selections and pairing see
// it: that of the grid point, before a method's own sizes; where the grid lacks
// it, the size that the method set.
func number(r *results.Record, name string) (float64, bool) {
	if v, ok := r.Point[name]; ok {
		return v, true
	}
	return ownSize(r, name)
}

// Axis is a record's value of a variable along an axis: the size that its method
// used, or a grid variable; false where it has none.
func Axis(r *results.Record, name string) (float64, bool) {
	if v, ok := ownSize(r, name); ok {
		return v, true
	}
	v, ok := r.Point[name]
	return v, ok
}

// Place is a record's value of a column along an axis, as text: of a size the one that its
// method used; false where it has none.
func Place(r *results.Record, name string) (string, bool) {
	if _, size := ownSize(r, name); size {
		v, _ := Axis(r, name)
		return plain.Number(v), true
	}
	return Column(r, name)
}

func ownSize(r *results.Record, name string) (float64, bool) {
	size := r.Sizes.Get(name)
	return float64(size), size > 0
}

// Matches says whether a record has one of the values that where asks of each
// column.
func Matches(r *results.Record, where configs.Conditions) bool {
	return where.Match(func(name string) (configs.Scalar, bool) {
		if text, named := map[string]string{"dataset": r.Dataset, "kernel": r.Kernel, "method": r.Method}[name]; named {
			return configs.TextOf(text), true
		}
		x, known := number(r, name)
		return configs.NumberOf(x), known
	})
}
