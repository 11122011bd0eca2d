package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
	"unicode/utf8"

	"mercer/report/figure"
	"mercer/report/format"
)

// MaxRowsHTML is how many rows of a table the HTML report shows, where they can
// be sorted and filtered.
const MaxRowsHTML = 400

// foldable is how many rows a table has at least that is shown on demand.
const foldable = 25

// filterable is how many rows a table has at least that gets a filter.
const filterable = 8

//go:embed assets
var assets embed.FS

// asset is the text of an embedded file.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // compiled in
	}
	return string(text)
}

// pageTemplate writes a page; html/template escapes each text for its place.
var pageTemplate = template.Must(template.New("page").Parse(asset("page.tmpl")))

// htmlPage is what the template is given.
type htmlPage struct {
	Title  string
	Policy string // Content-Security-Policy
	Style  template.CSS
	Script template.JS
	Blocks []htmlBlock
}

// htmlBlock is a block of a page for the template.
type htmlBlock struct {
	Kind   string
	ID     string
	Text   template.HTML
	Label  string // plain text
	Items  []template.HTML
	Counts []Count
	Header []htmlCell
	Rows   [][]htmlCell
	Filter bool
	Cards  bool
	Fold   string // what a table that is shown on demand is called
	Rest   template.HTML
	Shell  string
	SVG    template.HTML
	Class  string
	Spots  []figure.Reading
	Chart  *figure.Chart // of a figure that the page draws, in place of Spots
}

type htmlCell struct {
	Class string
	Head  string // of its column, in plain text
	Text  template.HTML
}

// longText is how many letters need a wide column.
const longText = 60

// Html is the page as one file that needs no other: figures, style and script are
// in it, and its policy forbids it the network. svg has the text of each figure
// by its path.
func (p *Page) Html(svg map[string][]byte) ([]byte, error) {
	out := htmlPage{}
	ids := map[string]bool{"main": true}
	label, folded, explored := "", false, false
	for _, b := range p.blocks {
		h := htmlOf(b, svg)
		switch b.kind {
		case headingBlock:
			if b.level == 2 && folded {
				out.Blocks = append(out.Blocks, htmlBlock{Kind: "fold end"})
			}
			if b.level == 2 {
				folded = b.folded
			}
			label = h.Label
			h.ID = uniqueID(ids, h.Label)
			if b.level == 1 {
				out.Title = h.Label
			}
		case tableBlock:
			h.Label = label
		}
		out.Blocks = append(out.Blocks, h)
		explored = explored || h.Chart != nil
	}
	out.dress(explored)
	if folded {
		out.Blocks = append(out.Blocks, htmlBlock{Kind: "fold end"})
	}
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, out); err != nil {
		return nil, fmt.Errorf("report: HTML: %w", err)
	}
	return text.Bytes(), nil
}

// uPlotAssets is the folder of uPlot, which draws figures in the page. It is taken
// as published, with its licence, by what the README of the folder says.
const uPlotAssets = "uplot/"

//go:generate sh -c "cd assets/uplot && npm pack --silent uplot@1.6.32 && tar -xzf uplot-1.6.32.tgz --strip-components=1 package/LICENSE && tar -xzf uplot-1.6.32.tgz --strip-components=2 package/dist/uPlot.iife.min.js package/dist/uPlot.min.css && rm uplot-1.6.32.tgz"

// dress gives the page its style and script, and the policy that allows these alone;
// with uPlot where a figure is explored.
func (p *htmlPage) dress(explored bool) {
	style, script := asset("report.css"), asset("report.js")
	if explored {
		style = asset(uPlotAssets+"uPlot.min.css") + "\n" + style
		script = "/*!\n" + asset(uPlotAssets+"LICENSE") + "*/\n" + asset(uPlotAssets+"uPlot.iife.min.js") + script + asset("chart.js")
	}
	p.Style, p.Script = template.CSS(style), template.JS(script)
	p.Policy = fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; style-src '%s'; script-src '%s'", digest(style), digest(script))
}

// digest names an inline text in a Content-Security-Policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// uniqueID is an id for a heading that no other has.
func uniqueID(taken map[string]bool, text string) string {
	base := strings.ToLower(format.Slug(text))
	if base == "" {
		base = "section"
	}
	id := base
	for i := 2; taken[id]; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	taken[id] = true
	return id
}

