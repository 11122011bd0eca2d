package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"mercer/report/figure"
)

// MaxRows is how many rows of a table the page shows, where they can be sorted and filtered.
const MaxRows = 400

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

// markdown reads the Markdown of reports. Raw HTML in it is left out.
var markdown = goldmark.New(goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))

// Html is a report in Markdown as one file that needs no other: figures, style and script are
// in it, and its policy forbids it the network. svg has the text of each figure by its path.
func Html(title string, text []byte, figures []figure.Figure, svg map[string][]byte) ([]byte, error) {
	var body bytes.Buffer
	if err := markdown.Convert(text, &body); err != nil {
		return nil, fmt.Errorf("report: HTML: %w", err)
	}
	shown := map[string]string{}
	for _, f := range figures {
		shown[f.Path] = figureText(f, svg[f.Path])
	}
	inside := image.ReplaceAllStringFunc(body.String(), func(tag string) string { return shown[image.FindStringSubmatch(tag)[1]] })
	inside = outcome.ReplaceAllString(inside, `<span class="outcome" data-outcome="$1">$1</span>`)
	page := framed(folded(tables.Replace(inside)))
	page.Title = title

	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, page); err != nil {
		return nil, fmt.Errorf("report: HTML: %w", err)
	}
	return out.Bytes(), nil
}

var (
	image   = regexp.MustCompile(`<p><img src="([^"]*)"[^>]*></p>`)
	outcome = regexp.MustCompile(`<a href="` + outcomeLink + `">([^<]*)</a>`)
	// tables can be wider than the window.
	tables = strings.NewReplacer("<table>", `<div class="table"><div class="scroll" tabindex="0" role="region" aria-label="Table"><table>`, "</table>", "</table></div></div>")
)

// openSections are the sections that are shown from the start.
var openSections = regexp.MustCompile(`^[^>]*>(Verdicts|Least values|Best within a budget|Caveats)<`)

// folded is the first screen, and the sections below it, each of which folds.
func folded(body string) string {
	sections := strings.Split(body, "<h2")
	var text strings.Builder
	fmt.Fprintf(&text, "<div class=\"lead\">%s</div>\n", sections[0])
	for _, section := range sections[1:] {
		shown := ""
		if openSections.MatchString(section) {
			shown = " open"
		}
		fmt.Fprintf(&text, "<details class=\"section\"%s><summary><h2%s</details>\n", shown, strings.Replace(section, "</h2>", "</h2></summary>", 1))
	}
	return text.String()
}

// figureText is a figure of the page: its SVG, and its numbers where the page draws it from them.
func figureText(f figure.Figure, svg []byte) string {
	shown := struct {
		Label, Class string
		SVG          template.HTML
		Chart        *figure.Chart
	}{Label: f.Alt, Class: f.Chart.Class(), SVG: inlined(svg)}
	if f.Chart.Explored() {
		shown.Chart = &f.Chart
	}
	var text strings.Builder
	if err := pageTemplate.ExecuteTemplate(&text, "figure", shown); err != nil {
		panic(err) // into memory, of a struct that the template knows
	}
	return text.String()
}

// uPlotAssets is the folder of uPlot, which draws figures in the page. It is taken
// as published, with its licence, by what the README of the folder says.
const uPlotAssets = "uplot/"

//go:generate sh -c "cd assets/uplot && npm pack --silent uplot@1.6.32 && tar -xzf uplot-1.6.32.tgz --strip-components=1 package/LICENSE && tar -xzf uplot-1.6.32.tgz --strip-components=2 package/dist/uPlot.iife.min.js package/dist/uPlot.min.css && rm uplot-1.6.32.tgz"

// framed is a page with its style and script, and the policy that allows these alone; with uPlot
// where a figure is drawn from its numbers.
func framed(body string) shell {
	style, script := asset("report.css"), asset("report.js")
	if strings.Contains(body, " data-explore>") {
		style = asset(uPlotAssets+"uPlot.min.css") + "\n" + style
		script = "/*!\n" + asset(uPlotAssets+"LICENSE") + "*/\n" + asset(uPlotAssets+"uPlot.iife.min.js") + script + asset("chart.js")
	}
	return shell{Style: template.CSS(style), Script: template.JS(script), Body: template.HTML(body),
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; style-src '%s'; script-src '%s'", digest(style), digest(script))}
}

// digest names an inline text in a Content-Security-Policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

var (
	svgStyle = regexp.MustCompile(`\s+style="([^"]*)"`)
	svgRule  = regexp.MustCompile(`([^:;]+):([^;]*);?`)
	svgHead  = regexp.MustCompile(`(?s)^.*?<svg width="[^"]*" height="[^"]*"`)
	svgNames = regexp.MustCompile(`<title>[^<]*</title>\n<desc>[^<]*</desc>\n`)
)

// inlined is the element of an SVG of ours as it stands in a page: the page names
// it and sets its size, and its colours are attributes, which the style sheet
// can change for a dark page and which the page's policy allows.
func inlined(text []byte) template.HTML {
	s := svgHead.ReplaceAllString(svgNames.ReplaceAllString(string(text), ""), "<svg")
	s = strings.Replace(s, `role="img"`, `aria-hidden="true" focusable="false"`, 1)
	return template.HTML(svgStyle.ReplaceAllStringFunc(s, func(attribute string) string {
		return svgRule.ReplaceAllString(svgStyle.FindStringSubmatch(attribute)[1], ` $1="$2"`)
	}))
}
