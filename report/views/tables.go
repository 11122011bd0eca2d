package views

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/sizes"
	"mercer/report/format"
	"mercer/results"
)

// CSVText writes rows as RFC 4180 text, but for lines that end in a line feed. A text that a
// spreadsheet would take for a formula, such as =A1 or -x, gets an apostrophe before it.
func CSVText(rows [][]string) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	for _, row := range rows {
		if err := w.Write(lists.Map(row, literal)); err != nil {
			panic(fmt.Sprintf("report: CSV to memory: %v", err))
		}
	}
	w.Flush()
	return text.Bytes()
}

// literal is a cell that a spreadsheet shows as it is. An operator alone is no formula.
func literal(cell string) string {
	if len(cell) < 2 || !strings.Contains("=+-@\t\r", cell[:1]) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// mark is a text where something is so: that a bound says nothing, for instance.
func mark(text string, so bool) string {
	if so {
		return text
	}
	return ""
}

// VerdictsCSV has a row for each verdict and, after it, one for each of its
// cells.
func VerdictsCSV(verdicts []claims.Verdict) []byte {
	rows := [][]string{{"claim", "kind", "row", "group", "cell", "of", "over", "outcome", "estimate", "low", "high", "level",
		"relation", "target", "within", "repeats", "p", "reason", "settle", "notes", "theorem", "tightness", "vacuous", "trivial_low", "trivial_high", "control", "check", "share"}}
	for _, v := range verdicts {
		rows = append(rows, verdictRow(v, "verdict", ""))
		for _, c := range v.Cells {
			rows = append(rows, verdictRow(atCell(v, c), "cell", c.Cell.String()))
		}
	}
	return CSVText(rows)
}

// verdictRow is a verdict, or a cell of one, as a row of [VerdictsCSV].
func verdictRow(v claims.Verdict, role, cell string) []string {
	given := func(x float64) string { // "" for none
		if x == 0 {
			return ""
		}
		return format.Value(x)
	}
	trivial := cmp.Or(v.Trivial, &claims.Trivial{})
	return []string{v.Claim, v.Kind, role, v.Group.String(), cell, v.Of, v.Over, string(v.Outcome),
		format.Value(v.Estimate), format.Value(v.Low), format.Value(v.High), format.Value(v.Level), v.Relation, format.Value(v.Target), given(v.Within),
		strconv.Itoa(v.Repeats), format.OptionalValue(v.P), v.Reason, v.Settle, strings.Join(v.Notes, "; "), v.Theorem, format.OptionalValue(v.Tightness),
		mark("vacuous", v.Vacuous), format.OptionalValue(trivial.Low), format.OptionalValue(trivial.High),
		mark("control", v.Control), mark("check", v.Check), given(v.Share)}
}

// SummaryCSV has a row for each cell and metric: the statistics over repeats.
// n, m, d and ell are the sizes that the method used; each further grid variable
// has a column of its own.
func SummaryCSV(run results.Run) []byte {
	columns := slices.Concat(sizes.Names, slices.DeleteFunc(format.Variables(run), sizes.Is))
	header := slices.Concat([]string{"experiment", "dataset", "kernel", "method"}, columns,
		[]string{"metric", "unit", "count", "missing", "mean", "sd", "se", "ci_low", "ci_high", "level", "median", "min", "max", "geomean"})
	rows := [][]string{header}
	cells := results.Cells(run.Present())
	for _, metric := range MetricsOf(run.Rows) {
		for _, cell := range cells {
			values := cellOf(cell, ofMetric(metric)).inOrder()
			if len(values) == 0 {
				continue
			}
			s := results.Summarize(values)
			row := append([]string{run.Spec.Name}, lists.Map(header[1:4+len(columns)], cell.At.Text)...)
			row = append(row, metric, run.Catalog.Metrics[metric].Unit, strconv.Itoa(s.Count), strconv.Itoa(len(cell.Rows)-s.Count))
			for _, v := range []float64{s.Mean, s.SD, s.SE, s.Low, s.High, results.DefaultLevel, s.Median, s.Min, s.Max, s.GeoMean} {
				row = append(row, format.Value(v))
			}
			rows = append(rows, row)
		}
	}
	return CSVText(rows)
}

// MetricsOf lists the metrics of the rows that are ok, by name.
func MetricsOf(rows []results.Row) []string {
	return results.MetricNames(lists.Where(rows, func(r results.Row) bool { return r.Status == results.OK }))
}

// AnswersCSV has a row for each answer.
func AnswersCSV(answers []claims.Answer) []byte {
	rows := [][]string{{"target", "group", "over", "at", "find", "fails", "holds", "least", "most", "tested", "wrong", "theory", "open"}}
	for _, a := range answers {
		rows = append(rows, []string{a.Target, a.Group.String(), a.Over, format.Value(a.At), a.Find, format.OptionalValue(a.Fails), format.OptionalValue(a.Holds),
			format.Value(a.Least), format.Value(a.Most), strconv.Itoa(a.Tested), format.Value(a.Wrong), format.OptionalValue(a.Theory), strconv.FormatBool(a.Open)})
	}
	return CSVText(rows)
}
