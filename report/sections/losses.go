package sections

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// occurrence is a text of some rows; those that differ from it in their numbers alone
// count as the same.
type occurrence struct {
	what, text string // what groups the list: the status of failures
	varies     bool   // the numbers do
	rows       []*results.Row
}

type occurrences []*occurrence

var numeral = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// add counts a row under its text. index is kept by the caller.
func (o *occurrences) add(index map[string]*occurrence, what, text string, r *results.Row) {
	text = plain.Text(text)
	id := what + "\x00" + numeral.ReplaceAllString(text, "#")
	known := index[id]
	if known == nil {
		known = &occurrence{what: what, text: text}
		index[id], *o = known, append(*o, known)
	}
	known.varies = known.varies || known.text != text
	known.rows = append(known.rows, r)
}

// String is the text of the first row.
func (o occurrence) String() string {
	if o.varies {
		return o.text + " (the numbers vary)"
	}
	return o.text
}

// losses writes what failed, was skipped or is missing.
func (p *document) losses(run results.Run) {
	p.Folded("Failed, skipped and missing")
	lost := lostRows(run, format.Statuses[1:])
	missing := run.Missing()
	switch {
	case len(lost) == 0 && missing == 0 && len(run.Rows) > 0:
		p.Para("None: all %d records are ok.", len(run.Rows))
	case len(lost) == 0 && missing == 0:
		p.Para("None, but there are no records either.")
	}
	rows := lists.Map(lost, func(l *occurrence) []string {
		return []string{l.what, strconv.Itoa(len(l.rows)), p.said(l.String()), p.cellsOf(l.cells())}
	})
	if len(rows) > 0 {
		p.Table("lrll", []string{"Status", "Records", "Reason", "Where"}, rows)
	}
	if missing == 0 {
		return
	}
	text := fmt.Sprintf("%d of %d records are missing: they were never run, or their run was interrupted. The same command runs them.", missing, missing+len(run.Rows))
	if short := shortCells(run); len(short) > 0 {
		text += " Some repeats are there of " + p.cellsOf(short) + "."
	}
	p.Para("%s", text)
}

// lostRows gathers the rows of these statuses by their reasons.
func lostRows(run results.Run, statuses []results.Status) (lost occurrences) {
	index := map[string]*occurrence{}
	for _, status := range statuses {
		for i := range run.Rows {
			if r := &run.Rows[i]; r.Status == status {
				lost.add(index, format.StatusWords[status], cmp.Or(r.Reason, "no reason was recorded"), r)
			}
		}
	}
	return lost
}

// Failures says in a line for each reason which records failed.
func Failures(run results.Run) (lines []string) {
	statuses := slices.DeleteFunc(slices.Clone(format.Statuses[1:]), func(s results.Status) bool { return s == results.Skipped })
	for _, l := range lostRows(run, statuses) {
		lines = append(lines, fmt.Sprintf("%s %s: %s; %s", plain.Count(len(l.rows), "record"), l.what, l.String(), cellsText(l.cells(), format.Variables(run), nil, format.Several(run.Rows))))
	}
	return lines
}

// caveats gathers the warnings of the records, and what was odd in the files.
func (p *document) caveats(run results.Run) {
	var warned occurrences
	index := map[string]*occurrence{}
	for k := range run.Rows {
		for _, warning := range slices.Compact(slices.Sorted(slices.Values(run.Rows[k].Warnings))) {
			warned.add(index, "", warning, &run.Rows[k])
		}
	}
	if len(warned) == 0 && len(run.Warnings) == 0 {
		return
	}
	p.Heading(2, "Caveats")
	if len(warned) > 0 {
		slices.SortStableFunc(warned, func(a, b *occurrence) int { return len(b.rows) - len(a.rows) })
		p.Para("Warnings in the records; those that differ in numbers alone are one row.")
		rows := lists.Map(warned, func(w *occurrence) []string {
			return []string{p.said(w.String()), fmt.Sprintf("%d of %d", len(w.rows), len(run.Rows)), p.cellsOf(w.cells())}
		})
		p.CutTable(page.Table{Align: "lrl", Header: []string{"Warning", "Records", "Where"}, Rows: rows, Cards: true})
	}
	if len(run.Warnings) > 0 {
		p.Para("In the files of the run:")
		p.List(page.Escaped(run.Warnings))
	}
}

// shortCells are rows of the cells that have fewer repeats than the run should have,
// one of each; cells without any row cannot be named from the rows.
func shortCells(run results.Run) []*results.Row {
	var short []*results.Row
	for _, cell := range allCells(run) {
		if len(cell.Rows) < run.Manifest.Repeats {
			short = append(short, cell.Rows[0])
		}
	}
	return short
}

// allCells are those of a run with their rows, also of data sets that are absent.
func allCells(run results.Run) []results.Group {
	rows := make([]*results.Row, len(run.Rows))
	for i := range rows {
		rows[i] = &run.Rows[i]
	}
	return results.Cells(rows)
}

// cells are rows of the cells, one of each.
func (o occurrence) cells() []*results.Row {
	return slices.CompactFunc(slices.Clone(o.rows), func(a, b *results.Row) bool { return a.At == b.At })
}

// cellsOf says which cells are meant in the page's words.
func (p *document) cellsOf(cells []*results.Row) string {
	return page.Escape(cellsText(cells, p.variables, p.labels, p.several))
}

// cellsText says which cells are meant, given a row of each: their data sets and kernels,
// of which there are several, methods and variables, with a method's own sizes.
func cellsText(cells []*results.Row, variables []string, labels figure.Labels, several map[string]bool) string {
	words := []string{}
	for _, name := range slices.Concat(lists.Where([]string{"dataset", "kernel"}, func(name string) bool { return several[name] }), []string{"method"}, variables) {
		values := lists.Once(lists.Where(lists.Map(cells, func(r *results.Row) results.Value { return r.At.Get(name) }),
			func(v results.Value) bool { return v.Kind != configs.None }))
		if len(values) > 0 && slices.Contains(variables, name) {
			words = append(words, labels.Variable(name)+" = "+valuesText(values))
		} else if len(values) > 0 {
			called := lists.Map(values, func(v results.Value) string {
				return labels.Where(results.NewKey([]string{name}, []results.Value{v})).Text(name)
			})
			words = append(words, name+" "+plain.Some(lists.Once(called), 4))
		}
	}
	return plain.Count(len(cells), "cell") + ": " + strings.Join(words, "; ")
}

// valuesText writes the values of a variable: each of a few, else their range.
func valuesText(values []results.Value) string {
	if values[0].Kind == configs.Text {
		return plain.Some(lists.Map(values, results.Value.String), 4)
	}
	numbers := slices.Sorted(slices.Values(lists.Map(values, func(v results.Value) float64 { return v.Number })))
	if len(numbers) > 4 {
		return large(numbers[0]) + " … " + large(numbers[len(numbers)-1])
	}
	return strings.Join(lists.Map(numbers, format.Number), ", ")
}
