package page

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Latex writes the tables of a page, each with the heading and the paragraphs
// before it as its caption, below lines of comment.
func (p *Page) Latex(head []string) string {
	var b strings.Builder
	var caption []string
	label, labels := "", map[string]bool{}
	for _, line := range head {
		b.WriteString("% " + line + "\n")
	}
	for _, block := range p.blocks {
		switch block.kind {
		case headingBlock:
			caption, label = []string{latexText(block.text) + "."}, cmp.Or(block.name, unmarked(block.text))
		case paragraphBlock:
			caption = append(caption, latexText(block.text))
		case tableBlock:
			t := block.table
			rows, rest := t.first(len(t.Rows))
			if rest != "" {
				caption = append(caption, latexText(rest))
			}
			float := floatFor(t.Header, rows)
			fmt.Fprintf(&b, "\n\\begin{%s}\n\\centering\n\\setlength{\\tabcolsep}{4pt}\\setlength{\\belowcaptionskip}{4pt}\n\\caption{%s}\n\\label{tab:%s}\n"+noWider+"{%%\n\\begin{tabular}{@{}%s@{}}\n\\toprule\n",
				float, strings.Join(caption, " "), uniqueID(labels, label), t.Align)
			b.WriteString(latexHeader(t.Header) + "\\midrule\n")
			for _, row := range rows {
				b.WriteString(latexRow(row))
			}
			fmt.Fprintf(&b, "\\bottomrule\n\\end{tabular}}\n\\end{%s}\n", float)
		}
	}
	return b.String()
}

func latexRow(cells []string) string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = latexText(cell)
	}
	return strings.Join(out, " & ") + " \\\\\n"
}

// headLine is how many letters a line of a header has: about as many as a mean with its
// half-width.
const headLine = 13

