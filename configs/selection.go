package configs

import (
	"math"
	"reflect"
	"slices"

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
	By    Words      `yaml:"by" names:"column" unique:"true" doc:"Columns that split the records into groups, each with its own verdict."`
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

// DecodeNode reads `where`: a mapping from column to a scalar or a list of them.
func (c *Conditions) DecodeNode(n *Node, d *Decoder) {
	if !d.isMapping(n, "a mapping from column to value or values") {
		return
	}
	*c = Conditions{}
	for _, p := range n.Pairs {
		d.lookup("column", Word{p.Key, p.At})
		inner := d.under(p.Key, d.tag)
		if len(p.Value.entries()) == 0 {
			inner.Errorf(p.Value, "is an empty list; it would pick nothing")
		}
		var words []string
		for _, entry := range p.Value.entries() {
			if entry.Kind == Text {
				words = append(words, entry.Text)
			} else if x, _, ok := inner.number(entry, "a number or a name"); ok {
				words = append(words, plain.Number(x+0)) // no negative zero
			}
		}
		(*c)[p.Key] = Located[[]string]{words, p.At}
		switch {
		case p.Key == "dataset" || p.Key == "method" || p.Key == "kernel" && len(d.ids["kernel"]) > 0: // else data sets bring kernels, whose names are not known here
			inner.lookupWords(p.Key, words, p.At)
		case slices.Contains(d.ids["grid variable"], p.Key):
			inner.checkWords(p.Key, words, p.At)
		}
	}
}

// lookupWords looks up what a condition names. Of several data sets, or where only a mark depends
// on it, a profile may leave some out.
func (d *Decoder) lookupWords(column string, words []string, at Pos) {
	left := lists.Where(words, func(word string) bool { return !slices.Contains(d.leftOut[column], word) })
	if column == "dataset" && (len(left) > 0 || d.tag.Get("spare") == "true") {
		words = left
	}
	for _, word := range words {
		d.lookup(column, Word{word, at})
	}
}

// checkWords reports words that are no numbers where a column has numbers, and warns of values that no
// cell has: a grid may have been cut for a shorter run.
func (d *Decoder) checkWords(column string, words []string, at Pos) {
	const most = 20
	values := d.values[column]
	for _, word := range words {
		_, number := parseNumber(word)
		switch {
		case !number && d.texts[column] != Text:
			d.add(at, "%s must be a number, found %s", d.label, quote(word))
		case values != nil && !slices.ContainsFunc(values, func(v Scalar) bool { return v.matches(word) }):
			d.warnings = append(d.warnings, Errorf(at, "%s: no cell has %s = %s; %s is %s",
				d.label, column, word, column, plain.Some(lists.Map(values, Scalar.String), most)))
		}
	}
}

// Takes says so in words.
func (*Conditions) Takes(reflect.StructTag) string { return "a mapping" }
