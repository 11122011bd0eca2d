package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/template"

	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/views"
	"mercer/results"
)

// WriteLatex writes the tables of measurements of a run for a LaTeX document that
// has \usepackage{booktabs,graphicx}: a row a cell, a column a metric, with mean ± half-width of
// the 95 % t interval and the best in bold, as in the report; one table, or a few with many
// metrics, for each data set and kernel. Without names all metrics are written; a name that the
// run does not have, or that is given twice, is an error.
func WriteLatex(w io.Writer, run results.Run, names []string) error {
	if _, err := results.OnlyMetrics(run, names); err != nil {
		return fmt.Errorf("report: %w", err)
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

// latexHead is the head of a column: a variable as a symbol.
func latexHead(c views.Cell) string {
	if symbol := latexSymbols[c.Text]; symbol != "" && c.After == "" {
		return "$" + symbol + "$"
	}
	return latexCell(c)
}

func latexCode(text string) string { return "\\texttt{" + latexEscape(plain.Text(text)) + "}" }

var (
	// measured is a number as format.PlusMinus writes it.
	measured = regexp.MustCompile(`^(\()?(-?[0-9.]+(?:e[+-]?[0-9]+)?)(?: ± ([0-9.]+(?:e[+-]?[0-9]+)?))?(\))?(?:e([+-]?[0-9]+))?$`)
	// within is an estimate with its interval as format.Interval writes it.
	within = regexp.MustCompile(`^(-?[0-9.]+) \[(-?[0-9.]+(?:e[+-]?[0-9]+)?), (-?[0-9.]+)\]$`)
)

// latexCell writes a cell: numbers in math mode, in bold where they are the best of a row.
func latexCell(c views.Cell) string {
	if c.Mark == views.Code {
		return latexCode(c.Text) + latexEscape(c.After)
	}
	text := strings.ReplaceAll(plain.Text(c.Text), "−", "-")
	bold := func(number string) string {
		if c.Mark == views.Best {
			return "\\mathbf{" + number + "}"
		}
		return number
	}
	if m := within.FindStringSubmatch(text); m != nil {
		return "$" + bold(latexNumber(m[1])) + " \\; [" + latexNumber(m[2]) + ", " + latexNumber(m[3]) + "]$" + c.After
	}
	m := measured.FindStringSubmatch(text)
	if m == nil {
		return latexText(c.Text + c.After)
	}
	number := latexNumber(m[2])
	if m[3] != "" {
		number += " \\pm " + latexNumber(m[3])
	}
	if m[1] != "" {
		number = "(" + number + ")"
	}
	if m[5] != "" {
		number += fmt.Sprintf(" \\cdot 10^{%s}", strings.TrimPrefix(m[5], "+"))
	}
	return "$" + bold(number) + "$" + c.After
}

// latexSymbols are variables of a grid in mathematics.
var latexSymbols = map[string]string{"n": "n", "m": "m", "d": "d", "k": "k", "ell": `\ell`, "theta": `\theta`, "gamma": `\gamma`, "lambda": `\lambda`,
	"alpha": `\alpha`, "beta": `\beta`, "delta": `\delta`, "sigma": `\sigma`}

var sizeIs = regexp.MustCompile(`\b(n|m|d|k|ell|theta|gamma|lambda|alpha|beta|delta|sigma) = (-?[0-9.]+(?:e[+-]?[0-9]+)?)(,|;|\.?$|\. | )`)

// latexText escapes a text, with variables and their values in math mode.
func latexText(text string) string {
	text = plain.Text(text)
	var b strings.Builder
	from := 0
	for _, at := range sizeIs.FindAllStringSubmatchIndex(text, -1) {
		value := strings.TrimSuffix(text[at[4]:at[5]], ".")
		b.WriteString(latexEscape(text[from:at[0]]))
		b.WriteString("$" + latexSymbols[text[at[2]:at[3]]] + " = " + latexNumber(value) + "$")
		from = at[4] + len(value)
	}
	return b.String() + latexEscape(text[from:])
}

func latexNumber(text string) string {
	mantissa, power, ok := strings.Cut(text, "e")
	if !ok {
		return text
	}
	sign := ""
	if strings.HasPrefix(power, "-") {
		sign = "-"
	}
	return fmt.Sprintf("%s \\cdot 10^{%s%s}", mantissa, sign, strings.TrimLeft(power, "+-0"))
}

// latexSpecial are the letters that mean something to TeX, and those of reports
// that its fonts lack.
var latexSpecial = strings.NewReplacer("<", `$<$`, ">", `$>$`, "|", `$|$`, `\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `%`, `\%`, `_`, `\_`,
	`^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`, "±", `$\pm$`, "−", `$-$`, "≤", `$\le$`, "≈", `$\approx$`, "√", `$\surd$`, "·", `$\cdot$`, "≥", `$\ge$`, "ℓ", `$\ell$`, "α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "δ", `$\delta$`,
	"λ", `$\lambda$`, "μ", `$\mu$`, "σ", `$\sigma$`, "θ", `$\theta$`, "²", `$^2$`, "³", `$^3$`, "ₙ", `$_n$`, "Σ", `$\Sigma$`, "‖", `$\|$`, "–", "--", "…", `\dots{}`)

func latexEscape(text string) string { return latexSpecial.Replace(text) }
