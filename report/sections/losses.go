package sections

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/selection"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// occurrence is a text of some records; those that differ from it in their numbers alone
// count as the same.
type occurrence struct {
	what, text string // what groups the list: the status of failures
	varies     bool   // the numbers do
	records    []*results.Record
}

type occurrences []*occurrence

var numeral = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// add counts a record under its text. index is kept by the caller.
func (o *occurrences) add(index map[string]*occurrence, what, text string, r *results.Record) {
	text = plain.Text(text)
	id := what + "\x00" + numeral.ReplaceAllString(text, "#")
	known := index[id]
	if known == nil {
		known = &occurrence{what: what, text: text}
		index[id], *o = known, append(*o, known)
	}
	known.varies = known.varies || known.text != text
	known.records = append(known.records, r)
}

// String is the text of the first record.
func (o occurrence) String() string {
	if o.varies {
		return o.text + " (the numbers vary)"
	}
	return o.text
}

// losses writes what failed, was skipped or is missing.
func (p *document) losses(run results.Run) {
	p.Folded("Failed, skipped and missing")
	lost := lostRecords(run, format.Statuses[1:])
	missing := run.Missing()
	switch {
	case len(lost) == 0 && missing == 0 && len(run.Records) > 0:
		p.Para("None: all %d records are ok.", len(run.Records))
	case len(lost) == 0 && missing == 0:
		p.Para("None, but there are no records either.")
	}
	rows := lists.Map(lost, func(l *occurrence) []string {
		return []string{l.what, strconv.Itoa(len(l.records)), p.said(l.String()), p.cellsOf(l.cells())}
	})
	if len(rows) > 0 {
		p.Table("lrll", []string{"Status", "Records", "Reason", "Where"}, rows)
	}
	if missing == 0 {
		return
	}
	text := fmt.Sprintf("%d of %d records are missing: they were never run, or their run was interrupted. The same command runs them.", missing, missing+len(run.Records))
	if short := shortCells(run); len(short) > 0 {
		text += " Some repeats are there of " + p.cellsOf(short) + "."
	}
	p.Para("%s", text)
}

// lostRecords gathers the records of these statuses by their reasons.
func lostRecords(run results.Run, statuses []results.Status) (lost occurrences) {
	index := map[string]*occurrence{}
	for _, status := range statuses {
		for i := range run.Records {
			if r := &run.Records[i]; r.Status == status {
				lost.add(index, format.StatusWords[status], cmp.Or(r.Reason, "no reason was recorded"), r)
			}
		}
	}
	return lost
}

// Failures says in a line for each reason which records failed.
func Failures(run results.Run) (lines []string) {
	statuses := slices.DeleteFunc(slices.Clone(format.Statuses[1:]), func(s results.Status) bool { return s == results.Skipped })
	for _, l := range lostRecords(run, statuses) {
		lines = append(lines, fmt.Sprintf("%s %s: %s; %s", plain.Count(len(l.records), "record"), l.what, l.String(), cellsText(l.cells(), variablesOf(run), nil, format.Several(run.Records))))
	}
	return lines
}

// caveats gathers the warnings of the records, and what was odd in the files.
func (p *document) caveats(run results.Run) {
	var warned occurrences
	index := map[string]*occurrence{}
	for k := range run.Records {
		for _, warning := range slices.Compact(slices.Sorted(slices.Values(run.Records[k].Warnings))) {
			warned.add(index, "", warning, &run.Records[k])
		}
	}
	if len(warned) == 0 && len(run.Warnings) == 0 {
		return
	}
	p.Heading(2, "Caveats")
	if len(warned) > 0 {
		slices.SortStableFunc(warned, func(a, b *occurrence) int { return len(b.records) - len(a.records) })
		p.Para("Warnings in the records; those that differ in numbers alone are one row.")
		rows := lists.Map(warned, func(w *occurrence) []string {
			return []string{p.said(w.String()), fmt.Sprintf("%d of %d", len(w.records), len(run.Records)), p.cellsOf(w.cells())}
		})
		p.CutTable(page.Table{Align: "lrl", Header: []string{"Warning", "Records", "Where"}, Rows: rows, Cards: true})
	}
	if len(run.Warnings) > 0 {
		p.Para("In the files of the run:")
		p.List(page.Escaped(run.Warnings))
	}
}

// shortCells are records of the cells that have fewer repeats than the run should have,
// one of each; cells without any record cannot be named from the records.
func shortCells(run results.Run) []*results.Record {
	var short []*results.Record
	for cell := range results.ByCell(run.Records) {
		if len(cell) < run.Manifest.Repeats {
			short = append(short, &cell[0])
		}
	}
	return short
}

// cells are records of the cells, one of each.
func (o occurrence) cells() []*results.Record {
	return slices.CompactFunc(slices.Clone(o.records), func(a, b *results.Record) bool { return a.SameCell(b) })
}

// cellsOf says which cells are meant in the page's words.
func (p *document) cellsOf(cells []*results.Record) string {
	return page.Escape(cellsText(cells, p.variables, p.labels, p.several))
}

// cellsText says which cells are meant, given a record of each: their data sets and kernels,
// of which there are several, methods and variables, with a method's own sizes.
func cellsText(cells []*results.Record, variables []string, labels figure.Labels, several map[string]bool) string {
	words := []string{}
	for _, name := range slices.Concat(lists.Where([]string{"dataset", "kernel"}, func(name string) bool { return several[name] }), []string{"method"}, variables) {
		var values []string
		for _, r := range cells {
			if v, ok := selection.Place(r, name); ok && v != "" && !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > 0 && slices.Contains(variables, name) {
			words = append(words, labels.Variable(name)+" = "+valuesText(values))
		} else if len(values) > 0 {
			called := lists.Map(values, func(v string) string { return labels.Where([]format.Coordinate{{Name: name, Value: v}})[0].Value })
			words = append(words, name+" "+plain.Some(lists.Once(called), 4))
		}
	}
	return plain.Count(len(cells), "cell") + ": " + strings.Join(words, "; ")
}

// valuesText writes the values of a variable: each of a few, else their range.
func valuesText(texts []string) string {
	values := make([]float64, len(texts))
	for i, text := range texts {
		values[i], _ = strconv.ParseFloat(text, 64)
	}
	slices.Sort(values)
	if len(values) > 4 {
		return large(values[0]) + " … " + large(values[len(values)-1])
	}
	for i, v := range values {
		texts[i] = format.Number(v)
	}
	return strings.Join(texts, ", ")
}
