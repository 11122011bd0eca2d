package files

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
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

// isText refuses UTF-16, by its mark or by zero bytes of ASCII, and lines that end in CR alone.
func (in *input) isText() error {
	head, _ := in.Peek(2)
	mark := bytes.Equal(head, []byte("\xff\xfe")) || bytes.Equal(head, []byte("\xfe\xff"))
	if mark || len(head) == 2 && (head[0] == 0) != (head[1] == 0) {
		return &Error{File: in.name, Problem: "UTF-16, not UTF-8; convert it, such as by: iconv -f UTF-16 -t UTF-8 FILE > NEW"}
	}
	if start, _ := in.Peek(1 << 16); bytes.IndexByte(start, '\r') >= 0 && bytes.IndexByte(start, '\n') < 0 {
		return &Error{File: in.name, Problem: "its lines end in CR alone, as old programs write them; convert it by: tr '\\r' '\\n' < FILE > NEW"}
	}
	return nil
}

func shorten(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}

// number reads a finite float64 in decimal digits, as pandas and NumPy read one: +1,
// .5 and blanks around it will do, 0x10 and 1_000 will not. The problem is empty on
// success.
func number(text string) (v float64, problem string) {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0, "empty cell: every coordinate needs a number; fill it in or drop the row"
	}
	v, err := parse(s)
	switch {
	case !decimal(s) && (err == nil || errors.Is(err, strconv.ErrRange)):
		return 0, "not a number: write it in decimal digits, without 0x and _"
	case math.IsInf(v, 0) && err != nil:
		return 0, "number beyond the range of float64"
	case err != nil && decimalComma.MatchString(s):
		return 0, "not a number: decimals need a point, not a comma"
	case err != nil:
		return 0, "not a number"
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, "not a finite number; drop the row or fill in a value"
	}
	return v, ""
}

// parse reads a number of Go's syntax, and 0x10, which Go reads with an exponent alone.
func parse(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrSyntax) && !decimal(s) {
		return strconv.ParseFloat(s+"p0", 64)
	}
	return v, err
}

// decimal says that a number of Go's syntax has neither a base nor underscores.
func decimal(s string) bool {
	for i := range len(s) {
		if s[i] == '_' || s[i]|0x20 == 'x' {
			return false
		}
	}
	return true
}
