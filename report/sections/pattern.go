package sections

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is texts that differ in their numbers alone.
type pattern struct {
	parts     []string // between the numbers: one more than there are numbers
	low, high []string // the least and the greatest of each number, as written
}

var numeral = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?`)

// patternOf takes a text apart. A numeral that belongs to a word, such as L2 or
// 5x, is no number.
func patternOf(text string) pattern {
	var p pattern
	from := 0
	for _, at := range numeral.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if partOfWord(before) || partOfWord(after) || before == '.' {
			continue
		}
		p.parts = append(p.parts, text[from:at[0]])
		p.low = append(p.low, text[at[0]:at[1]])
		from = at[1]
	}
	p.parts = append(p.parts, text[from:])
	p.high = append([]string(nil), p.low...)
	return p
}

func partOfWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || r == '_') }

// id is the same for texts of one pattern.
func (p pattern) id() string { return strings.Join(p.parts, "\x00") }

// widen takes in the numbers of another text of the same pattern.
func (p *pattern) widen(other pattern) {
	for i := range p.low {
		if parsed(other.low[i]) < parsed(p.low[i]) {
			p.low[i] = other.low[i]
		}
		if parsed(other.high[i]) > parsed(p.high[i]) {
			p.high[i] = other.high[i]
		}
	}
}

func parsed(numeral string) float64 {
	v, err := strconv.ParseFloat(numeral, 64)
	if err != nil { // out of range: v is infinite, which is what is meant
		return v
	}
	return v
}

// String writes the pattern with a range in place of each number that varies.
func (p pattern) String() string {
	var b strings.Builder
	for i, part := range p.parts {
		b.WriteString(part)
		switch {
		case i == len(p.low):
		case p.low[i] == p.high[i]:
			b.WriteString(p.low[i])
		default:
			b.WriteString(p.low[i] + " … " + p.high[i])
		}
	}
	return b.String()
}
