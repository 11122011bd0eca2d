package configs

import (
	"maps"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// Scalar is one value of a column: a number, a text, or none. It is comparable.
type Scalar struct {
	Kind   Kind // None, Number or Text
	Number float64
	Text   string
}

// NumberOf is a number as a value of a column.
func NumberOf(x float64) Scalar { return Scalar{Kind: Number, Number: x} }

// TextOf is a text as a value of a column.
func TextOf(text string) Scalar { return Scalar{Kind: Text, Text: text} }

// String is the number as plain.Number writes it, the text, or "" for none.
func (s Scalar) String() string {
	if s.Kind == Number {
		return plain.Number(s.Number)
	}
	return s.Text
}

// Env has the values of names: of grid variables at a point, of constants of a data set.
type Env map[string]Scalar

// Numbers is an Env of numbers.
func Numbers(values map[string]float64) Env {
	e := make(Env, len(values))
	for name, x := range values {
		e[name] = NumberOf(x)
	}
	return e
}

// With is a copy with further values, which win.
func (e Env) With(more Env) Env {
	both := make(Env, len(e)+len(more))
	maps.Copy(both, e)
	maps.Copy(both, more)
	return both
}

func (e Env) names() []string { return slices.Sorted(maps.Keys(e)) }

// kinds are the kinds of the values.
func (e Env) kinds() map[string]Kind {
	kinds := map[string]Kind{}
	for name, value := range e {
		kinds[name] = value.Kind
	}
	return kinds
}

// at writes the values of those names that have one: " at n = 60, m = 20".
func (e Env) at(names []string) string {
	known := lists.Where(names, func(name string) bool { return e[name].Kind != None })
	if len(known) == 0 {
		return ""
	}
	return " at " + strings.Join(lists.Map(known, func(name string) string { return name + " = " + e[name].String() }), ", ")
}