// headLines are the lines of a header, which break at no equation and inside no bracket.
func headLines(cell string) (lines []string) {
	for _, word := range headWord.FindAllString(cell, -1) {
		if last := len(lines) - 1; last >= 0 && utf8.RuneCountInString(unmarked(lines[last]+" "+word)) <= headLine {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

var headWord = regexp.MustCompile(`\([^()]*\)\S*|\S+ = \S+|` + codeMark + "[^" + codeEnd + "]*" + codeEnd + `\S*|\S+`)

// noWider makes a box narrower where it is wider than its column. It needs graphicx.
const noWider = `\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}`

// floatFor is the environment of a table: table*, which takes both columns of a page that has
// two, where the table is likely wider than one, of 230 points. A letter or digit takes about
// 4.5 of them, and 8 are between columns.
func floatFor(header []string, rows [][]string) string {
	width := 8 * float64(len(header)-1)
	for i, head := range header {
		most := 0
		for _, line := range headLines(head) {
			most = max(most, utf8.RuneCountInString(unmarked(line)))
		}
		for _, row := range rows {
			most = max(most, utf8.RuneCountInString(unmarked(row[i])))
		}
		width += 4.5 * float64(most)
	}
	if width > 230 {
		return "table*"
	}
	return "table"
}

// latexText writes a text; numbers go in math mode, in bold where they are strong.
func latexText(text string) string {
	code := func(text string) string { return "\\texttt{" + latexEscape(text) + "}" }
	var b strings.Builder
	for i, part := range strings.Split(text, strongMark) {
		strong, rest, _ := strings.Cut(part, strongEnd)
		if i == 0 {
			strong, rest = "", part
		}
		b.WriteString(render(strong, func(text string, _ bool) string { return latexPlain(text, true) }, code, code))
		b.WriteString(render(rest, func(text string, _ bool) string { return latexPlain(text, false) }, code, code))
	}
	return b.String()
}

// measured is a number as number and plusMinus write it.
var measured = regexp.MustCompile(`^(\()?(-?[0-9.]+(?:e[+-]?[0-9]+)?)(?: ± ([0-9.]+(?:e[+-]?[0-9]+)?))?(\))?(?:e([+-]?[0-9]+))?( \([0-9]+\))?$`)

// within is an estimate with its interval as format.Interval writes it.
var within = regexp.MustCompile(`^(-?[0-9.]+) \[(-?[0-9.]+(?:e[+-]?[0-9]+)?), (-?[0-9.]+)\]( \([0-9]+\))?$`)

func latexPlain(text string, bold bool) string {
	text = strings.ReplaceAll(unmarked(text), "\n", " ")
	m := measured.FindStringSubmatch(strings.ReplaceAll(text, "−", "-"))
	if of := within.FindStringSubmatch(strings.ReplaceAll(text, "−", "-")); of != nil {
		estimate := latexPlain(of[1], bold)
		return strings.TrimSuffix(estimate, "$") + " \\; [" + latexNumber(of[2]) + ", " + latexNumber(of[3]) + "]$" + of[4]
	}
	if m == nil {
		text = latexSizes(text)
		if bold && text != "" {
			return "\\textbf{" + text + "}"
		}
		return text
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
	if bold {
		number = "\\mathbf{" + number + "}"
	}
	return "$" + number + "$" + m[6]
}

// latexSymbols are variables of a grid in mathematics.
var latexSymbols = map[string]string{"n": "n", "m": "m", "d": "d", "k": "k", "ell": `\ell`, "theta": `\theta`, "gamma": `\gamma`, "lambda": `\lambda`,
	"alpha": `\alpha`, "beta": `\beta`, "delta": `\delta`, "sigma": `\sigma`}

// latexHeader is the row of a header: variables as symbols, long names in several lines.
func latexHeader(cells []string) string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		lines := headLines(cell)
		for k, line := range lines {
			lines[k] = latexText(line)
		}
		out[i] = strings.Join(lines, `\\`)
		if len(lines) > 1 {
			out[i] = `\shortstack[r]{` + out[i] + "}"
		}
		if symbol := latexSymbols[unmarked(cell)]; symbol != "" {
			out[i] = "$" + symbol + "$"
		}
	}
	return strings.Join(out, " & ") + " \\\\\n"
}

// sizeIs is a variable with its value, as in "n = 225".
var sizeIs = regexp.MustCompile(`\b(n|m|d|k|ell|theta|gamma|lambda|alpha|beta|delta|sigma) = (-?[0-9.]+(?:e[+-]?[0-9]+)?)(,|;|\.?$|\. | )`)

// latexSizes escapes a text, with variables and their values in math mode.
func latexSizes(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range sizeIs.FindAllStringSubmatchIndex(text, -1) {
		value := strings.TrimSuffix(text[at[4]:at[5]], ".")
		b.WriteString(latexFormulas(text[from:at[0]]))
		b.WriteString("$" + latexSymbols[text[at[2]:at[3]]] + " = " + latexNumber(value) + "$")
		from = at[4] + len(value)
	}
	return b.String() + latexFormulas(text[from:])
}

var (
	// formula is a single letter with indices and powers, as figures draw them in labels.
	formula = regexp.MustCompile(`(^|[^\pL\pN_])(\pL)((?:[_^](?:\{[^{}]*\}|\([^()]*\)|[-−]?[\pL\pN.]*[\pL\pN]))+)`)
	script  = regexp.MustCompile(`([_^])[{(]?([^_^{}()]+)[)}]?`)
)

// latexFormulas escapes a text, with letters that have indices or powers in math mode.
func latexFormulas(text string) string {
	inMath := func(part string) string { return strings.ReplaceAll(latexEscape(part), "$", "") }
	var b strings.Builder
	from := 0
	for _, at := range formula.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(latexEscape(text[from:at[4]]) + "$" + inMath(text[at[4]:at[5]]))
		for _, part := range script.FindAllStringSubmatch(text[at[6]:at[7]], -1) {
			inside := cmp.Or(latexSymbols[part[2]], inMath(part[2]))
			if part[1] == "_" && utf8.RuneCountInString(part[2]) > 1 {
				inside = `\mathrm{` + inMath(part[2]) + "}"
			}
			b.WriteString(part[1] + "{" + inside + "}")
		}
		b.WriteString("$")
		from = at[1]
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
