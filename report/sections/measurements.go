package sections

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// LatexHead says what LaTeX tables of a run are and need.
func LatexHead(run results.Run) []string {
	title := plain.Text(cmp.Or(run.Spec.Title, run.Spec.Name))
	return []string{title + ". Needs \\usepackage{booktabs,graphicx}.", BoldRule}
}

const (
	maxNumbers = 3 // of a numbered family such as eigenvalue_1, eigenvalue_2, ...
)

// measurements writes a table a metric, data set and kernel; times come in a
// section of their own. Where they are all that there is to see, they are shown at once.
func (p *document) measurements(run results.Run, shownAtOnce bool) {
	var others, times []string
	for _, metric := range MetricsOf(run.Rows) {
		if results.IsCost(metric) {
			times = append(times, metric)
		} else {
			others = append(others, metric)
		}
	}
	rule := fmt.Sprintf("Mean over repeats ± half-width of its %s t interval, in the unit given; a number in brackets counts the repeats, where some are missing or failed. Statistics of every cell are in %s.",
		format.Percent(results.DefaultLevel), page.Code(format.SummaryTable))
	slices.SortStableFunc(others, func(a, b string) int { return rank(run, a) - rank(run, b) })
	shown, left := firstOfFamilies(others)
	if len(shown) > 0 {
		if shownAtOnce {
			p.Heading(2, "Measurements")
		} else {
			p.Folded("Measurements")
		}
		p.Para("%s %s", rule, BoldRule)
		describing := slices.IndexFunc(shown, func(name string) bool { return rank(run, name) > 0 })
		if !shownAtOnce || describing < 1 {
			describing = len(shown)
		}
		p.metricTables(run, shown[:describing])
		if describing < len(shown) {
			p.Folded("Further measurements")
			p.metricTables(run, shown[describing:])
		}
		if len(left) > 0 {
			p.Para("Not shown: %s.", page.Codes(left))
		}
	}
	if len(times) > 0 {
		p.Folded("Times")
		p.Para("%s Times, and memory where it was measured, depend on the machine; compare them within this run only. %s", rule, BoldRule)
		p.metricTables(run, times)
	}
}

// BoldRule says what is bold in the tables.
const BoldRule = "Bold is the best of a row, where it is clear which way is better. Its difference to each other method has p < 0.05 after Holm's correction over these methods, in a two-sided test that is paired over repeats, allows for a long tail, and is of logarithms where all values are positive. Where a claim asks which of two methods is better, its verdict decides. Exact methods, which the others approximate, are references and do not compete; nor do methods whose values are the same in every repeat, nor means of which repeats failed. Nothing is corrected for the number of rows. Bold says that there is a difference, not that it is large."

// rank puts what judges methods before what describes them.
func rank(run results.Run, metric string) int {
	if run.Catalog.Metrics[metric].Better != "" {
		return 0
	}
	return 1
}

// MeasurementTables is a page of tables alone.
func MeasurementTables(run results.Run, names []string) *page.Page {
	p := newDocument(run)
	p.captions = true
	p.metricTables(run, names)
	return &p.Page
}

func (p *document) metricTables(run results.Run, names []string) {
	for _, metric := range names {
		for _, g := range p.grids(metric) {
			title := p.labels.Sentence(p.named(metric))
			if g.info.Unit != "" {
				title += " in " + page.Escape(g.info.Unit)
			}
			if g.dataset != "" && p.several["dataset"] {
				title += ", dataset " + p.called(g.dataset)
			}
			if g.kernel != "" && p.several["kernel"] {
				title += ", kernel " + p.called(g.kernel)
			}
			p.Named(3, title, tableName(run)+" "+g.dataset+" "+metric)
			if p.captions {
				p.Para("%s", g.merged().caption(run))
			}
			p.grid(g.merged())
		}
	}
}

