package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// Occurrence is a text of some rows; texts that differ in their numbers alone count as the same.
type Occurrence struct {
	Status, Text, Where string
	Rows                int
}

// occurrences gathers the texts that rows have, in the order of statuses.
func (r *Report) occurrences(statuses []results.Status, texts func(*results.Row) []string) []Occurrence {
	type told struct {
		row  *results.Row
		text string
	}
	var all []told
	for _, status := range statuses {
		for i := range r.Run.Rows {
			if row := &r.Run.Rows[i]; row.Status == status {
				all = append(all, lists.Map(texts(row), func(text string) told { return told{row, plain.Text(text)} })...)
			}
		}
	}

	kind := func(t told) string { return string(t.row.Status) + "\x00" + numeral.ReplaceAllString(t.text, "#") }
	return lists.Map(lists.By(all, kind), func(same []told) Occurrence {
		text := same[0].text
		if slices.ContainsFunc(same, func(t told) bool { return t.text != text }) {
			text += " (the numbers vary)"
		}
		rows := lists.Map(same, func(t told) *results.Row { return t.row })
		cells := slices.CompactFunc(rows, func(a, b *results.Row) bool { return a.At == b.At })
		return Occurrence{format.StatusWords[same[0].row.Status], text, r.cellsText(cells), len(same)}
	})
}

// Failures are the rows that are not ok, by reason.
func (r *Report) Failures() []Occurrence {
	return r.occurrences(format.Statuses[1:], func(row *results.Row) []string { return []string{cmp.Or(row.Reason, "no reason was recorded")} })
}

// Failed are the Failures without what was skipped.
func (r *Report) Failed() []Occurrence {
	return lists.Where(r.Failures(), func(o Occurrence) bool { return o.Status != format.StatusWords[results.Skipped] })
}

// FailureTable has a row a reason.
func (r *Report) FailureTable() Table {
	t := Table{Columns: columns("Status", ">Rows", "Reason", "Where")}
	for _, o := range r.Failures() {
		t.Rows = append(t.Rows, Row(o.Status, strconv.Itoa(o.Rows), r.Names.Reads(o.Text), o.Where))
	}
	return t
}

// Warnings are those of the rows, the most frequent first.
func (r *Report) Warnings() Table {
	t := Table{Columns: columns("Warning", ">Rows", "Where")}
	all := r.occurrences(format.Statuses, func(row *results.Row) []string {
		return slices.Compact(slices.Sorted(slices.Values(row.Warnings)))
	})
	slices.SortStableFunc(all, func(a, b Occurrence) int { return b.Rows - a.Rows })
	for _, o := range all {
		t.Rows = append(t.Rows, Row(r.Names.Reads(o.Text), fmt.Sprintf("%d of %d", o.Rows, len(r.Run.Rows)), o.Where))
	}
	return t
}

// mostNamed is how many values of a variable the place of many cells has.
const mostNamed = 4

// cellsText says which cells are meant, given a row of each: "3 cells: method nystrom; n = 10, 20".
func (r *Report) cellsText(cells []*results.Row) string {
	var words []string
	for _, name := range r.places() {
		values := lists.Once(lists.Map(cells, func(row *results.Row) string { return r.Names.Value(row.At, name) }))
		values = lists.Where(values, func(text string) bool { return text != "" })
		switch variable := slices.Contains(r.Names.Variables, name); {
		case len(values) == 0:
		case variable:
			words = append(words, r.Names.labels.Variable(name)+" = "+plain.Some(values, mostNamed))
		case name == "method" || r.Names.several[name]:
			words = append(words, name+" "+plain.Some(values, mostNamed))
		}
	}
	return plain.Count(len(cells), "cell") + ": " + strings.Join(words, "; ")
}
