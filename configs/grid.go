package configs

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"mercer/internal/lists"
)

// Grid is the product of its variables in the order written, the first one slowest. Points for which
// Skip is true are left out, and equal points are kept once.
type Grid struct {
	Variables []Variable
	Skip      []Filter
	Pos       Pos
}

// Variable is one grid variable with its values. It is an axis, unless it is Derived:
// m: [10, "n/3"] is an axis, and m: "n/3" follows from n.
type Variable struct {
	Name    string
	Values  []Value // of a text variable the texts
	Text    bool    // a component takes it by "=name": its values are texts, not expressions
	Derived bool    // it has a single expression
	Pos     Pos
}

// Names lists the grid variables in the order written.
func (g Grid) Names() []string {
	return lists.Map(g.Variables, func(v Variable) string { return v.Name })
}

// Variable is the variable of a name; false where there is none.
func (g Grid) Variable(name string) (Variable, bool) {
	for _, v := range g.Variables {
		if v.Name == name {
			return v, true
		}
	}
	return Variable{}, false
}

// Constants are the values of a numeric variable in rising order, each once; false where the
// grid has no such variable, or one of its values depends on another variable or on a
// dataset.
func (g Grid) Constants(variable string) ([]float64, bool) {
	v, _ := g.Variable(variable)
	var numbers []float64
	for _, value := range v.expressions() {
		x, err := value.Eval(nil)
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, x)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), len(numbers) > 0
}

// Kinds are the kinds of the variables, Number or Text.
func (g Grid) Kinds() map[string]Kind {
	kinds := map[string]Kind{}
	for _, v := range g.Variables {
		kinds[v.Name] = Number
		if v.Text {
			kinds[v.Name] = Text
		}
	}
	return kinds
}

// expressions are the values of a variable that is no text.
func (v Variable) expressions() []Value {
	if v.Text {
		return nil
	}
	return v.Values
}

// expressions are the values of the numeric variables, and the conditions.
func (g Grid) expressions() []Value {
	return slices.Concat(append(lists.Map(g.Variables, Variable.expressions), g.Skip)...)
}

// place is a variable and its index.
type place struct {
	Variable
	index int
}

// order lists variables with all that they depend on, each after what it refers to. A circle is an error.
func (g Grid) order(names []string) (order []place, err error) {
	known := map[string]place{}
	for i, v := range g.Variables {
		known[v.Name] = place{v, i}
	}
	var path []string
	var visit func(name string)
	visit = func(name string) {
		v, waiting := known[name]
		switch at := slices.Index(path, name); {
		case at >= 0:
			err = Errorf(v.Pos, "grid variables depend on each other in a circle: %s", strings.Join(append(path[at:], name), " -> "))
			return
		case !waiting:
			return
		}
		path = append(path, name)
		for _, value := range v.expressions() {
			for _, needed := range value.Names() {
				if err == nil {
					visit(needed)
				}
			}
		}
		path = path[:len(path)-1]
		order = append(order, v)
		delete(known, name)
	}
	for _, name := range names {
		if err == nil {
			visit(name)
		}
	}
	return order, err
}

var variablePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}$`)

// maxVariables is the largest number of variables of a grid.
const maxVariables = 64

// reserved are words that cannot name a grid variable: columns of a record and
// words of the expression language.
var reserved = []string{
	"experiment", "dataset", "kernel", "method", "repeat", "seed", "metric", "value", "unit", "status", "skip", Iteration,
	"and", "or", "not", "in", "true", "false", "nil", "let", "if", "else",
	"matches", "contains", "startsWith", "endsWith",
}

// DecodeNode reads a grid: a mapping from variable to value or values, with the
// reserved key skip.
func (g *Grid) DecodeNode(n *Node, d *Decoder) {
	if !d.isMapping(n, "a mapping from variable to value or values") {
		return
	}
	g.Pos = n.Pos
	switch count := len(variables(n)); { // before all are compiled
	case count == 0:
		d.Errorf(n, "has no variable; give at least one, such as n")
		return
	case count > maxVariables:
		d.Errorf(n, "has %d variables, more than the limit of %d", count, maxVariables)
		return
	}
	for _, p := range n.Pairs {
		switch before := len(d.problems); p.Key {
		case "zip":
			d.add(p.At, "key %q of %s is no longer there: %s", p.Key, d.label, dropped["Grid.zip"])
		case "skip":
			g.Skip = d.under(p.Key, "").conditions(p.Value)
		default:
			if v := d.variable(p); len(d.problems) == before {
				g.Variables = append(g.Variables, v)
			}
		}
	}
}

// variable decodes one variable with its value or values.
func (d *Decoder) variable(p Pair) Variable {
	v := Variable{Name: p.Key, Pos: p.At, Text: d.texts[p.Key] == Text}
	switch {
	case !variablePattern.MatchString(v.Name):
		d.add(p.At, "%s cannot name a grid variable; use letters, digits and underscores (at most 32, the first a letter)", quote(v.Name))
	case slices.Contains(reserved, v.Name) || slices.Contains(functionNames(), v.Name):
		d.add(p.At, "%q cannot name a grid variable; it has a meaning of its own", v.Name)
	}
	d = d.under(v.Name, "")
	entries := p.Value.entries()
	if len(entries) == 0 {
		d.Errorf(p.Value, "is an empty list; the grid would have no points")
	}
	for i, entry := range entries {
		inner := d
		if p.Value.Kind == List {
			inner = d.entry(i, entry)
		}
		if v.Text {
			inner.Text(entry)
			v.Values = append(v.Values, Value{Text: entry.Text, Pos: entry.Pos})
			continue
		}
		value := inner.size(v.Name, entry)
		_, number := value.Number()
		v.Values, v.Derived = append(v.Values, value), p.Value.Kind != List && !number
	}
	return v
}

// conditions reads skip: one expression or a list of them.
func (d *Decoder) conditions(n *Node) (conditions []Filter) {
	for _, entry := range n.entries() {
		if entry.Kind != Text {
			d.Wrong(entry, `a condition such as "m > n"`)
			continue
		}
		f := newValue(entry, Bool, d.texts)
		d.problems.Add(f.Err())
		conditions = append(conditions, f)
	}
	return conditions
}

// Takes says so in words.
func (*Grid) Takes(reflect.StructTag) string { return "a mapping" }
