package views

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/results"
)

// Occurrence is a text of some rows. Texts that differ in their numbers alone count as the same.
type Occurrence struct {
	Status results.Status
	Text   string // of the first row
	Where  string // the first row is
	Rows   int
}

var numeral = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\b`)

// occurrences gathers the texts that rows have, the most frequent first.
func (r *Report) occurrences(texts func(results.Row) []string) (all []Occurrence) {
	known := map[string]int{}
	for _, row := range r.Run.Rows {
		for _, text := range texts(row) {
			kind := string(row.Status) + numeral.ReplaceAllString(text, "#")
			if _, is := known[kind]; !is {
				known[kind] = len(all)
				all = append(all, Occurrence{Status: row.Status, Text: plain.Text(text), Where: plain.Text(r.Names.Where(rounded(row.At)))})
			}
			all[known[kind]].Rows++
		}
	}
	slices.SortStableFunc(all, func(a, b Occurrence) int { return b.Rows - a.Rows })
	return all
}

// Failures are the rows that are not ok, by reason.
func (r *Report) Failures() []Occurrence {
	return r.occurrences(func(row results.Row) []string {
		if row.Status == results.OK {
			return nil
		}
		return []string{cmp.Or(row.Reason, "no reason was recorded")}
	})
}

// Failed are the Failures without what was skipped.
func (r *Report) Failed() []Occurrence {
	return lists.Where(r.Failures(), func(o Occurrence) bool { return o.Status != results.Skipped })
}

// FailureTable has a row a reason.
func (r *Report) FailureTable() Table {
	t := Table{Columns: columns("Status", ">Rows", "Reason", "First in")}
	for _, o := range r.Failures() {
		t.Rows = append(t.Rows, Row(string(o.Status), strconv.Itoa(o.Rows), o.Text, o.Where))
	}
	return t
}

// NoValues say why measures of the spec have no value in any row.
func (r *Report) NoValues() []Occurrence {
	there := MetricsOf(r.Run.Rows)
	return lists.Where(r.occurrences(func(row results.Row) []string { return row.Warnings }), func(o Occurrence) bool {
		measure, _, _ := strings.Cut(strings.TrimPrefix(o.Text, "no value of "), ":") // see metrics.Absent
		metrics, asked := r.Run.Catalog.Measures[measure]
		return asked && !slices.ContainsFunc(metrics, func(metric string) bool { return slices.Contains(there, metric) })
	})
}

// Warnings are those of the rows.
func (r *Report) Warnings() Table {
	t := Table{Columns: columns("Warning", ">Rows", "First in")}
	for _, o := range r.occurrences(func(row results.Row) []string { return lists.Once(row.Warnings) }) {
		t.Rows = append(t.Rows, Row(o.Text, strconv.Itoa(o.Rows), o.Where))
	}
	return t
}
