package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
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
	stripBlock // counts of outcomes
	tableBlock
	figureBlock
	shellBlock  // a command
	leadBlock   // the first screen begins
	besideBlock // what follows stands beside it
	endBlock
)

// block is one of a page's blocks; which fields it has its kind says.
type block struct {
	kind   blockKind
	level  int  // of a heading: 1 to 3
	folded bool // of a heading: its section is shown on demand
	text   string
	name   string // of a heading: what LaTeX calls the table below it
	items  []string
	counts []Count
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
	Cards  bool   // on a narrow screen each row is a card, so that none of its cells is off the screen
}

// withoutEmpty is t without the columns in which no row has a value.
func (t Table) withoutEmpty() Table {
	kept := t
	kept.Align, kept.Header, kept.Rows = "", nil, make([][]string, len(t.Rows))
	for i, header := range t.Header {
		has := func(row []string) bool { return i < len(row) && row[i] != "" && row[i] != format.None }
		if len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, has) {
			continue
		}
		kept.Align, kept.Header = kept.Align+t.Align[i:i+1], append(kept.Header, header)
		for k, row := range t.Rows {
			if i < len(row) {
				kept.Rows[k] = append(kept.Rows[k], row[i])
			}
		}
	}
	return kept
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
		what = plain.Count(more, t.Noun)
	}
	return t.Rows[:most], fmt.Sprintf("… and %s more in %s.", what, Code(t.Where))
}

func (p *Page) Heading(level int, text string) {
	p.blocks = append(p.blocks, block{kind: headingBlock, level: level, text: text})
}

// Named is a heading whose table LaTeX calls by a name.
func (p *Page) Named(level int, text, name string) {
	p.blocks = append(p.blocks, block{kind: headingBlock, level: level, text: text, name: name})
}

// Folded is a heading of level 2 whose section HTML shows on demand, with what it is about
// beside it until then.
func (p *Page) Folded(text string, about ...string) {
	p.blocks = append(p.blocks, block{kind: headingBlock, level: 2, text: text, items: about, folded: true})
}

// Lead is the first screen: what say writes, and beside it a figure, where there is one.
func (p *Page) Lead(say func(), f figure.Figure) {
	p.blocks = append(p.blocks, block{kind: leadBlock})
	say()
	p.blocks = append(p.blocks, block{kind: besideBlock})
	if f.Path != "" {
		p.Figure(figure.Figure{Path: f.Path, Alt: f.Alt, Chart: f.Chart})
	}
	if f.Path != "" {
		says := ""
		if f.Says != "" {
			says = strings.TrimSuffix(f.Says, ".") + ". "
		}
		p.Para("%s", Escape(says+f.Shows))
	}
	p.blocks = append(p.blocks, block{kind: endBlock})
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

// Count is how often an outcome occurs.
type Count struct {
	Outcome string
	Times   int
}

// Strip is a line of counts; nothing without counts.
func (p *Page) Strip(counts []Count) {
	if len(counts) > 0 {
		p.blocks = append(p.blocks, block{kind: stripBlock, counts: counts})
	}
}

// Table is a table that is shown whole; align has a letter a column: l, r or c.
func (p *Page) Table(align string, header []string, rows [][]string) {
	p.CutTable(Table{Align: align, Header: header, Rows: rows})
}

// CutTable is a table of which Markdown shows t.most rows. Of one whose rows a narrow screen
// shows as cards, columns without any value are left out.
func (p *Page) CutTable(t Table) {
	if t.Cards {
		t = t.withoutEmpty()
	}
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
	codeMark, codeEnd       = "\uE010", "\uE011"
	strongMark, strongEnd   = "\uE012", "\uE013"
	emphasisMark, emEnd     = "\uE014", "\uE015"
	outcomeMark, outcomeEnd = "\uE016", "\uE017"
	linkMark, hrefMark      = "\uE018", "\uE019" // the text, hrefMark, the address, linkEnd
	linkEnd                 = "\uE01A"
)

// unmarked takes the marks out of a text, and the addresses of links.
func unmarked(text string) string { return marks.ReplaceAllString(text, "") }

var marks = regexp.MustCompile(hrefMark + "[^" + linkEnd + "]*|[" + codeMark + "-" + linkEnd + "]")

// Escape makes a text from outside show as it is, on one line.
func Escape(s string) string { return plain.Text(s) }

// Escaped are texts from outside.
func Escaped(texts []string) []string {
	return lists.Map(texts, Escape)
}

// Code shows a name as code.
func Code(s string) string {
	if s = plain.Text(s); s == "" {
		return ""
	}
	return codeMark + s + codeEnd
}

// Codes joins names.
func Codes(names []string) string {
	return strings.Join(lists.Map(names, Code), ", ")
}

// Strong and Emphasis take texts of a page.
func Strong(text string) string { return strongMark + text + strongEnd }

func Emphasis(text string) string { return emphasisMark + text + emEnd }

// Outcome shows what became of a claim.
func Outcome(text string) string { return outcomeMark + Escape(text) + outcomeEnd }

// Link leads to a file of the report.
func Link(path, text string) string { return linkMark + text + hrefMark + path + linkEnd }

// whole finds the code and the outcomes of a text, whose insides are written as a whole.
var whole = regexp.MustCompile(codeMark + "[^" + codeEnd + "]*" + codeEnd + "|" + outcomeMark + "[^" + outcomeEnd + "]*" + outcomeEnd)

// render writes a text: what lies between code and outcomes by plain, these by their own
// functions. first says that a stretch begins the text.
func render(text string, plain func(text string, first bool) string, code, outcome func(string) string) string {
	var b strings.Builder
	from := 0
	for _, at := range append(whole.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		b.WriteString(plain(text[from:at[0]], from == 0))
		if inside, isCode := strings.CutPrefix(text[at[0]:at[1]], codeMark); isCode {
			b.WriteString(code(strings.TrimSuffix(inside, codeEnd)))
		} else if inside, isOutcome := strings.CutPrefix(inside, outcomeMark); isOutcome {
			b.WriteString(outcome(strings.TrimSuffix(inside, outcomeEnd)))
		}
		from = at[1]
	}
	return b.String()
}
