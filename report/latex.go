package report

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/views"
	"mercer/results"
)

// WriteLatex writes the tables of measurements of a run for a LaTeX document that
// has \usepackage{booktabs,graphicx}: a row a cell, a column a metric, with mean ± half-width of
// the 95 % t interval and the best in bold, as in the report; one table, or a few with many
// metrics, for each data set and kernel. Without names all metrics are written; a name that the
// run does not have is an error.
func WriteLatex(w io.Writer, run results.Run, names []string) error {
	for _, name := range names {
		if known := results.MetricNames(run.Rows); !slices.Contains(known, name) {
			return errors.New("report: " + configs.Unknown("metric", name, "the run", known))
		}
	}
	if len(names) == 0 {
		names = views.MetricsOf(run.Rows)
	}
	functions := template.FuncMap{
		"text": latexText, "cell": latexCell, "slug": format.Slug, "plural": plain.Count, "comment": plain.Text,
		"joined": func(list []string) string { return strings.Join(lists.Map(list, latexText), "; ") },
	}
	t := template.Must(template.New("").Funcs(functions).ParseFS(templates, "templates/measurements.tex.tmpl"))
	r := views.New(run, nil, nil)
	return t.ExecuteTemplate(w, "measurements", struct {
		Title, Name string
		Tables      []views.Means
	}{r.Title(), run.Spec.Name, r.Tables(names)})
}

// power is the power of ten of a number.
var power = regexp.MustCompile(`([0-9)])e(\$-\$)?([0-9]+)`)

func latexText(text string) string { return latexSpecial.Replace(plain.Text(text)) }

func latexCell(c views.Cell) string {
	text := strings.ReplaceAll(power.ReplaceAllString(latexText(c.Text), `$1$$\cdot 10^{$2$3}$$`), "{$-$", "{-")
	switch c.Mark {
	case views.Code:
		return `\texttt{` + text + "}"
	case views.Best:
		return `\textbf{` + text + "}"
	}
	return text
}

// latexSpecial are the letters that mean something to TeX, and those of reports
// that its fonts lack.
var latexSpecial = strings.NewReplacer("<", `$<$`, ">", `$>$`, "|", `$|$`, `\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
	`^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`, "±", `$\pm$`, "−", `$-$`, "≤", `$\le$`, "≈", `$\approx$`, "√", `$\surd$`, "·", `$\cdot$`, "≥", `$\ge$`, "ℓ", `$\ell$`, "α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "δ", `$\delta$`,
	"λ", `$\lambda$`, "μ", `$\mu$`, "σ", `$\sigma$`, "θ", `$\theta$`, "²", `$^2$`, "³", `$^3$`, "ₙ", `$_n$`, "Σ", `$\Sigma$`, "‖", `$\|$`, "–", "--", "…", `\dots{}`)
