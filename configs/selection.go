package configs

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"mercer/internal/lists"
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

// ParseConditions reads what a where has between braces: "method: nystrom, n: [500, 1000]".
func ParseConditions(text string) (Conditions, error) {
	var in struct {
		Where Conditions `yaml:"where"`
	}
	if _, d := decodeFile("", []byte("where: {"+text+"}"), &in); len(d.problems) > 0 {
		return nil, errors.New(d.problems[0].Msg)
	}
	return in.Where, nil
}

// Match says whether something has one of the values that the conditions ask of
// each column: text gives its dataset, kernel and method, number its numeric
// columns, which must agree up to rounding.
func (c Conditions) Match(text map[string]string, number func(column string) (float64, bool)) bool {
	for column, words := range c {
		have, named := text[column]
		value, numeric := 0.0, false
		if !named {
			value, numeric = number(column)
		}
		if !slices.ContainsFunc(words.Value, func(word string) bool {
			if named {
				return have == word
			}
			want, err := strconv.ParseFloat(word, 64)
			return numeric && err == nil && math.Abs(value-want) <= 1e-12*math.Abs(want)
		}) {
			return false
		}
	}
	return true
}

// about says whether the conditions pick records of a data set.
func (c Conditions) about(dataset string) bool {
	only := c["dataset"].Value
	return only == nil || slices.Contains(only, dataset)
}

// methodIDs lists the ids of methods that the conditions name.
func (c Conditions) methodIDs() Words {
	return lists.Map(c["method"].Value, func(id string) Word { return Word{id, c["method"].Pos} })
}

// decodeNode reads `where`: a mapping from column to a scalar or a list of them.
func (c *Conditions) decodeNode(d *decoder, n *yaml.Node, at place) {
	if !d.isMapping(n, at, "a mapping from column to value or values") {
		return
	}
	*c = Conditions{}
	for key, value := range pairs(n) {
		column := key.Value
		if len(entries(value)) == 0 {
			d.add(value, "%q of %s is an empty list; it would pick nothing", column, at.label)
		}
		var words []string
		for _, entry := range entries(value) {
			if word, ok := d.conditionWord(entry, place{label: quote(column) + " of " + at.label}); ok {
				words = append(words, word)
			}
		}
		(*c)[column] = Located[[]string]{words, d.pos(key)}
	}
}

func (d *decoder) conditionWord(n *yaml.Node, at place) (string, bool) {
	switch {
	case n.Kind != yaml.ScalarNode || isNull(n) || n.ShortTag() == "!!bool":
		d.wrong(n, at, "a number or a name")
		return "", false
	case isNumber(n):
		x, ok := d.number(n, at)
		return plain.Number(x + 0), ok // no negative zero
	}
	return n.Value, true
}

func (*Conditions) schema(reflect.StructTag) *JSONSchema {
	word := &JSONSchema{AnyOf: []*JSONSchema{{Type: "number"}, {Type: "string"}}}
	return &JSONSchema{Type: "object", Additional: orList(word)}
}
