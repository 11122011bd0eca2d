package configs

import (
	"math"
	"reflect"
	"slices"

	"mercer/internal/plain"
)

// Conditions fix columns of records: a column's name and the values it may
// have. Numbers stand as plain.Number writes them. The place is that of the column.
type Conditions map[string]Located[[]string]

// Selection picks records. Where fixes columns (dataset, kernel, method, n, m,
// d, ell or a grid variable) to one or several values. By splits the picked
// records into groups, each of which gets its own verdict; dataset, kernel and
// (but for ratio and order over methods) method always split.
type Selection struct {
	Where Conditions `yaml:"where" doc:"Columns fixed to one or several values: dataset, kernel, method, n, m, d, ell or a grid variable."`
	By    Words      `yaml:"by" unique:"true" doc:"Columns that split the records into groups, each with its own verdict."`
}

// Picked is the selection itself, for what embeds it.
func (s *Selection) Picked() *Selection { return s }

// Match says whether something whose columns have these values is picked; false where it has
// no such column. A column that it does not use (None) matches every value, and numbers
// agree up to rounding.
func (c Conditions) Match(column func(name string) (value Scalar, known bool)) bool {
	for name, words := range c {
		value, known := column(name)
		if !known || value.Kind != None && !slices.ContainsFunc(words.Value, value.matches) {
			return false
		}
	}
	return true
}

// matches says whether a word of a condition is the value.
func (s Scalar) matches(word string) bool {
	if s.Kind == Text {
		return s.Text == word
	}
	want, ok := parseNumber(word)
	return ok && math.Abs(s.Number-want) <= 1e-12*math.Abs(want)
}

// about says whether the conditions pick records of a data set.
func (c Conditions) about(dataset string) bool {
	only := c["dataset"].Value
	return only == nil || slices.Contains(only, dataset)
}

// DecodeNode reads `where`: a mapping from column to a scalar or a list of them.
func (c *Conditions) DecodeNode(n *Node, d *Decoder) {
	if !d.isMapping(n, "a mapping from column to value or values") {
		return
	}
	*c = Conditions{}
	for _, p := range n.Pairs {
		inner := d.under(p.Key, "")
		if len(p.Value.entries()) == 0 {
			inner.Errorf(p.Value, "is an empty list; it would pick nothing")
		}
		var words []string
		for _, entry := range p.Value.entries() {
			switch x, ok := parseNumber(entry.Text); {
			case entry.Kind == Text:
				words = append(words, entry.Text)
			case entry.Kind != Number:
				inner.Wrong(entry, "a number or a name")
			case !ok:
				inner.Errorf(entry, "must be a finite decimal number, found %s", entry.Text)
			default:
				words = append(words, plain.Number(x+0)) // no negative zero
			}
		}
		(*c)[p.Key] = Located[[]string]{words, p.At}
	}
}

// JSONSchema is a mapping from column to value or values.
func (*Conditions) JSONSchema(reflect.StructTag) *JSONSchema {
	word := &JSONSchema{AnyOf: []*JSONSchema{{Type: "number"}, {Type: "string"}}}
	return &JSONSchema{Type: "object", Additional: orList(word)}
}