// caption says in short what the numbers of g are, and what is bold.
func (g *grid) caption(run results.Run) string {
	text := fmt.Sprintf("Mean over %s ± half-width of its %s t interval.", repeatsOf(run), format.Percent(results.DefaultLevel))
	var cells []string
	bold := false
	for i := range g.points {
		cells, bold = append(cells, g.row(i)...), bold || g.best(i) != ""
	}
	if slices.ContainsFunc(cells, func(cell string) bool { return strings.Contains(cell, " [") }) {
		text += " [a, b] is the interval where it ends at the least or greatest possible value."
	}
	if slices.ContainsFunc(cells, func(cell string) bool { return fewer.MatchString(cell) }) {
		text += " A number in brackets counts the repeats behind a mean, where these are fewer."
	}
	reference := slices.ContainsFunc(g.methods, func(method string) bool { return slices.Contains(g.exact, method) })
	if bold && reference {
		text += " Bold: better than every other approximation of its row (paired tests, p < 0.05 after Holm). A reference does not compete."
	} else if bold {
		text += " Bold: better than every other method of its row (paired tests, p < 0.05 after Holm)."
	}
	if note := g.ownNote(); note != "" {
		text += " " + note
	}
	return text
}

// fewer is the number of repeats behind the mean of a cell that lacks some.
var fewer = regexp.MustCompile(` \([0-9]+\)$`)

// tableName tells the tables of a run from those of another in one document.
func tableName(run results.Run) string {
	name := run.Spec.Name
	if folder := filepath.Base(run.Dir); run.Dir != "" && folder != configs.DefaultProfile {
		name += " " + folder
	}
	return name
}

// repeatsOf counts the repeats of a run, with its profile where that is not the default one.
func repeatsOf(run results.Run) string {
	text := plain.Count(run.Repeats(), "repeat")
	if profile := run.Manifest.Profile; profile != "" && profile != configs.DefaultProfile {
		text += " of profile " + profile
	}
	return text
}

// firstOfFamilies keeps all metrics but of numbered families the first few.
func firstOfFamilies(names []string) (shown, left []string) {
	seen := map[string]int{}
	for _, metric := range names {
		family, number := familyOf(metric)
		if number > 0 {
			seen[family]++
		}
		if number > 0 && seen[family] > maxNumbers {
			left = append(left, metric)
		} else {
			shown = append(shown, metric)
		}
	}
	return shown, left
}

// grid writes the table of g. Variables that are the same in all rows stand
// above it.
func (p *document) grid(g *grid) {
	var columns, constant []string
	for _, name := range p.variables {
		values := g.values(name)
		switch {
		case len(values) > 1:
			columns = append(columns, name)
		case len(values) == 1 && values[0] != "":
			constant = append(constant, page.Escape(name+" = "+values[0]))
		}
	}
	if len(constant) > 0 {
		p.Para("At %s.", strings.Join(constant, ", "))
	}
	var header []string
	for _, name := range slices.Concat(columns, g.methods) {
		text := name
		if name != everyMethod {
			text = p.called(name)
		}
		if slices.Contains(g.exact, name) {
			text += " (reference)"
		}
		if own := g.own[name]; len(own) > 0 {
			text += " (" + strings.Join(own, ", ") + ")"
		}
		header = append(header, text)
	}
	order := g.order(columns)
	var rows [][]string
	for _, i := range order[:min(len(order), page.MaxRowsHTML)] {
		row := lists.Map(columns, func(name string) string { return cmp.Or(pointValue(g.points[i], name), format.None) })
		rows = append(rows, append(row, g.row(i)...))
	}
	if text := g.constant(rows, len(columns)); text != "" {
		p.Para("%s", text)
		return
	}
	p.CutTable(page.Table{Align: strings.Repeat("r", len(header)), Header: header, Rows: rows, All: len(order), Most: maxRows, Noun: "row", Where: format.SummaryTable})
	if note := g.ownNote(); note != "" && !p.captions {
		p.Para("%s", note)
	}
}

// row writes what each method gave at row i.
func (g *grid) row(i int) []string {
	best := g.best(i)
	out := make([]string, len(g.methods))
	for j, method := range g.methods {
		repeats := g.cells[place{i, method}]
		if len(repeats) == 0 {
			out[j] = format.None
			continue
		}
		s := g.summary(place{i, method})
		out[j] = format.Mean(s.Mean, s.Low, s.High)
		if method == best {
			out[j] = page.Strong(out[j])
		}
		if len(repeats) < g.repeats {
			out[j] += fmt.Sprintf(" (%d)", len(repeats))
		}
	}
	return out
}
