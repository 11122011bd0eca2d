package configs

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"gopkg.in/yaml.v3"

	"mercer/internal/lists"
	"mercer/internal/sizes"
)

// Grid is the product of its variables in the order written, the first one
// slowest; each zip group advances its variables together and counts as one
// variable; points for which Skip is true are left out. Equal points are kept
// once.
type Grid struct {
	Vars     Variables
	Zip      []Variables
	ZipAfter int // how many of Vars are written before `zip:`; the rest vary faster than the zip groups
	Skip     []Value
	Pos      Pos
}

// Variable is one grid variable with its values; a single value, often an
// expression over other variables, is a list of one.
type Variable struct {
	Name   string
	Values []Value
	Pos    Pos
}

// Variables is a list of grid variables, written as a mapping from name to value or
// values.
type Variables []Variable

// all lists the variables in the order of the product: the first is slowest.
func (g Grid) all() Variables { return slices.Concat(g.axes()...) }

// axes are the factors of the product in the order written: single variables,
// and zip groups whose variables advance together.
func (g Grid) axes() []Variables {
	var axes []Variables
	for i, v := range g.Vars {
		if i == g.ZipAfter {
			axes = append(axes, g.Zip...)
		}
		axes = append(axes, Variables{v})
	}
	if g.ZipAfter >= len(g.Vars) {
		axes = append(axes, g.Zip...)
	}
	return axes
}

// Names lists the grid variables in the order written.
func (g Grid) Names() []string {
	return lists.Map(g.all(), func(v Variable) string { return v.Name })
}

// values are those of the variables of a name.
func (vs Variables) values(name string) []Value {
	var values []Value
	for _, v := range vs {
		if v.Name == name {
			values = append(values, v.Values...)
		}
	}
	return values
}

// expressions are all values of the grid, and its conditions.
func (g Grid) expressions() []Value {
	values := slices.Clone(g.Skip)
	for _, v := range g.all() {
		values = append(values, v.Values...)
	}
	return values
}

// with is a copy of the grid with variables in the place of those of their names.
func (g Grid) with(variables Variables) Grid {
	replaced := func(list Variables) Variables {
		list = slices.Clone(list)
		for i := range list {
			for _, v := range variables {
				if list[i].Name == v.Name {
					list[i] = v
				}
			}
		}
		return list
	}
	g.Vars, g.Zip = replaced(g.Vars), slices.Clone(g.Zip)
	for i, group := range g.Zip {
		g.Zip[i] = replaced(group)
	}
	return g
}

// order lists the variables so that each comes after those that any of its values
// refers to; a circle is an error.
func (g Grid) order() ([]string, error) {
	var path, order []string
	var visit func(v Variable) error
	all := g.all()
	visit = func(v Variable) error {
		if at := slices.Index(path, v.Name); at >= 0 {
			return Errorf(v.Pos, "grid variables depend on each other in a circle: %s", strings.Join(append(path[at:], v.Name), " -> "))
		}
		if slices.Contains(order, v.Name) {
			return nil
		}
		path = append(path, v.Name)
		for _, value := range v.Values {
			for _, name := range value.Names() {
				if i := slices.IndexFunc(all, func(w Variable) bool { return w.Name == name }); i >= 0 {
					if err := visit(all[i]); err != nil {
						return err
					}
				}
			}
		}
		path, order = path[:len(path)-1], append(order, v.Name)
		return nil
	}
	for _, v := range all {
		if err := visit(v); err != nil {
			return nil, err
		}
	}
	return order, nil
}

var variablePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}$`)

// maxVariables is the largest number of variables of a grid.
const maxVariables = 64

// reserved are words that cannot name a grid variable: columns of a record and
// words of the expression language.
var reserved = []string{
	"experiment", "dataset", "kernel", "method", "repeat", "seed", "metric", "value", "unit", "status", "zip", "skip",
	"and", "or", "not", "in", "true", "false", "nil", "let", "if", "else",
	"matches", "contains", "startsWith", "endsWith",
}

// decodeNode reads a grid: a mapping from variable to value or values, with the
// reserved keys zip and skip.
func (g *Grid) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from variable to value or values") {
		return
	}
	g.Pos = d.pos(n)
	const tooMany = "%s has %d variables, more than the limit of %d"
	if keys := len(n.Content) / 2; keys > maxVariables+2 { // with zip and skip; before all are compiled
		d.add(n, tooMany, at.label, keys, maxVariables)
		return
	}
	for key, value := range pairs(n) {
		switch key.Value {
		case "zip":
			g.ZipAfter = len(g.Vars)
			g.decodeZip(d, value, at.under("zip", ""))
		case "skip":
			g.Skip = d.conditions(value, at.under("skip", ""))
		default:
			g.Vars.decode(d, key, value, at)
		}
	}
	if len(n.Content) == 0 || len(g.Vars)+len(g.Zip) == 0 && len(d.problems) == 0 {
		d.add(n, "%s has no variable; give at least one, such as n", at.label)
	}
	if all := g.all(); len(all) > maxVariables {
		d.add(n, tooMany, at.label, len(all), maxVariables)
	}
	lines := map[string]int{}
	for _, v := range g.all() {
		if first, again := lines[v.Name]; again {
			d.problems.Add(Errorf(v.Pos, "grid variable %q is given twice, first in line %d", v.Name, first))
			continue
		}
		lines[v.Name] = v.Pos.Line
	}
}

func (g *Grid) decodeZip(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, at, "a list of groups, each a mapping from variable to a list")
		return
	}
	for i, entry := range n.Content {
		label := place{label: fmt.Sprintf("group %d of %s", i+1, at.label)}
		if entry.Kind != yaml.MappingNode || len(entry.Content) == 0 {
			d.wrong(entry, label, "a mapping from variable to a list")
			continue
		}
		var group Variables
		for key, value := range pairs(entry) {
			group.decode(d, key, value, label)
		}
		if v := group.uneven(); v != nil {
			d.add(entry, "%s has lists of different length: %s has %d values, %s has %d", label.label,
				group[0].Name, len(group[0].Values), v.Name, len(v.Values))
		}
		if len(group) > 0 {
			g.Zip = append(g.Zip, group)
		}
	}
}

// uneven is a variable with another number of values than the first, nil where there
// is none.
func (vs Variables) uneven() *Variable {
	for i, v := range vs {
		if len(v.Values) != len(vs[0].Values) {
			return &vs[i]
		}
	}
	return nil
}

// decode adds one variable with its value or values, unless it has mistakes.
func (vs *Variables) decode(d *decoder, key, n *yaml.Node, at place) {
	v := Variable{Name: key.Value, Pos: d.pos(key)}
	before := len(d.problems)
	switch {
	case !variablePattern.MatchString(v.Name):
		d.add(key, "%s cannot name a grid variable; use letters, digits and underscores (at most 32, the first a letter)", quote(v.Name))
	case slices.Contains(reserved, v.Name) || slices.Contains(functionNames(), v.Name):
		d.add(key, "%q cannot name a grid variable; it has a meaning of its own", v.Name)
	}
	at = at.under(v.Name, "")
	values := entries(n)
	if len(values) == 0 {
		d.add(n, "%s is an empty list; the grid would have no points", at.label)
	}
	for i, entry := range values {
		inner := at
		if n.Kind == yaml.SequenceNode {
			inner = at.entry(i, entry)
		}
		v.Values = append(v.Values, d.size(v.Name, entry, inner))
	}
	if len(d.problems) == before {
		*vs = append(*vs, v)
	}
}

// conditions reads skip: one expression or a list of them.
func (d *decoder) conditions(n *yaml.Node, at place) []Value {
	var conditions []Value
	for _, entry := range entries(n) {
		v := Value{Text: strings.TrimSpace(entry.Value), Pos: d.pos(entry)}
		if entry.Kind != yaml.ScalarNode || entry.ShortTag() != "!!str" || v.Text == "" {
			d.wrong(entry, at, `a condition such as "m > n"`)
			continue
		}
		v.made = compile(v, "expression", conditionNodes, nil, expr.AsBool())
		d.problems.Add(v.Err())
		conditions = append(conditions, v)
	}
	return conditions
}

// decodeNode reads the grid of an overlay: variables alone.
func (vs *Variables) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from variable to value or values") {
		return
	}
	*vs = Variables{}
	for key, value := range pairs(n) {
		if key.Value == "zip" || key.Value == "skip" {
			d.add(key, "%q cannot be changed by a profile; give the variables their values", key.Value)
			continue
		}
		vs.decode(d, key, value, at)
	}
}

func (*Variables) schema(reflect.StructTag) *JSONSchema {
	return &JSONSchema{
		Type:          "object",
		PropertyNames: &JSONSchema{Pattern: variablePattern.String()},
		Additional:    orList(valueSchema()),
	}
}

func (*Grid) schema(tag reflect.StructTag) *JSONSchema {
	s, group := (*Variables)(nil).schema(tag), (*Variables)(nil).schema(tag)
	s.MinProperties, group.MinProperties = 1, 1
	for _, size := range sizes.Names {
		v := orList(valueSchema())
		v.Description = "The " + size + " of each point; a number, an expression or a list of these."
		s.Properties.Set(size, v)
	}
	s.Properties.Set("zip", &JSONSchema{Type: "array", Items: group,
		Description: "Groups of variables that advance together; their lists are equally long."})
	skip := orList(&JSONSchema{Type: "string"})
	skip.Description = `Conditions such as "m > n"; points where one is true are left out.`
	s.Properties.Set("skip", skip)
	return s
}
