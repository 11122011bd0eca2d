package configs

import (
	"errors"
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
// grid variables, constants of a dataset, or metrics. All arithmetic is in float64: 1/2 is 0.5. It may
// also be a condition, see Match. It may be evaluated by several goroutines at once.
type Value struct {
	Text string // as written: "250", "min(n, ceil(n^theta * log(n)))"
	Pos  Pos

	made *program // nil for a Value that comes from no spec, which is compiled when it is used
}

// Quantity is a Value over metrics, that is read from records.
type Quantity = Value

// Filter is a Value that is a condition over numbers and texts, such as
//
//	dataset == "poly2" && n <= 1000 && method in ["nystrom", "rff"]
type Filter = Value

// NewQuantity compiles a quantity that comes from no spec.
func NewQuantity(text string) Quantity { return newValue(&Node{Text: text}, Number, nil) }

// CompileFilter compiles a filter over columns, which are numbers or texts.
func CompileFilter(text string, columns map[string]Kind) (Filter, error) {
	f := newValue(&Node{Text: text}, Bool, columns)
	return f, f.Check(slices.Collect(maps.Keys(columns)))
}

// newValue compiles the text of a scalar, whose value is of a kind.
func newValue(n *Node, kind Kind, columns map[string]Kind) Value {
	v := Value{Text: strings.TrimSpace(n.Text), Pos: n.Pos}
	v.made = compile(v.Text, kind, columns)
	return v
}

func (v Value) program() *program {
	if v.made != nil {
		return v.made
	}
	return compile(v.Text, Number, nil)
}

// Err says why the text is no expression; nil where it is one.
func (v Value) Err() error { return v.wrong(v.program().err, nil) }

// wrong names the expression in an error, and the values that it had.
func (v Value) wrong(err error, env Env) error {
	if err == nil {
		return nil
	}
	return Errorf(v.Pos, "expression %s: %v%s", quote(v.Text), err, v.at(env))
}

// Number is the value of a plain number; false for an expression.
func (v Value) Number() (float64, bool) { return parseNumber(v.Text) }

// Names lists the identifiers of the expression in alphabetical order.
func (v Value) Names() []string { return v.program().names }

// Check reports each name that is not one of known, with the nearest one and the
// list of all.
func (v Value) Check(known []string) error {
	var all Problems
	for _, name := range v.Names() {
		if !slices.Contains(known, name) {
			all.Add(v.wrong(errors.New(Unknown("name", name, "", known)), nil))
		}
	}
	if len(all) == 0 {
		return v.Err()
	}
	return all
}

// Eval is the value at env. A division by zero, a logarithm or root outside its
// domain and any other result that is not finite is an error, which quotes the
// expression and the values it used.
func (v Value) Eval(env map[string]float64) (float64, error) { return v.eval(Numbers(env)) }

func (v Value) eval(env Env) (float64, error) {
	out, err := v.program().run(env)
	x, _ := out.(float64)
	if err == nil && !plain.Finite(x) {
		err = fmt.Errorf("it is %v", x)
	}
	return x + 0, v.wrong(err, env) // no negative zero
}

// Match is the truth of a condition at env, which must have the names that it uses.
func (v Value) Match(env Env) (bool, error) {
	out, err := v.program().run(env)
	return out == true, v.wrong(err, env)
}

// at says at which values of its names the expression was evaluated: " at n = 60, m = 20".
func (v Value) at(env Env) string { return env.at(v.Names()) }

// Equal says whether two values are written alike at one place.
func (v Value) Equal(w Value) bool { return v.Text == w.Text && v.Pos == w.Pos }

// DecodeNode reads a number or the text of an expression and compiles it; of metrics:"true" a text.
// Names are checked when they are known, see Spec.CheckNames.
func (v *Value) DecodeNode(n *Node, d *Decoder) {
	columns := d.texts
	switch {
	case d.tag.Get("metrics") == "true":
		if text, ok := d.Text(n); !ok {
			return
		} else if d.texts[text] == Text { // it may stand alone, as the x of a plot
			columns = nil
		}
	case n.Kind == Number:
		if x, found, ok := d.number(n, "a number"); ok {
			d.inRange(n, x, found)
		}
	case n.Kind != Text:
		d.Wrong(n, "a number or an expression")
		return
	}
	*v = newValue(n, Number, columns)
	if d.tag.Get("metrics") == "" {
		d.expressions = append(d.expressions, *v)
	}
	err := v.Err()
	if err == nil && n.Kind == Text && len(v.Names()) == 0 { // such as 1/0
		_, err = v.Eval(nil)
	}
	if n.Kind == Text {
		d.problems.Add(err)
	}
}

// Takes says what a spec may have: an expression over metrics is a text.
func (*Value) Takes(tag reflect.StructTag) string {
	if tag.Get("metrics") == "true" {
		return "text"
	}
	return "a number, or an expression"
}

// given are the values that are set.
func given(values ...*Value) []Value {
	return lists.Map(lists.Where(values, func(v *Value) bool { return v != nil }), func(v *Value) Value { return *v })
}

// exactly writes a number so that it reads back.
func exactly(x float64) string { return canonicalNumber(strconv.FormatFloat(x, 'g', -1, 64)) }

// union is the names of both lists, each once.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}
