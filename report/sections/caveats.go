package sections

import (
	"fmt"
	"slices"

	"mercer/report/page"
	"mercer/results"
)

// notes are what the spec tells the reader, a paragraph each.
func (p *document) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.Heading(2, "Notes")
	for _, note := range notes {
		p.Para("%s", page.Escape(note))
	}
}

// caveats gathers the warnings of the records, and what was odd in the files.
func (p *document) caveats(run results.Run) {
	p.Heading(2, "Caveats")
	var warned occurrences
	index := map[string]*occurrence{}
	for k := range run.Records {
		r := &run.Records[k]
		for i, warning := range r.Warnings {
			if !slices.Contains(r.Warnings[:i], warning) {
				warned.add(index, "", warning, r)
			}
		}
	}
	if len(warned) == 0 && len(run.Warnings) == 0 {
		p.Para("No record carries a warning.")
		return
	}
	if len(warned) > 0 {
		slices.SortStableFunc(warned, func(a, b *occurrence) int { return len(b.records) - len(a.records) })
		p.Para("Warnings in the records; those that differ in numbers alone are one row.")
		var rows [][]string
		for _, w := range warned {
			rows = append(rows, []string{page.Escape(w.String()), fmt.Sprintf("%d of %d", len(w.records), len(run.Records)), where(firstOfCells(w.records), p.variables)})
		}
		p.Table("lrl", []string{"Warning", "Records", "Where"}, rows)
	}
	if len(run.Warnings) > 0 {
		p.Para("In the files of the run:")
		items := make([]string, len(run.Warnings))
		for i, warning := range run.Warnings {
			items[i] = page.Escape(warning)
		}
		p.List(items)
	}
}
