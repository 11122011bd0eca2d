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
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"mercer/report/figure"
	"mercer/report/format"
)

const (
	MaxRows    = 400 // of a table that the page shows, where they can be sorted and filtered
	foldable   = 25  // rows from which on a table is shown on demand
	filterable = 8   // rows from which on a table has a filter
	longText   = 60  // letters that need a wide column
)

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

// pageTemplate has the frame of the page, and figures; html/template escapes each text for its place.
var pageTemplate = template.Must(template.New("page").Parse(asset("page.tmpl")))

// shell is what the template is given.
type shell struct {
	Title  string
	Policy string // Content-Security-Policy
	Style  template.CSS
	Script template.JS
	Body   template.HTML
}

// Html is a report in Markdown as one file that needs no other: figures, style and script are
// in it, and its policy forbids it the network. svg has the text of each figure by its path.
func Html(markdown []byte, figures []figure.Figure, svg map[string][]byte) ([]byte, error) {
	w := writer{source: markdown, ids: map[string]bool{"main": true}, figures: map[string]figure.Figure{}, svg: svg}
	for _, f := range figures {
		w.figures[f.Path] = f
	}
	parsed := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(markdown))
	w.blocks(parsed)
	w.endLead()
	w.endFold()
	page := w.shell()
	page.Body = template.HTML(w.String())
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, page); err != nil {
		return nil, fmt.Errorf("report: HTML: %w", err)
	}
	return out.Bytes(), nil
}

// writer writes the nodes of a report as HTML.
type writer struct {
	strings.Builder
	source   []byte
	figures  map[string]figure.Figure
	svg      map[string][]byte
	ids      map[string]bool
	title    string
	label    string // of the last heading
	lead     leadState
	judged   bool // there are verdicts or answers
	folded   bool // the section is shown on demand
	explored bool // some figure can be explored
}

// leadState is where in the first screen the writer is: text, and a figure beside it.
type leadState int

const (
	outside leadState = iota
	before            // what is missing is said above it
	inText
	inFigure
)

func (w *writer) tag(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n)
	}
}

func (w *writer) block(n ast.Node) {
	if n.Kind() != ast.KindBlockquote && n.Kind() != ast.KindHeading && w.lead == before {
		w.tag("<div class=\"lead\"><div>\n")
		w.lead = inText
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *ast.List:
		w.tag("<ul>")
		w.blocks(n)
		w.tag("\n</ul>\n")
	case *ast.ListItem:
		w.tag("\n<li>")
		for child := n.FirstChild(); child != nil; child = child.NextSibling() {
			w.WriteString(w.inline(child))
		}
		w.tag("</li>")
	case *ast.Blockquote:
		for child := n.FirstChild(); child != nil; child = child.NextSibling() {
			w.tag("<p class=\"aside\" role=\"note\">%s</p>\n", w.inline(child))
		}
	case *ast.FencedCodeBlock:
		w.tag("<pre tabindex=\"0\" aria-label=\"command\">%s</pre>\n", html.EscapeString(strings.TrimSuffix(string(n.Lines().Value(w.source)), "\n")))
	case *tables.Table:
		w.endLead()
		w.table(n)
	case *ast.Paragraph:
		w.paragraph(n)
	default: // nothing that a report writes
		w.tag("<p>%s</p>\n", html.EscapeString(string(n.Lines().Value(w.source))))
	}
}

// open are the sections that are shown from the start; without verdicts the measurements too.
var open = map[string]bool{"Verdicts": true, "Least values": true, "Caveats": true}

