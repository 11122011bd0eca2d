package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// printable is s on one line, without characters that steer a terminal.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "�")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Co, r) || isBidi(r):
			return '�'
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// isBidi says that r turns the direction of what follows.
func isBidi(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// escape makes s show as it is in a Markdown paragraph or table: on one line,
// nothing in it read as markup.
func escape(s string) string {
	runes := []rune(printable(s))
	var b strings.Builder
	for i, r := range runes {
		before, after := ' ', ' '
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		if markup(before, r, after, i == 0) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markup says whether r could be read as markup between its neighbours.
func markup(before, r, after rune, first bool) bool {
	switch r {
	case '\\', '`', '*', '|', '~', '$':
		return true
	case '_':
		return !wordRune(before) || !wordRune(after)
	case '<':
		return !unicode.IsSpace(after) && after != '='
	case '&':
		return after == '#' || unicode.IsLetter(after)
	case ']':
		return after == '(' || after == '[' || after == ':'
	case '[', '#', '>', '+', '-':
		return first && (r == '[' || r == '#' || r == '>' || unicode.IsSpace(after))
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// code shows a name as code where that is safe in a table, else as text.
func code(s string) string {
	if s = printable(s); s == "" || strings.ContainsAny(s, "`|") {
		return escape(s)
	}
	return "`" + s + "`"
}

// codes joins names.
func codes(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = code(name)
	}
	return strings.Join(out, ", ")
}

// page is a Markdown text in the making. What is given to it is Markdown
// already: texts from outside go through escape or code first.
type page struct{ strings.Builder }

func (p *page) heading(level int, text string) {
	p.para("%s %s", strings.Repeat("#", level), text)
}

// para writes a block and an empty line.
func (p *page) para(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
	p.WriteString("\n\n")
}

// list writes a list with one item a line.
func (p *page) list(items []string) {
	for _, item := range items {
		fmt.Fprintf(p, "- %s\n", item)
	}
	if len(items) > 0 {
		p.WriteString("\n")
	}
}

// table writes a table; align has a letter a column: l, r or c. Rows that are
// shorter than the header are filled up.
func (p *page) table(align string, header []string, rows [][]string) {
	line := func(cells []string) {
		cells = append(slices.Clone(cells), make([]string, max(0, len(header)-len(cells)))...)
		fmt.Fprintf(p, "| %s |\n", strings.Join(cells, " | "))
	}
	line(header)
	marks := make([]string, len(header))
	for i := range header {
		marks[i] = map[byte]string{'l': ":--", 'r': "--:", 'c': ":-:"}[align[i]]
	}
	line(marks)
	for _, row := range rows {
		line(row)
	}
	p.WriteString("\n")
}
