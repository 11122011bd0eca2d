package report

import (
	"fmt"
	"slices"

	"mercer/results"
)

// notes are what the spec tells the reader, a paragraph each.
func (p *document) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.heading(2, "Notes")
	for _, note := range notes {
		p.para("%s", escape(note))
	}
}

// caveats gathers the warnings of the records, and what was odd in the files.
func (p *document) caveats(run results.Run) {
	p.heading(2, "Caveats")
	var warned occurrences
	for k := range run.Records {
		r := &run.Records[k]
		for i, warning := range r.Warnings {
			if !slices.Contains(r.Warnings[:i], warning) {
				warned.add("", warning, r)
			}
		}
	}
	if len(warned.list) == 0 && len(run.Warnings) == 0 {
		p.para("No record carries a warning.")
		return
	}
	if len(warned.list) > 0 {
		slices.SortStableFunc(warned.list, func(a, b *occurrence) int { return len(b.records) - len(a.records) })
		p.para("Warnings in the records, those that differ in numbers alone together.")
		variables := p.variablesOf(run)
		var rows [][]string
		for _, w := range warned.list {
			rows = append(rows, []string{escape(w.pattern.String()), fmt.Sprintf("%d of %d", len(w.records), len(run.Records)), w.where(variables)})
		}
		p.table("lrl", []string{"Warning", "Records", "Where"}, rows)
	}
	if len(run.Warnings) > 0 {
		p.para("In the files of the run:")
		items := make([]string, len(run.Warnings))
		for i, warning := range run.Warnings {
			items[i] = escape(warning)
		}
		p.list(items)
	}
}
