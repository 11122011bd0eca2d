package plain

import (
	"regexp"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Wrap breaks text into lines of at most width columns, between words where it
// can; a word that is too long behind a hyphen, underscore, slash or comma where it can.
// There is one line at least.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for twwidth.Width(word) > width { // too long for any line
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := twwidth.Truncate(word, width, "")
			if head == "" {
				break
			}
			if i := strings.LastIndexAny(head, "-_/,"); i > 0 {
				head = head[:i+1]
			}
			lines, word = append(lines, head), strings.TrimPrefix(word, head)
		}
		switch {
		case line == "":
			line = word
		case twwidth.Width(line)+1+twwidth.Width(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// shellWord is a word of a command, with what it has in single quotes.
var shellWord = regexp.MustCompile(`(?:\\.|'[^']*'|[^ ])+`)

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
