package configs

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// Value is a number or an expression: a real function of named real numbers, such as
// grid variables and constants of a dataset. All arithmetic is in float64: 1/2 is 0.5. It may be
// evaluated by several goroutines at once.
type Value struct {
	Text string // as written: "250", "min(n, ceil(n^theta * log(n)))"
	Pos  Pos

	made *program // nil for a Value that comes from no spec, which is compiled when it is used
}

// newValue compiles the text of a scalar.
func newValue(n *Node) Value {
	v := Value{Text: strings.TrimSpace(n.Text), Pos: n.Pos}
	v.made = v.program()
	return v
}

func (v Value) program() *program {
	if v.made != nil {
		return v.made
	}
	if x, ok := parseNumber(v.Text); ok {
		return &program{number: x}
	}
	return compile(v.Text, v.Pos, ofNumbers, nil, nil)
}

// Err says why the text is no expression; nil where it is one.
func (v Value) Err() error { return v.program().err }

// Number is the value of a plain number; false for an expression.
func (v Value) Number() (float64, bool) {
	p := v.program()
	return p.number, p.code == nil && p.err == nil
}

// Names lists the identifiers of the expression in alphabetical order; none when it
// does not compile.
func (v Value) Names() []string { return v.program().names }

// Check reports each name that is not one of known, with the nearest one and the
// list of all.
func (v Value) Check(known []string) error { return v.program().check(known) }

// Eval is the value at env. A division by zero, a logarithm or root outside its
// domain and any other result that is not finite is an error, which quotes the
// expression and the values it used.
func (v Value) Eval(env map[string]float64) (float64, error) { return v.eval(numbers(env)) }

func (v Value) eval(s scope) (float64, error) {
	p := v.program()
	if p.code == nil {
		return p.number, p.err
	}
	for _, name := range p.names {
		if _, text := s.get(name).(string); text {
			return 0, p.problem(name + " is a text column, which has no place in arithmetic")
		}
	}
	out, err := p.run(s)
	if err != nil {
		return 0, err
	}
	x, ok := out.(float64)
	if !ok || !plain.Finite(x) {
		return 0, p.fail(fmt.Sprintf("is %v", out), s)
	}
	return x + 0, nil // no negative zero
}

// numbers are the values of names that are numbers.
type numbers map[string]float64

func (n numbers) names() []string { return slices.Sorted(maps.Keys(n)) }

func (n numbers) get(name string) any {
	if x, ok := n[name]; ok {
		return x
	}
	return nil
}

// at says at which values of its names the expression was evaluated: " at n = 60, m = 20".
func (v Value) at(s scope) string {
	if len(v.Names()) == 0 {
		return ""
	}
	return " at " + v.program().values(s)
}

// Equal says whether two values are written alike at one place.
func (v Value) Equal(w Value) bool { return v.Text == w.Text && v.Pos == w.Pos }

// DecodeNode reads a number or the text of an expression and compiles it. Names are
// checked when they are known, see Spec.CheckNames.
func (v *Value) DecodeNode(n *Node, d *Decoder) {
	switch {
	case n.Kind == Number:
		if x, found, ok := d.number(n, "a number"); ok {
			d.inRange(n, x, found)
		}
	case n.Kind != Text:
		d.Wrong(n, "a number or an expression")
		return
	case strings.TrimSpace(n.Text) == "":
		d.Errorf(n, "is empty; write a number or an expression")
		return
	}
	*v = newValue(n)
	switch {
	case n.Kind == Number:
	case len(v.Names()) == 0: // such as 1/0
		_, err := v.Eval(nil)
		d.problems.Add(err)
	default:
		d.noText(*v)
	}
}

// noText reports text columns in arithmetic.
func (d *Decoder) noText(v Value) {
	for _, name := range v.Names() {
		if d.texts[name] {
			d.problems.Add(v.program().problem(name + " is a text column, which has no place in arithmetic"))
		}
	}
}

// JSONSchema is a number or an expression.
func (*Value) JSONSchema(reflect.StructTag) *JSONSchema { return valueSchema() }

func valueSchema() *JSONSchema {
	return &JSONSchema{AnyOf: []*JSONSchema{{Type: "number"}, expressionSchema}}
}

var expressionSchema = ref("expression")

// given are the values that are set.
func given(values ...*Value) []Value {
	return lists.Map(lists.Where(values, func(v *Value) bool { return v != nil }), func(v *Value) Value { return *v })
}

// exactly writes a number so that it reads back.
func exactly(x float64) string { return canonicalNumber(strconv.FormatFloat(x, 'g', -1, 64)) }

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

// DecodeNode compiles the expression. A text column may stand alone, as the x of a plot.
func (q *Quantity) DecodeNode(n *Node, d *Decoder) {
	if text, ok := d.Text(n); ok {
		v := newValue(&Node{Text: text, Pos: n.Pos})
		d.problems.Add(v.Err())
		if !d.texts[text] {
			d.noText(v)
		}
		*q = Quantity(v)
	}
}

// JSONSchema is a text.
func (*Quantity) JSONSchema(reflect.StructTag) *JSONSchema { return &JSONSchema{Type: "string"} }

// union is the names of both lists, each once.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
