package configs

import (
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
)

// checker checks what concerns more than one value of a decoded spec. What failed to decode
// spoils no check of the rest: the names of a section with mistakes are not known, and then
// nothing is looked up in them.
type checker struct {
	*Decoder
	spec     *Spec
	names    map[string][]string  // by what they name: dataset, method, column … Nil is not known
	whole    map[string][]string  // those of the spec that a profile has changed to this one
	several  []string             // variables of the grid with more than one value
	numbers  map[string][]float64 // values of numeric columns, where all are known
	warnings []error
}

// lookup reports a word that is not one of the known names. An empty word has been
// reported as missing.
func (c *checker) lookup(what string, word Word, where string) {
	c.lookupIn(c.names[what], what, word, where)
}

func (c *checker) lookupIn(known []string, what string, word Word, where string) {
	switch {
	case word.Value == "" || known == nil || c.full() || slices.Contains(known, word.Value):
	case slices.Contains(c.whole[what], word.Value):
		c.add(word.Pos, "%s needs %s %q, which the profile leaves out; keep both, or neither", where, what, word.Value)
	default:
		c.add(word.Pos, "%s", Unknown(what, word.Value, where, known))
	}
}

func (c *checker) lookupAll(what string, words Words, where string) {
	for _, word := range words {
		c.lookup(what, word, where)
	}
}

// axis looks up a variable whose values are numbers.
func (c *checker) axis(known []string, word Word, where string) {
	c.lookupIn(known, "grid variable", word, where)
	if c.texts[word.Value] {
		c.add(word.Pos, "%s needs numbers, and %s is a text column", where, word.Value)
	}
}

// noText reports text columns in arithmetic.
func (c *checker) noText(v Value) {
	for _, name := range v.Names() {
		if c.texts[name] {
			c.problems.Add(v.program().problem(name + " is a text column, which has no place in arithmetic"))
		}
	}
}

func (c *checker) checkSelection(sel Selection, where string) {
	for column, words := range sel.Where {
		c.lookup("column", Word{column, words.Pos}, `"where" of `+where)
		for _, word := range words.Value {
			at := Word{word, words.Pos}
			switch {
			case column == "dataset" || column == "method" || column == "kernel" && len(c.names[column]) > 0: // else those that the datasets bring, whose names are not known here
				c.lookup(column, at, where)
			case slices.Contains(c.names["grid variable"], column) && !c.texts[column]:
				c.checkNumber(column, at, where)
			}
		}
	}
	c.lookupAll("column", sel.By, `"by" of `+where)
}

// checkNumber reports a word that is no number, and warns of a number that no cell has
// in its column: a grid may have been cut for a shorter run.
func (c *checker) checkNumber(column string, word Word, where string) {
	x, ok := parseNumber(word.Value)
	if !ok {
		c.add(word.Pos, "%q in \"where\" of %s must be a number, found %s", column, where, quote(word.Value))
		return
	}
	values, near := c.numbers[column], 1e-9*math.Abs(x)
	at, _ := slices.BinarySearch(values, x-near)
	if len(values) == 0 || at < len(values) && values[at] <= x+near {
		return
	}
	const limit = 20
	texts := lists.Map(values[:min(limit, len(values))], plain.Number)
	if len(values) > limit {
		texts = append(texts, "...")
	}
	c.warnings = append(c.warnings, Errorf(word.Pos, "\"where\" of %s: no cell has %s = %s; %s is %s", where, column, plain.Number(x), column, strings.Join(texts, ", ")))
}

// checkQuantities reports expressions over metrics that do not compile; an empty one
// has been reported as missing.
func (c *checker) checkQuantities(quantities ...Quantity) {
	for _, q := range quantities {
		if q.Text != "" {
			c.problems.Add(q.Err())
			c.noText(Value(q))
		}
	}
}

// checkConstants reports expressions without a variable that have no value, such as
// 1/0, and text columns in expressions.
func (c *checker) checkConstants(values []Value) {
	for _, v := range values {
		c.noText(v)
		if len(v.Names()) == 0 {
			_, err := v.Eval(nil)
			c.problems.Add(err)
		}
	}
}

// checkTarget checks that exactly one thing is claimed.
func (c *checker) checkTarget(pos Pos, where string, equals, atMost, atLeast, within *Value) {
	switch count := len(given(equals, atMost, atLeast)); {
	case count != 1:
		c.add(pos, "%s needs exactly one of equals, at_most, at_least, found %d", where, count)
	case equals != nil && within == nil:
		c.add(equals.Pos, "%s has equals without within; say how near is equal", where)
	case equals == nil && within != nil:
		c.add(within.Pos, "%s has within without equals", where)
	}
	if within != nil {
		c.checkWithin(within, where)
	}
}

// checkFixed reports targets that name a variable with several values inside every group
// that sel makes, which no verdict could be reached for. Where a numeric column is fixed or
// told apart, the variable may follow from it, and only the records tell.
func (c *checker) checkFixed(sel Selection, where string, targets ...Value) {
	numeric := func(column string) bool { return slices.Contains(c.names["grid variable"], column) }
	words := slices.Collect(maps.Keys(sel.Where))
	for _, word := range sel.By {
		words = append(words, word.Value)
	}
	if slices.ContainsFunc(words, numeric) {
		return
	}
	for _, target := range targets {
		for _, name := range target.Names() {
			if slices.Contains(c.several, name) {
				c.add(target.Pos, "%q of %s uses %s, which has several values in each group; tell them apart by: [%s], or fix one in where: {%s: ...}", target.Text, where, name, name, name)
				return
			}
		}
	}
}

func (c *checker) checkWithin(within *Value, where string) {
	if x, ok := within.Number(); ok && x < 0 {
		c.add(within.Pos, "\"within\" of %s must not be negative, found %s", where, within.Text)
	}
}
