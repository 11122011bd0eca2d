// Package plain writes numbers, lists and tables, and shows texts from outside, in
// one way everywhere.
package plain

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Number writes v in the shortest form that reads back bit for bit, without an
// exponent for everyday sizes.
func Number(v float64) string {
	if v == float64(int64(v)) && v > -1e15 && v < 1e15 && (v != 0 || 1/v > 0) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Six writes v with six significant digits, whole numbers with all of theirs.
func Six(v float64) string {
	if v != math.Trunc(v) {
		if r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64); err == nil {
			v = r
		}
	}
	return Number(v)
}

// Finite says whether v is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Count writes "1 record", "2 records"; many is the plural where it is not one with
// an s.
func Count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Capital is s with a capital first letter, if it begins with a word in lower case that is
// no symbol: of two letters at least before a hyphen, or "a".
func Capital(s string) string {
	if first := lowerWord.FindString(s); first == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

var lowerWord = regexp.MustCompile(`^(?:\p{Ll}{2,}(?:-\p{Ll}+)*|a)(?:[ ,:;.]|$)`)

// Some joins at most that many names and counts the rest.
func Some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Text is s on one line, without what Shown leaves out.
func Text(s string) string { return strings.Join(strings.Fields(Shown(s)), " ") }

// Shown is s without characters that steer a terminal, line feeds and tabs apart, and
// without those of private use.
func Shown(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Co, r) || turnsDirection(r):
			return '�'
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// turnsDirection says whether r changes the direction in which other characters are shown.
func turnsDirection(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

// Duration writes a duration in tenths of a second below ten, else in whole seconds.
func Duration(d time.Duration) string {
	if d < 9950*time.Millisecond {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}
