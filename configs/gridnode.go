package configs

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

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
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, "a mapping from variable to value or values")
		return
	}
	g.Pos = d.pos(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch key.Value {
		case "zip":
			g.ZipAfter = len(g.Vars)
			g.decodeZip(d, value, at)
		case "skip":
			g.Skip = d.conditions(value, at)
		default:
			if v, ok := d.variable(key, value, at); ok {
				g.Vars = append(g.Vars, v)
			}
		}
	}
	if len(n.Content) == 0 || len(g.Vars)+len(g.Zip) == 0 && len(d.problems) == 0 {
		d.add(n, "%s has no variable; give at least one, such as n", at.label)
	}
	if all := g.all(); len(all) > maxVariables {
		d.add(n, "%s has %d variables, more than the limit of %d", at.label, len(all), maxVariables)
	}
	g.checkTwice(d)
}

// checkTwice reports a variable that stands in the product and in a zip group,
// or in two groups.
func (g *Grid) checkTwice(d *decoder) {
	seen := map[string]Pos{}
	for _, v := range g.all() {
		if first, again := seen[v.Name]; again {
			d.problems.Add(Errorf(v.Pos, "grid variable %q is given twice, first in line %d", v.Name, first.Line))
			continue
		}
		seen[v.Name] = v.Pos
	}
}

func (g *Grid) decodeZip(d *decoder, n *yaml.Node, at place) {
	at = at.under("zip", "")
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
		var group []Variable
		for k := 0; k+1 < len(entry.Content); k += 2 {
			if v, ok := d.variable(entry.Content[k], entry.Content[k+1], label); ok {
				group = append(group, v)
			}
		}
		d.checkGroup(entry, group, label)
		if len(group) > 0 {
			g.Zip = append(g.Zip, group)
		}
	}
}

func (d *decoder) checkGroup(n *yaml.Node, group []Variable, at place) {
	for i := 1; i < len(group); i++ {
		if len(group[i].Values) != len(group[0].Values) {
			d.add(n, "%s has lists of different length: %s has %d values, %s has %d", at.label,
				group[0].Name, len(group[0].Values), group[i].Name, len(group[i].Values))
			return
		}
	}
}

// variable reads one variable with its value or values.
func (d *decoder) variable(key, n *yaml.Node, at place) (Variable, bool) {
	v := Variable{Name: key.Value, Pos: d.pos(key)}
	before := len(d.problems)
	switch {
	case !variablePattern.MatchString(v.Name):
		d.add(key, "%s cannot name a grid variable; use letters, digits and underscores (at most 32, the first a letter)", quote(v.Name))
	case slices.Contains(reserved, v.Name) || slices.Contains(FunctionNames(), v.Name):
		d.add(key, "%q cannot name a grid variable; it has a meaning of its own", v.Name)
	}
	at = at.under(v.Name, "")
	entries := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		entries = n.Content
		if len(entries) == 0 {
			d.add(n, "%s is an empty list; the grid would have no points", at.label)
		}
	}
	for i, entry := range entries {
		inner := at
		if n.Kind == yaml.SequenceNode {
			inner = at.entry(i, entry)
		}
		var value Value
		d.decode(entry, reflect.ValueOf(&value).Elem(), inner)
		d.problems.Add(checkSizeLiteral(v.Name, value))
		v.Values = append(v.Values, value)
	}
	return v, len(d.problems) == before
}

// conditions reads skip: one expression or a list of them.
func (d *decoder) conditions(n *yaml.Node, at place) []Value {
	at = at.under("skip", "")
	entries := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		entries = n.Content
	}
	var conditions []Value
	for _, entry := range entries {
		if entry.Kind != yaml.ScalarNode || entry.ShortTag() != "!!str" || strings.TrimSpace(entry.Value) == "" {
			d.wrong(entry, at, `a condition such as "m > n"`)
			continue
		}
		v := Value{Text: strings.TrimSpace(entry.Value), Pos: d.pos(entry)}
		_, err := parseCondition(v)
		d.problems.Add(err)
		conditions = append(conditions, v)
	}
	return conditions
}

// decodeNode reads the grid of an overlay: variables alone.
func (vs *Variables) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, "a mapping from variable to value or values")
		return
	}
	*vs = Variables{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Value == "zip" || key.Value == "skip" {
			d.add(key, "%q cannot be changed by a profile; give the variables their values", key.Value)
			continue
		}
		if v, ok := d.variable(key, n.Content[i+1], at); ok {
			*vs = append(*vs, v)
		}
	}
}

// decodeNode reads the components that an overlay changes.
func (cs *Changes) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, "a mapping from id to the keys that change")
		return
	}
	*cs = Changes{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		id, keys := n.Content[i], n.Content[i+1]
		inner := at.under(id.Value, "")
		switch {
		case keys.Kind != yaml.MappingNode:
			d.wrong(keys, inner, "a mapping of keys to their new values")
			continue
		case len(keys.Content) == 0:
			d.add(keys, "%s changes nothing; give a key with its new value", inner.label)
		}
		for k := 0; k+1 < len(keys.Content); k += 2 {
			if key := keys.Content[k]; slices.Contains(fixedKeys, key.Value) {
				d.add(key, "%q cannot be changed by a profile; the data set stays what it is, and its parameters change", key.Value)
			}
		}
		*cs = append(*cs, Change{ID: id.Value, Pos: d.pos(id),
			Params: Params{owner: inner.label, file: d.file, pos: d.pos(keys), pairs: keys.Content}})
	}
}

// fixedKeys are those of a data set that no profile changes.
var fixedKeys = []string{"id", "use", "optional"}

// decodeNode reads `profiles`: a mapping from profile name to overlay.
func (o *Overlays) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, "a mapping from profile name to changes")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		overlay := Overlay{Profile: key.Value}
		if !slices.Contains(ProfileNames(), key.Value) {
			d.add(key, "%s", Unknown("profile", key.Value, "", ProfileNames()))
		}
		d.decode(n.Content[i+1], reflect.ValueOf(&overlay).Elem(), place{label: "profile " + quote(key.Value)})
		overlay.Pos = d.pos(key)
		*o = append(*o, overlay)
	}
}
