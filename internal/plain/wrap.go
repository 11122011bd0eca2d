package plain

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwarp"
)

// Wrap breaks text into lines of at most width columns, between words. A longer word makes all lines
// as wide as itself. There is one line at least.
func Wrap(text string, width int) []string {
	lines, _ := twwarp.WrapString(text, width)
	return lines
}

// Quote quotes a word for a shell where it needs to be.
func Quote(word string) string {
	ordinary := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+%@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !ordinary(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
