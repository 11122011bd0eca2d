package files

import (
	"fmt"
	"strings"
)

// Error is a mistake at a place in a text file. Line and Col count from 1, Col
// in bytes; 0 is unknown.
type Error struct {
	File      string
	Line, Col int
	Text      string // the offending text; may be empty
	Problem   string // what is wrong with it and what to do
}

// Error gives file:line:col: "text": problem.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Col > 0 {
			fmt.Fprintf(&b, ":%d", e.Col)
		}
	}
	b.WriteString(": ")
	if e.Text != "" {
		fmt.Fprintf(&b, "%q: ", shorten(e.Text))
	}
	b.WriteString(e.Problem)
	return b.String()
}

func shorten(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}
