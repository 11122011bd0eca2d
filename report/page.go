package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// page is a report in the making: blocks in order, which markdown.go and html.go
// write each in its way. The texts of its blocks are plain but for the marks of
// code, strong, emphasis, link and outcome; texts from outside go through escape
// or code first, which leave no such mark in them.
type page struct{ blocks []block }

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
	table  table
	figure figure
}

// table is a table whose texts are those of a page.
type table struct {
	align  string // a letter a column: l, r or c
	header []string
	rows   [][]string
	most   int    // rows that Markdown shows; 0 for all
	all    int    // number of rows, where not all are given
	noun   string // of what is cut off
	where  string // file that has all of it
}

// first is up to most rows, all where most is 0, and what to say of the rest.
func (t table) first(most int) (rows [][]string, rest string) {
	more := max(t.all, len(t.rows)) - most
	if most == 0 || more <= 0 {
		return t.rows, ""
	}
	most = min(most, len(t.rows))
	what := fmt.Sprint(more)
	if t.noun != "" {
		what = count(more, t.noun)
	}
	return t.rows[:most], fmt.Sprintf("… and %s more in %s.", what, code(t.where))
}

func (p *page) heading(level int, text string) {
	p.blocks = append(p.blocks, block{kind: headingBlock, level: level, text: text})
}

func (p *page) para(format string, args ...any) {
	p.blocks = append(p.blocks, block{kind: paragraphBlock, text: fmt.Sprintf(format, args...)})
}

func (p *page) aside(format string, args ...any) {
	p.blocks = append(p.blocks, block{kind: asideBlock, text: fmt.Sprintf(format, args...)})
}

func (p *page) shell(command string) {
	p.blocks = append(p.blocks, block{kind: shellBlock, text: command})
}

// list is a list with one item a line; nothing without items.
func (p *page) list(items []string) {
	if len(items) > 0 {
		p.blocks = append(p.blocks, block{kind: listBlock, items: items})
	}
}

// table is a table that is shown whole; align has a letter a column: l, r or c.
func (p *page) table(align string, header []string, rows [][]string) {
	p.cutTable(table{align: align, header: header, rows: rows})
}

// cutTable is a table of which Markdown shows t.most rows.
func (p *page) cutTable(t table) {
	p.blocks = append(p.blocks, block{kind: tableBlock, table: t})
}

// figure is a figure, where there is one, and what it does not show.
func (p *page) figure(f figure) {
	if f.path != "" {
		f.alt = escape(f.alt)
		p.blocks = append(p.blocks, block{kind: figureBlock, figure: f})
	}
	if f.note != "" {
		p.para("%s", escape(f.note))
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

// escape makes a text from outside show as it is, on one line.
func escape(s string) string { return printable(s) }

// code shows a name as code.
func code(s string) string {
	if s = printable(s); s == "" {
		return ""
	}
	return marked(codeMark, s)
}

// codes joins names.
func codes(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = code(name)
	}
	return strings.Join(out, ", ")
}

// strong and emphasis take texts of a page.
func strong(text string) string   { return marked(strongMark, text) }
func emphasis(text string) string { return marked(emphasisMark, text) }

// link leads to a file of the report.
func link(path, text string) string {
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

// printable is s on one line, without characters that steer a terminal and
// without marks.
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
