package configs

import (
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

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
	v.made = v.program()
	if !isNumber(n) {
		d.problems.Add(v.made.err)
	}
}

func (*Value) schema(reflect.StructTag) *JSONSchema { return valueSchema() }

func valueSchema() *JSONSchema {
	return &JSONSchema{AnyOf: []*JSONSchema{{Type: "number"}, expressionSchema}}
}

var expressionSchema = &JSONSchema{Type: "string", Description: "An expression over grid variables and constants of the dataset."}

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

// NewQuantity compiles a quantity that comes from no spec.
func NewQuantity(text string) Quantity {
	v := Value{Text: text}
	v.made = v.program()
	return Quantity(v)
}

// Err says why the text is no expression.
func (q Quantity) Err() error { return Value(q).Err() }

// Names lists the metrics, sizes and grid variables that the quantity uses.
func (q Quantity) Names() []string { return Value(q).Names() }

// Eval is the quantity where its names have the values of env.
func (q Quantity) Eval(env map[string]float64) (float64, error) { return Value(q).Eval(env) }

// Equal says whether two quantities are written alike at one place.
func (q Quantity) Equal(r Quantity) bool { return Value(q).Equal(Value(r)) }

// decodeNode leaves a wrong expression to the checks of the claim, plot or budget,
// which report it with all else that is wrong there.
func (q *Quantity) decodeNode(d *decoder, n *yaml.Node, at place) {
	if text, ok := d.text(n, at); ok {
		q.Text, q.Pos = text, d.pos(n)
		d.checkText(n, text, at)
		q.made = Value(*q).program()
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
