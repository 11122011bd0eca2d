package report

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/report/views"
)

//go:embed templates
var templates embed.FS

// form is how texts, names and outcomes are written in one form of a report, and how many rows of
// a table it shows at most.
type form struct {
	text, code, outcome func(string) string
	most                func(views.Table) int
}

var (
	markdown = form{page.Escape, page.Code, emphasized, func(t views.Table) int { return t.Most }}
	html     = form{page.Escape, page.Code, page.Outcome, func(views.Table) int { return page.MaxRows }}
)

// emphasized is an outcome in Markdown: bold where something is wrong, italic where nothing is shown.
func emphasized(words string) string {
	switch {
	case strings.HasPrefix(words, string(claims.Violated)), words == claims.ControlHolds:
		return "**" + page.Escape(words) + "**"
	case strings.HasPrefix(words, string(claims.Inconclusive)), words == claims.HoldsVacuous:
		return "*" + page.Escape(words) + "*"
	}
	return page.Escape(words)
}

// mostNamed is how many claims a line names.
const mostNamed = 10

// words are the templates of a report in a form; more are functions that it has beside those of all.
func words(r *views.Report, f form, more template.FuncMap) *template.Template {
	text := func(s string) string { return f.text(plain.Text(s)) }
	functions := template.FuncMap{
		"text": text, "code": func(s string) string { return f.code(plain.Text(s)) }, "outcome": func(s any) string { return f.outcome(plain.Text(fmt.Sprint(s))) },
		"reads": func(s string) string { return text(r.Names.Reads(s)) }, "says": func(s string) string { return text(r.Names.Says(s)) }, "axis": r.Names.Axis,
		"where": r.Names.Where, "place": r.Place, "sentence": func(s string) string { return strings.TrimSuffix(s, ".") + "." },
		"plural": plain.Count, "number": format.Number, "percent": format.Percent, "list": format.Joined, "fence": func(s string) string { return page.Fence(strings.TrimSpace(plain.Shown(s))) },
		"some":  func(names []string) string { return plain.Some(lists.Map(names, text), mostNamed) },
		"ends":  func(low, high float64) string { return format.Ends(format.Number(low), format.Number(high)) },
		"minus": func(a, b int) int { return a - b },
		"plus":  func(a, b int) int { return a + b },
		"rows":  func(t views.Table) [][]views.Cell { return t.Shown(f.most(t)) },
		"left":  func(t views.Table) int { return t.Left(f.most(t)) },
		"cell":  func(c views.Cell) string { return f.cell(c) + strings.TrimPrefix(text("."+c.After), ".") },
		"drawn": func(views.Table) string { return "" }, // in a terminal
	}
	return template.Must(template.New("").Funcs(functions).Funcs(more).ParseFS(templates, "templates/report.md.tmpl", "templates/terminal.txt.tmpl"))
}

// cell writes a cell but for what follows it.
func (f form) cell(c views.Cell) string {
	text := plain.Text(c.Text)
	switch c.Mark {
	case views.Code:
		return f.code(text)
	case views.Outcome:
		return f.outcome(text)
	case views.Best:
		return "**" + f.text(text) + "**"
	}
	return f.text(text)
}

var emptyLines = regexp.MustCompile(`\n[ \t]*(\n[ \t]*)+\n`)

// written is the report as Markdown in a form.
func written(r *views.Report, f form) ([]byte, error) {
	var text strings.Builder
	if err := words(r, f, nil).ExecuteTemplate(&text, "report", r); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return []byte(strings.TrimSpace(emptyLines.ReplaceAllString(text.String(), "\n\n")) + "\n"), nil
}

// Answer is the answer of the spec to the question of a run in plain words; "" where it has none.
func Answer(r *views.Report) string {
	plainly := func(s string) string { return s }
	var text strings.Builder
	if err := words(r, form{text: plainly, code: plainly, outcome: plainly}, nil).ExecuteTemplate(&text, "answer", r); err != nil {
		panic(err) // into memory, of a struct that the template knows
	}
	return text.String()
}
