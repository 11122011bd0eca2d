package report

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"mercer/configs"
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
	labels := map[string]int{}
	functions := template.FuncMap{
		"text": latexText, "code": latexCode, "cell": latexCell, "head": latexHead, "plural": plain.Count, "comment": plain.Text,
		"label": func(name string) string {
			label := strings.ToLower(format.Slug(name))
			if labels[label]++; labels[label] > 1 {
				label += fmt.Sprint("-", labels[label])
			}
			return label
		},
	}
	t := template.Must(template.New("").Funcs(functions).ParseFS(templates, "templates/measurements.tex.tmpl"))
	r := views.New(run, nil, nil)
	return t.ExecuteTemplate(w, "measurements", struct {
		Title  string
		Tables []views.Means
	}{r.Title(), r.Tables(names)})
}

// latexHead is the head of a column: a variable of one letter as a symbol.
func latexHead(c views.Cell) string {
	if len(c.Text) == 1 {
		return "$" + c.Text + "$"
	}
	return latexCell(c)
}

func latexText(text string) string { return latexSpecial.Replace(plain.Text(text)) }

func latexCode(text string) string { return "\\texttt{" + latexText(text) + "}" }

var (
	// numeric is a cell with a number, and perhaps its interval, in the forms of package format.
	numeric  = regexp.MustCompile(`^[(−-]*[0-9][-−+0-9.e ±\[\],()]*$`)
	exponent = regexp.MustCompile(`e\+?([-−]?)0*([0-9]+)`)
	inMath   = strings.NewReplacer("−", "-", "±", `\pm`, " [", ` \; [`)
)

// latexCell writes a cell: numbers in math mode, in bold where they are the best.
func latexCell(c views.Cell) string {
	text, after := plain.Text(c.Text), latexSpecial.Replace(c.After)
	if c.Mark == views.Code {
		return latexCode(text) + after
	}
	if !numeric.MatchString(text) {
		return latexText(text) + after
	}
	text = inMath.Replace(exponent.ReplaceAllString(text, ` \cdot 10^{$1$2}`))
	if c.Mark == views.Best {
		text = `\mathbf{` + text + "}"
	}
	return "$" + text + "$" + after
}

// latexSpecial are the letters that mean something to TeX, and those of reports
// that its fonts lack.
var latexSpecial = strings.NewReplacer("<", `$<$`, ">", `$>$`, "|", `$|$`, `\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
	`^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`, "±", `$\pm$`, "−", `$-$`, "≤", `$\le$`, "≈", `$\approx$`, "√", `$\surd$`, "·", `$\cdot$`, "≥", `$\ge$`, "ℓ", `$\ell$`, "α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "δ", `$\delta$`,
	"λ", `$\lambda$`, "μ", `$\mu$`, "σ", `$\sigma$`, "θ", `$\theta$`, "²", `$^2$`, "³", `$^3$`, "ₙ", `$_n$`, "Σ", `$\Sigma$`, "‖", `$\|$`, "–", "--", "…", `\dots{}`)
