// Package plain writes numbers, and shows texts from outside, in one way everywhere.
package plain

import (
	"strconv"
	"strings"
	"unicode"
)

// Number writes v in the shortest form that reads back bit for bit, without an
// exponent for everyday sizes.
func Number(v float64) string {
	if v == float64(int64(v)) && v > -1e15 && v < 1e15 && (v != 0 || 1/v > 0) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Text is s on one line, without characters that steer a terminal and
// without those of private use.
func Text(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Co, r) || turnsDirection(r):
			return '�'
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	return strings.Join(strings.Fields(s), " ")
}

// turnsDirection says whether what follows r is shown in another direction.
func turnsDirection(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}