// heading writes a heading. The first screen follows that of the page; a section below it folds.
func (w *writer) heading(n *ast.Heading) {
	text := w.inline(n)
	w.label = plainText(text)
	id := w.uniqueID(w.label)
	if n.Level > 2 {
		w.tag("<h3 id=\"%s\">%s</h3>\n", id, text)
		return
	}
	w.endLead()
	w.endFold()
	if n.Level == 1 {
		w.title, w.lead = w.label, before
		w.tag("<h1 id=\"%s\">%s</h1>\n", id, text)
		return
	}
	w.judged = w.judged || w.label == "Verdicts" || w.label == "Least values"
	w.folded = !open[w.label] && (w.judged || w.label != "Measurements")
	if w.folded {
		w.tag("<details class=\"section\"><summary><h2 id=\"%s\">%s</h2></summary>\n", id, text)
		return
	}
	w.tag("<h2 id=\"%s\">%s</h2>\n", id, text)
}

func (w *writer) endFold() {
	if w.folded {
		w.tag("</details>\n")
	}
	w.folded = false
}

func (w *writer) endLead() {
	if w.lead == inText {
		w.tag("</div><div>\n")
	}
	if w.lead == inText || w.lead == inFigure {
		w.tag("</div></div>\n")
	}
	w.lead = outside
}

// paragraph writes a paragraph: an image as the figure that it names, counts of outcomes as a strip.
// In the first screen the paragraph after the figure belongs to it, and is the last.
func (w *writer) paragraph(n *ast.Paragraph) {
	if image, is := n.FirstChild().(*ast.Image); is && image.NextSibling() == nil {
		if w.lead == inText {
			w.tag("</div><div>\n")
			w.lead = inFigure
		}
		w.figure(string(image.Destination))
		return
	}
	class := ""
	if link, is := n.FirstChild().(*ast.Link); is && string(link.Destination) == outcomeLink && w.lead == inText {
		class = ` class="strip"`
	}
	w.tag("<p%s>%s</p>\n", class, w.inline(n))
	if w.lead == inFigure {
		w.endLead()
	}
}

// shown is a figure for the template.
type shown struct {
	Label, Class string
	SVG          template.HTML
	Chart        *figure.Chart // of a figure that the page draws
}

func (w *writer) figure(path string) {
	f, known := w.figures[path]
	if !known {
		return
	}
	s := shown{Label: f.Alt, Class: f.Chart.Class(), SVG: inlined(w.svg[path])}
	if f.Chart.Explored() {
		s.Chart, w.explored = &f.Chart, true
	}
	if err := pageTemplate.ExecuteTemplate(w, "figure", s); err != nil {
		panic(err) // into memory, of a struct that the template knows
	}
}

// table writes a table that can be sorted, with a filter where it is long. On a narrow screen the
// rows of one with names are cards, so that no cell is off the screen.
func (w *writer) table(n *tables.Table) {
	rows := n.ChildCount() - 1
	cards := slices.ContainsFunc(n.Alignments, func(a tables.Alignment) bool { return a != tables.AlignRight })
	if rows >= foldable {
		w.tag("<details><summary>Table of %d rows</summary>\n", rows)
	}
	w.tag("<div class=\"table%s\"%s>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: %s\">\n<table>\n",
		when(cards, " cards"), when(rows >= filterable, " data-filter"), html.EscapeString(w.label))
	var heads []string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		_, isHead := row.(*tables.TableHeader)
		w.tag("%s<tr>", when(isHead, "<thead>"))
		column := 0
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text := w.inline(cell)
			class := when(n.Alignments[column] == tables.AlignRight, ` class="right"`)
			if class == "" && utf8.RuneCountInString(plainText(text)) > longText {
				class = ` class="long"`
			}
			if isHead {
				heads = append(heads, html.EscapeString(plainText(text)))
				w.tag("<th scope=\"col\"%s>%s</th>", class, text)
			} else {
				head := when(text != format.None, heads[column])
				w.tag("<td%s%s>%s</td>", class, when(cards, ` data-head="`+head+`"`), text)
			}
			column++
		}
		w.tag("</tr>%s\n", when(isHead, "</thead>\n<tbody>"))
	}
	w.tag("</tbody>\n</table>\n</div>\n</div>%s\n", when(rows >= foldable, "\n</details>"))
}