func htmlOf(b block, svg map[string][]byte) htmlBlock {
	switch b.kind {
	case headingBlock:
		kind := fmt.Sprintf("h%d", b.level)
		if b.folded {
			kind = "fold"
		}
		return htmlBlock{Kind: kind, Text: htmlText(b.text), Label: unmarked(b.text), Rest: htmlText(strings.Join(b.items, " "))}
	case leadBlock:
		return htmlBlock{Kind: "lead"}
	case besideBlock:
		return htmlBlock{Kind: "beside"}
	case endBlock:
		return htmlBlock{Kind: "lead end"}
	case asideBlock:
		return htmlBlock{Kind: "aside", Text: htmlText(b.text)}
	case listBlock:
		h := htmlBlock{Kind: "list"}
		for _, item := range b.items {
			h.Items = append(h.Items, htmlText(item))
		}
		return h
	case stripBlock:
		return htmlBlock{Kind: "strip", Counts: b.counts}
	case shellBlock:
		return htmlBlock{Kind: "shell", Shell: b.text}
	case figureBlock:
		c := b.figure.Chart
		h := htmlBlock{Kind: "figure", Label: b.figure.Alt, Class: c.Class(), SVG: inlined(svg[b.figure.Path])}
		if c.Explored() {
			h.Chart = &c
		} else {
			h.Spots = c.Readings()
		}
		return h
	case tableBlock:
		return htmlTable(b.table)
	}
	return htmlBlock{Kind: "para", Text: htmlText(b.text)}
}

func htmlTable(t Table) htmlBlock {
	rows, rest := t.first(MaxRowsHTML)
	out := htmlBlock{Kind: "table", Filter: len(rows) >= filterable, Cards: t.Cards, Rest: htmlText(rest)}
	if len(rows) >= foldable {
		out.Fold = fmt.Sprintf("Table of %d rows", len(rows))
	}
	cells := func(texts []string) []htmlCell {
		row := make([]htmlCell, len(t.Header))
		for i := range row {
			if i < len(texts) {
				row[i].Text = htmlText(texts[i])
			}
			if row[i].Head = unmarked(t.Header[i]); row[i].Text == format.None {
				row[i].Head = ""
			}
			switch {
			case t.Align[i] == 'r':
				row[i].Class = "right"
			case i < len(texts) && utf8.RuneCountInString(unmarked(texts[i])) > longText:
				row[i].Class = "long"
			}
		}
		return row
	}
	out.Header = cells(t.Header)
	for _, row := range rows {
		out.Rows = append(out.Rows, cells(row))
	}
	return out
}

// htmlMarks are the marks of a page in HTML. What is between them is escaped, and an
// address is that of a file of ours.
var htmlMarks = strings.NewReplacer(strongMark, "<strong>", strongEnd, "</strong>", emphasisMark, "<em>", emEnd, "</em>", "\n", "<br>")

var htmlLink = regexp.MustCompile(linkMark + "([^" + hrefMark + "]*)" + hrefMark + "([^" + linkEnd + "]*)" + linkEnd)

func htmlText(text string) template.HTML {
	within := func(tag string) func(string) string {
		return func(text string) string { return "<" + tag + ">" + text + "</" + tag + ">" }
	}
	plain := func(text string, _ bool) string {
		return figure.Scripts(html.EscapeString(text), within("sup"), within("sub"))
	}
	code := func(text string) string { return "<code>" + html.EscapeString(text) + "</code>" }
	outcome := func(text string) string {
		text = html.EscapeString(text)
		return `<span class="outcome" data-outcome="` + text + `">` + text + "</span>"
	}
	return template.HTML(htmlMarks.Replace(htmlLink.ReplaceAllString(render(text, plain, code, outcome), `<a href="$2">$1</a>`)))
}

var (
	svgStyle = regexp.MustCompile(`\s+style="([^"]*)"`)
	svgSize  = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"`)
	svgNames = regexp.MustCompile(`<title>[^<]*</title>\n<desc>[^<]*</desc>\n`)
)

// inlined is the element of an SVG of ours as it stands in a page: the page names
// it and sets its size, and its colours are attributes, which the style sheet
// can change for a dark page and which the page's policy allows.
func inlined(text []byte) template.HTML {
	at := bytes.Index(text, []byte("<svg"))
	if at < 0 {
		return ""
	}
	s := svgNames.ReplaceAllString(string(text[at:]), "")
	s = svgSize.ReplaceAllString(s, "<svg")
	s = strings.Replace(s, `role="img"`, `aria-hidden="true" focusable="false"`, 1)
	s = svgStyle.ReplaceAllStringFunc(s, func(attribute string) string {
		var b strings.Builder
		for declaration := range strings.SplitSeq(svgStyle.FindStringSubmatch(attribute)[1], ";") {
			if name, v, ok := strings.Cut(declaration, ":"); ok {
				fmt.Fprintf(&b, ` %s="%s"`, name, v)
			}
		}
		return b.String()
	})
	return template.HTML(s)
}
