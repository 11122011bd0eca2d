package configs

import (
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Value is a number or an expression over grid variables and dataset constants.
type Value struct {
	Text string // as written: "250", "min(n, ceil(n^theta * log(n)))"
	Pos  Pos

	compiled *Expression // nil for a Value that comes from no spec
}

// Expression is the value as it was compiled when the spec was decoded; what comes
// from no spec is compiled now.
func (v Value) Expression() (*Expression, error) {
	if v.compiled != nil {
		return v.compiled, nil
	}
	if x, ok := parseNumber(v.Text); ok {
		return &Expression{what: "expression", text: v.Text, pos: v.Pos, number: x}, nil
	}
	return compileReal(v.Text, v.Pos)
}

// Number is the value of a plain number; false for an expression.
func (v Value) Number() (float64, bool) {
	e, err := v.Expression()
	if err != nil || e.program != nil {
		return 0, false
	}
	return e.number, true
}

// Names lists the identifiers of an expression in alphabetical order; none when
// it cannot be parsed.
func (v Value) Names() []string {
	e, err := v.Expression()
	if err != nil {
		return nil
	}
	return e.names
}

// Check reports names that are not among known; see Expression.Check.
func (v Value) Check(known []string) error {
	e, err := v.Expression()
	if err != nil {
		return err
	}
	return e.Check(known)
}

// Eval is the value at env; see Expression.Eval.
func (v Value) Eval(env map[string]float64) (float64, error) {
	e, err := v.Expression()
	if err != nil {
		return 0, err
	}
	return e.Eval(env)
}

// Equal says whether two values are written alike at one place.
func (v Value) Equal(w Value) bool { return v.Text == w.Text && v.Pos == w.Pos }

// decodeNode reads a number or the text of an expression and compiles it. Names are
// checked when they are known, see Spec.CheckNames.
func (v *Value) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!bool" || isNull(n) {
		d.wrong(n, at, "a number or an expression")
		return
	}
	v.Text, v.Pos = strings.TrimSpace(n.Value), d.pos(n)
	if isNumber(n) {
		if x, ok := d.number(n, at); ok {
			d.inRange(n, x, at)
		}
	} else if v.Text == "" {
		d.add(n, "%s is empty; write a number or an expression", at.label)
		return
	}
	var err error
	v.compiled, err = v.Expression()
	if !isNumber(n) {
		d.problems.Add(err)
	}
}

func (*Value) schema(reflect.StructTag) *JSONSchema { return valueSchema() }

func valueSchema() *JSONSchema {
	return &JSONSchema{AnyOf: []*JSONSchema{
		{Type: "number"},
		{Type: "string", Description: "An expression over grid variables and constants of the dataset."},
	}}
}

// given are the values that are set.
func given(values ...*Value) []Value {
	var set []Value
	for _, v := range values {
		if v != nil {
			set = append(set, *v)
		}
	}
	return set
}

// Quantity is a metric, or an expression over metrics, that is read from records.
type Quantity Value

// Expression is the quantity as it was compiled when the spec was decoded.
func (q Quantity) Expression() (*Expression, error) { return Value(q).Expression() }

// Names lists the metrics, sizes and grid variables that the quantity uses.
func (q Quantity) Names() []string { return Value(q).Names() }

// Equal says whether two quantities are written alike at one place.
func (q Quantity) Equal(r Quantity) bool { return Value(q).Equal(Value(r)) }

// decodeNode leaves a wrong expression uncompiled: the checks of the claim, plot or
// budget report it with all else that is wrong there.
func (q *Quantity) decodeNode(d *decoder, n *yaml.Node, at place) {
	if text, ok := d.text(n, at); ok {
		q.Text, q.Pos = text, d.pos(n)
		d.checkText(n, text, at)
		q.compiled, _ = q.Expression()
	}
}

func (*Quantity) schema(reflect.StructTag) *JSONSchema {
	return &JSONSchema{Type: "string"}
}

// union is the names of both lists, each once.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
