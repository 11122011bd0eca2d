package configs

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// Number is the value of a plain number; false for an expression.
func (v Value) Number() (float64, bool) { return parseNumber(v.Text) }

// String is the text as written.
func (v Value) String() string { return v.Text }

// decodeNode reads a number or the text of an expression and checks what can be
// checked without knowing names: syntax, functions, length.
func (v *Value) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!bool" || isNull(n) {
		d.wrong(n, at, "a number or an expression")
		return
	}
	v.Text, v.Pos = strings.TrimSpace(n.Value), d.pos(n)
	if isNumber(n) {
		x, ok := d.number(n, at)
		if ok {
			d.inRange(n, x, at)
		}
		return
	}
	if v.Text == "" {
		d.add(n, "%s is empty; write a number or an expression", at.label)
		return
	}
	_, err := parseExpression(*v)
	d.problems.Add(err)
}

// decodeNode reads `where`: a mapping from column to a scalar or a list of them.
func (c *Conditions) decodeNode(d *decoder, n *yaml.Node, at place) {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, at, "a mapping from column to value or values")
		return
	}
	*c = Conditions{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		column, value := n.Content[i].Value, n.Content[i+1]
		entries := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			entries = value.Content
		}
		if len(entries) == 0 {
			d.add(value, "%q of %s is an empty list; it would pick nothing", column, at.label)
		}
		var words []string
		for _, entry := range entries {
			if word, ok := d.conditionWord(entry, column, at); ok {
				words = append(words, word)
			}
		}
		(*c)[column] = words
	}
}

func (d *decoder) conditionWord(n *yaml.Node, column string, at place) (string, bool) {
	label := place{label: quote(column) + " of " + at.label}
	switch {
	case n.Kind != yaml.ScalarNode || isNull(n) || n.ShortTag() == "!!bool":
		d.wrong(n, label, "a number or a name")
		return "", false
	case isNumber(n):
		x, ok := d.number(n, label)
		return FormatNumber(x), ok
	}
	return n.Value, true
}
