package page

import (
	"fmt"
	"slices"
	"strings"

	"mercer/report/figure"
	"mercer/report/format"
)

// Page is a report in the making: blocks in order, which markdown.go and html.go
// write each in its way. The texts of its blocks are plain but for the marks of
// code, strong, emphasis, link and outcome; texts from outside go through Escape
// or Code first, which leave no such mark in them.
type Page struct{ blocks []block }

type blockKind int

const (
	headingBlock blockKind = iota
	paragraphBlock
	asideBlock // a warning at the top
	listBlock
	tableBlock
	figureBlock
	shellBlock // a command
)

// block is one of a page's blocks; which fields it has its kind says.
type block struct {
	kind   blockKind
	level  int // of a heading: 1 to 3
	text   string
	items  []string
	table  Table
	figure figure.Figure
}

// Table is a table whose texts are those of a page.
type Table struct {
	Align  string // a letter a column: l, r or c
	Header []string
	Rows   [][]string
	Most   int    // rows that Markdown shows; 0 for all
	All    int    // number of rows, where not all are given
	Noun   string // of what is cut off
	Where  string // file that has all of it
}

// first is up to most rows, all where most is 0, and what to say of the rest.
func (t Table) first(most int) (rows [][]string, rest string) {
	more := max(t.All, len(t.Rows)) - most
	if most == 0 || more <= 0 {
		return t.Rows, ""
	}
	most = min(most, len(t.Rows))
	what := fmt.Sprint(more)
	if t.Noun != "" {
		what = format.Count(more, t.Noun)
	}
	return t.Rows[:most], fmt.Sprintf("… and %s more in %s.", what, Code(t.Where))
}

func (p *Page) Heading(level int, text string) {
	p.blocks = append(p.blocks, block{kind: headingBlock, level: level, text: text})
}

func (p *Page) Para(format string, args ...any) {
	p.blocks = append(p.blocks, block{kind: paragraphBlock, text: fmt.Sprintf(format, args...)})
}

func (p *Page) Aside(format string, args ...any) {
	p.blocks = append(p.blocks, block{kind: asideBlock, text: fmt.Sprintf(format, args...)})
}

func (p *Page) Shell(command string) {
	p.blocks = append(p.blocks, block{kind: shellBlock, text: command})
}

// List is a list with one item a line; nothing without items.
func (p *Page) List(items []string) {
	if len(items) > 0 {
		p.blocks = append(p.blocks, block{kind: listBlock, items: items})
	}
}

// Table is a table that is shown whole; align has a letter a column: l, r or c.
func (p *Page) Table(align string, header []string, rows [][]string) {
	p.CutTable(Table{Align: align, Header: header, Rows: rows})
}

// CutTable is a table of which Markdown shows t.most rows.
func (p *Page) CutTable(t Table) {
	p.blocks = append(p.blocks, block{kind: tableBlock, table: t})
}

// Figure is a figure, where there is one, and what it does not show.
func (p *Page) Figure(f figure.Figure) {
	if f.Path != "" {
		f.Alt = Escape(f.Alt)
		p.blocks = append(p.blocks, block{kind: figureBlock, figure: f})
	}
	if f.Note != "" {
		p.Para("%s", Escape(f.Note))
	}
}

// Marks in the texts of a page. They are of Unicode's private use.
const (
	codeMark     = '\uE010'
	strongMark   = '\uE011'
	emphasisMark = '\uE012'
	outcomeMark  = '\uE013'
	linkMark     = '\uE014' // the address, hrefMark, the text
	hrefMark     = '\uE015'
	endMark      = '\uE016'
)

func marked(mark rune, text string) string { return string(mark) + text + string(endMark) }

// Escape makes a text from outside show as it is, on one line.
func Escape(s string) string { return format.Printable(s) }

// Code shows a name as code.
func Code(s string) string {
	if s = format.Printable(s); s == "" {
		return ""
	}
	return marked(codeMark, s)
}

// Codes joins names.
func Codes(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = Code(name)
	}
	return strings.Join(out, ", ")
}

// Strong and emphasis take texts of a page.
func Strong(text string) string { return marked(strongMark, text) }

func Emphasis(text string) string { return marked(emphasisMark, text) }

// Outcome shows what became of a claim.
func Outcome(text string) string { return marked(outcomeMark, Escape(text)) }

// Link leads to a file of the report.
func Link(path, text string) string {
	return marked(linkMark, path+string(hrefMark)+text)
}

// Kinds of spans, by the names that the template of the HTML report uses.
const (
	plainSpan    = ""
	codeSpan     = "code"
	strongSpan   = "strong"
	emphasisSpan = "em"
	outcomeSpan  = "outcome"
	linkSpan     = "link"
	breakSpan    = "break"
)

var spanKinds = map[rune]string{codeMark: codeSpan, strongMark: strongSpan, emphasisMark: emphasisSpan, outcomeMark: outcomeSpan, linkMark: linkSpan}

// inline is a stretch of a text: plain text, code and outcome have Text, the others
// what is Inside.
type inline struct {
	Kind   string
	Text   string
	Href   string
	Inside []inline
}

// spansOf takes a text apart. A mark without an end reaches to the end of the
// text; an end without a mark is nothing.
func spansOf(text string) []inline {
	spans, _ := parseSpans([]rune(text), 0)
	return spans
}

// parseSpans reads up to the end of what is open and returns where it stopped.
func parseSpans(text []rune, at int) (spans []inline, next int) {
	var plain []rune
	flush := func() {
		if len(plain) > 0 {
			spans, plain = append(spans, inline{Text: string(plain)}), nil
		}
	}
	for at < len(text) {
		r := text[at]
		at++
		kind, opens := spanKinds[r]
		switch {
		case r == endMark:
			flush()
			return spans, at
		case r == '\n':
			flush()
			spans = append(spans, inline{Kind: breakSpan})
		case opens:
			flush()
			s := inline{Kind: kind}
			if i := slices.Index(text[at:], hrefMark); kind == linkSpan && i >= 0 {
				s.Href, at = string(text[at:at+i]), at+i+1
			}
			s.Inside, at = parseSpans(text, at)
			if kind == codeSpan || kind == outcomeSpan {
				s.Text, s.Inside = plainText(s.Inside), nil
			}
			spans = append(spans, s)
		default:
			plain = append(plain, r)
		}
	}
	flush()
	return spans, at
}

// plainText is what spans say.
func plainText(spans []inline) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text + plainText(s.Inside))
	}
	return b.String()
}
