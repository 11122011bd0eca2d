package sections

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// occurrence is one pattern of text with the records that carry it.
type occurrence struct {
	what    string // a group within the list: the status of failures
	pattern pattern
	records []*results.Record
}

// occurrences groups texts by what and pattern, in the order in which they
// first occur.
type occurrences struct {
	list  []*occurrence
	index map[string]*occurrence
}

func (o *occurrences) add(what, text string, r *results.Record) {
	if o.index == nil {
		o.index = map[string]*occurrence{}
	}
	p := patternOf(format.Printable(text))
	id := what + "\x00" + p.id()
	known := o.index[id]
	if known == nil {
		known = &occurrence{what: what, pattern: p}
		o.index[id] = known
		o.list = append(o.list, known)
	}
	known.pattern.widen(p)
	known.records = append(known.records, r)
}

// losses writes what failed, was skipped or is missing.
func (p *document) losses(run results.Run) {
	p.Heading(2, "Failed, skipped and missing")
	var lost occurrences
	for _, status := range format.Statuses[1:] {
		for i := range run.Records {
			if r := &run.Records[i]; r.Status == status {
				lost.add(format.StatusWords[status], cmp.Or(r.Reason, "no reason was recorded"), r)
			}
		}
	}
	missing := run.Missing()
	switch {
	case len(lost.list) == 0 && missing == 0 && len(run.Records) > 0:
		p.Para("None: all %d records are ok.", len(run.Records))
	case len(lost.list) == 0 && missing == 0:
		p.Para("None, but there are no records either.")
	}
	if len(lost.list) > 0 {
		variables := p.variablesOf(run)
		var rows [][]string
		for _, l := range lost.list {
			rows = append(rows, []string{l.what, fmt.Sprint(len(l.records)), page.Escape(l.pattern.String()), l.where(variables)})
		}
		p.Table("lrll", []string{"Status", "Records", "Reason", "Where"}, rows)
	}
	if missing > 0 {
		p.Para("%d of %d records are missing: they were never run, or their run was interrupted. The same command goes on with them.", missing, missing+len(run.Records))
		p.short(run)
	}
}

// short lists the cells that have fewer repeats than the run should have; cells
// without any record cannot be named from the records.
func (p *document) short(run results.Run) {
	type cell struct {
		first   *results.Record
		repeats int
	}
	var cells []*cell
	index := map[string]*cell{}
	var last *cell
	for i := range run.Records {
		r := &run.Records[i]
		if last == nil || !r.SameCell(last.first) {
			id := cellName(r)
			if index[id] == nil {
				index[id] = &cell{first: r}
				cells = append(cells, index[id])
			}
			last = index[id]
		}
		last.repeats++
	}
	cells = slices.DeleteFunc(cells, func(c *cell) bool { return c.repeats >= run.Manifest.Repeats })
	variables := p.variablesOf(run)
	var items []string
	for _, c := range cells[:min(len(cells), maxCells)] {
		items = append(items, fmt.Sprintf("%d of %d repeats: %s", c.repeats, run.Manifest.Repeats, describe([]*results.Record{c.first}, variables)))
	}
	if more := len(cells) - maxCells; more > 0 {
		items = append(items, fmt.Sprintf("… and %s more", format.Count(more, "cell")))
	}
	p.List(items)
}

// cellName tells cells apart.
func cellName(r *results.Record) string {
	return fmt.Sprintf("%q %q %q %v", r.Dataset, r.Kernel, r.Method, r.Point) // fmt sorts the keys of a map
}

// where says which cells an occurrence is about.
func (o occurrence) where(variables []string) string {
	cells := map[string]bool{}
	for i, r := range o.records {
		if i == 0 || !r.SameCell(o.records[i-1]) {
			cells[cellName(r)] = true
		}
	}
	return fmt.Sprintf("%s: %s", format.Count(len(cells), "cell"), describe(o.records, variables))
}

// describe says what records have in common: their data sets, kernels and
// methods, and the values or ranges of their variables. It is Markdown.
func describe(records []*results.Record, variables []string) string {
	var words []string
	for _, column := range []struct {
		name string
		of   func(*results.Record) string
	}{
		{"dataset", func(r *results.Record) string { return r.Dataset }},
		{"kernel", func(r *results.Record) string { return r.Kernel }},
		{"method", func(r *results.Record) string { return r.Method }},
	} {
		var names []string
		for _, r := range records {
			if name := column.of(r); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			words = append(words, column.name+" "+page.Escape(format.Some(names)))
		}
	}
	for _, name := range variables {
		if text := rangeText(records, name); text != "" {
			words = append(words, page.Escape(name+" = "+text))
		}
	}
	return strings.Join(words, ", ")
}

// rangeText writes the values of a variable: each of a few, else their range.
func rangeText(records []*results.Record, name string) string {
	var values []float64
	for _, r := range records {
		if v, ok := r.Point[name]; ok && (len(values) == 0 || v != values[len(values)-1]) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) > 4 {
		return format.Number(values[0]) + " … " + format.Number(values[len(values)-1])
	}
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = format.Number(v)
	}
	return strings.Join(words, ", ")
}
