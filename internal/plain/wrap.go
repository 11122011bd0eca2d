package plain

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Wrap breaks text into lines of at most width columns, between words where it
// can. There is one line at least.
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
