package page

import (
	"fmt"
	"strings"
	"unicode"

	"mercer/internal/lists"
)

// Markdown is the page as Markdown.
func (p *Page) Markdown() []byte {
	var m markdownWriter
	for _, b := range p.blocks {
		m.block(b)
	}
	return []byte(m.String())
}

// markdownWriter is a Markdown text in the making.
type markdownWriter struct{ strings.Builder }

// paragraph writes lines and an empty one.
func (m *markdownWriter) paragraph(format string, args ...any) {
	fmt.Fprintf(m, format, args...)
	m.WriteString("\n\n")
}

func (m *markdownWriter) block(b block) {
	switch b.kind {
	case headingBlock:
		m.paragraph("%s %s", strings.Repeat("#", b.level), markdownText(b.text))
	case paragraphBlock:
		m.paragraph("%s", markdownText(b.text))
	case asideBlock:
		m.paragraph("> %s", markdownText(b.text))
	case listBlock:
		for _, item := range b.items {
			fmt.Fprintf(m, "- %s\n", markdownText(item))
		}
		m.WriteString("\n")
	case stripBlock:
		counts := lists.Map(b.counts, func(c Count) string { return markdownText(fmt.Sprintf("%s %d", Outcome(c.Outcome), c.Times)) })
		m.paragraph("%s", strings.Join(counts, " · "))
	case tableBlock:
		m.table(b.table)
	case figureBlock:
		m.paragraph("![%s](%s)", escapeMarkdown(b.figure.Alt, true), b.figure.Path)
	case shellBlock:
		fence := fenceFor(b.text)
		m.paragraph("%ssh\n%s\n%s", fence, b.text, fence)
	}
}

// table writes the first rows of a table. Rows that are shorter than the header
// are filled up.
func (m *markdownWriter) table(t Table) {
	line := func(cells []string) {
		texts := make([]string, len(t.Header))
		for i, cell := range cells {
			texts[i] = markdownText(cell)
		}
		fmt.Fprintf(m, "| %s |\n", strings.Join(texts, " | "))
	}
	line(t.Header)
	marks := make([]string, len(t.Header))
	for i := range t.Header {
		marks[i] = map[byte]string{'l': ":--", 'r': "--:", 'c': ":-:"}[t.Align[i]]
	}
	fmt.Fprintf(m, "| %s |\n", strings.Join(marks, " | "))
	rows, rest := t.first(t.Most)
	for _, row := range rows {
		line(row)
	}
	m.WriteString("\n")
	if rest != "" {
		m.paragraph("%s", markdownText(rest))
	}
}

// fenceFor is a code fence longer than any run of backticks in text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// markdownMarks are the marks of a page in Markdown.
var markdownMarks = strings.NewReplacer(strongMark, "**", strongEnd, "**", emphasisMark, "*", emEnd, "*", linkMark, "[", hrefMark, "](", linkEnd, ")", "\n", "  \n")

// markdownText writes a text of a page as it stands in a paragraph or a table.
func markdownText(text string) string {
	code := func(text string) string {
		if strings.ContainsAny(text, "`|") {
			return escapeMarkdown(text, false)
		}
		return "`" + text + "`"
	}
	outcome := func(text string) string {
		switch {
		case strings.HasPrefix(text, "viol"), text == "control holds":
			text = strongMark + text + strongEnd
		case strings.HasPrefix(text, "inc"), strings.HasSuffix(text, "vacuous"):
			text = emphasisMark + text + emEnd
		}
		return escapeMarkdown(text, false)
	}
	return markdownMarks.Replace(render(text, escapeMarkdown, code, outcome))
}

// escapeMarkdown makes s show as it is: nothing in it is read as markup. first
// says that it begins a block.
func escapeMarkdown(s string, first bool) string {
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		before, after := ' ', ' '
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		if markup(before, r, after, first && i == 0) {
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
	case '[':
		return first && !unicode.IsDigit(after) && after != '-'
	case '#', '>', '+', '-':
		return first && (r == '#' || r == '>' || unicode.IsSpace(after))
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
