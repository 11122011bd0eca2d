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

// words are the templates of a report in a form; drawn writes a table of a terminal.
func words(r *views.Report, f form, drawn func(views.Table) string) *template.Template {
	text := func(s string) string { return f.text(plain.Text(s)) }
	functions := template.FuncMap{
		"text": text, "code": func(s string) string { return f.code(plain.Text(s)) }, "outcome": func(s string) string { return f.outcome(plain.Text(s)) },
		"reads": func(s string) string { return text(r.Names.Reads(s)) }, "says": func(s string) string { return text(r.Names.Says(s)) }, "axis": r.Names.Axis,
		"where": r.Names.Where, "place": r.Place, "sentence": func(s string) string { return strings.TrimSuffix(s, ".") + "." },
		"plural": plain.Count, "percent": format.Percent, "number": format.Number, "fence": func(s string) string { return page.Fence(strings.TrimSpace(plain.Shown(s))) },
		"joined": func(list []string) string { return strings.Join(lists.Map(list, text), "; ") },
		"ends":   func(low, high float64) string { return format.Ends(format.Number(low), format.Number(high)) },
		"minus":  func(a, b int) int { return a - b },
		"rows":   func(t views.Table) [][]views.Cell { return t.Shown(f.most(t)) },
		"left":   func(t views.Table) int { return t.Left(f.most(t)) },
		"cell":   f.cell, "drawn": drawn,
	}
	return template.Must(template.New("").Funcs(functions).ParseFS(templates, "templates/report.md.tmpl", "templates/terminal.txt.tmpl", "templates/advice.tmpl"))
}

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