// when is a text where something is so.
func when(so bool, text string) string {
	if so {
		return text
	}
	return ""
}

// inline is what a node has in it, as HTML.
func (w *writer) inline(parent ast.Node) string {
	var b strings.Builder
	var run strings.Builder // of texts that stand together
	flush := func() {
		b.WriteString(html.EscapeString(run.String()))
		run.Reset()
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if t, is := n.(*ast.Text); is {
			run.Write(util.UnescapePunctuations(t.Segment.Value(w.source)))
			if t.SoftLineBreak() {
				run.WriteByte('\n')
			}
			continue
		}
		flush()
		switch n := n.(type) {
		case *ast.CodeSpan:
			b.WriteString("<code>")
			for part := n.FirstChild(); part != nil; part = part.NextSibling() {
				if text, is := part.(*ast.Text); is {
					b.WriteString(html.EscapeString(string(text.Value(w.source))))
				}
			}
			b.WriteString("</code>")
		case *ast.Emphasis:
			tag := map[int]string{1: "em", 2: "strong"}[n.Level]
			b.WriteString("<" + tag + ">" + w.inline(n) + "</" + tag + ">")
		case *ast.Link:
			inside := w.inline(n)
			switch to := string(n.Destination); {
			case to == outcomeLink:
				inside = `<span class="outcome" data-outcome="` + html.EscapeString(plainText(inside)) + `">` + inside + "</span>"
			case !strings.Contains(to, ":"): // a file of the report
				inside = `<a href="` + html.EscapeString(to) + `">` + inside + "</a>"
			}
			b.WriteString(inside)
		case *ast.RawHTML:
			b.WriteString(html.EscapeString(string(n.Segments.Value(w.source))))
		case *ast.AutoLink:
			b.WriteString(html.EscapeString(string(n.Label(w.source))))
		default:
			b.WriteString(w.inline(n))
		}
	}
	flush()
	return b.String()
}

var tags = regexp.MustCompile(`<[^>]*>`)

// plainText is the text of what inline wrote, without tags.
func plainText(inline string) string { return html.UnescapeString(tags.ReplaceAllString(inline, "")) }

// uniqueID is an id for a heading that no other has.
func (w *writer) uniqueID(text string) string {
	base := strings.ToLower(format.Slug(text))
	if base == "" {
		base = "section"
	}
	id := base
	for i := 2; w.ids[id]; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	w.ids[id] = true
	return id
}

// uPlotAssets is the folder of uPlot, which draws figures in the page. It is taken
// as published, with its licence, by what the README of the folder says.
const uPlotAssets = "uplot/"

//go:generate sh -c "cd assets/uplot && npm pack --silent uplot@1.6.32 && tar -xzf uplot-1.6.32.tgz --strip-components=1 package/LICENSE && tar -xzf uplot-1.6.32.tgz --strip-components=2 package/dist/uPlot.iife.min.js package/dist/uPlot.min.css && rm uplot-1.6.32.tgz"

// shell is the page with its style and script, and the policy that allows these alone;
// with uPlot where a figure is explored.
func (w *writer) shell() shell {
	style, script := asset("report.css"), asset("report.js")
	if w.explored {
		style = asset(uPlotAssets+"uPlot.min.css") + "\n" + style
		script = "/*!\n" + asset(uPlotAssets+"LICENSE") + "*/\n" + asset(uPlotAssets+"uPlot.iife.min.js") + script + asset("chart.js")
	}
	return shell{Title: w.title, Style: template.CSS(style), Script: template.JS(script),
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; style-src '%s'; script-src '%s'", digest(style), digest(script))}
}

// digest names an inline text in a Content-Security-Policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

var (
	svgStyle = regexp.MustCompile(`\s+style="([^"]*)"`)
	svgSize  = regexp.MustCompile(`<svg width="[^"]*" height="[^"]*"`)
	svgNames = regexp.MustCompile(`<title>[^<]*</title>\n`)
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
