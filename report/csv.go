package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/sizes"
	"mercer/results"
)

// csvText writes rows as RFC 4180 text, but for lines that end in a line feed.
func csvText(rows [][]string) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if err := w.WriteAll(rows); err != nil {
		panic(fmt.Sprintf("report: CSV to memory: %v", err))
	}
	return text.Bytes()
}

// value writes v with all its digits; empty when it is not known.
func value(v float64) string {
	if !finite(v) {
		return ""
	}
	return results.FormatFloat(v)
}

func optionalValue(v *float64) string {
	if v == nil {
		return ""
	}
	return value(*v)
}

// verdictsCSV has a row for each verdict and, after it, one for each of its
// cells.
func verdictsCSV(verdicts []claims.Verdict) []byte {
	rows := [][]string{{"claim", "kind", "row", "group", "cell", "of", "over", "outcome", "estimate", "low", "high", "level",
		"relation", "target", "within", "repeats", "p", "reason", "settle", "notes", "theorem", "tightness"}}
	for _, v := range verdicts {
		within := ""
		if v.Within != 0 {
			within = value(v.Within)
		}
		group := pairs(v.Group)
		rows = append(rows, []string{v.Claim, v.Kind, "verdict", group, "", v.Of, v.Over, string(v.Outcome),
			value(v.Estimate), value(v.Low), value(v.High), value(v.Level), v.Relation, value(v.Target), within,
			strconv.Itoa(v.Repeats), "", v.Reason, v.Settle, strings.Join(v.Notes, "; "), v.Theorem, optionalValue(v.Tightness)})
		for _, c := range v.Cells {
			rows = append(rows, []string{v.Claim, v.Kind, "cell", group, pairs(c.Cell), v.Of, v.Over, string(c.Outcome),
				value(c.Estimate), value(c.Low), value(c.High), value(v.Level), v.Relation, value(c.Target), within,
				strconv.Itoa(c.Repeats), value(c.P), "", "", "", v.Theorem, optionalValue(c.Tightness)})
		}
	}
	return csvText(rows)
}

func pairs(group []claims.Coordinate) string {
	words := make([]string, len(group))
	for i, c := range group {
		words[i] = c.Name + "=" + c.Value
	}
	return strings.Join(words, " ")
}

// summaryCSV has a row for each cell and metric: the statistics over repeats.
// n, m, d and ell are the sizes that the method used; each further grid variable
// has a column of its own.
func summaryCSV(run results.Run) []byte {
	further := slices.DeleteFunc(variablesOf(run), sizes.Is)
	header := slices.Concat([]string{"experiment", "dataset", "kernel", "method"}, sizes.Names, further,
		[]string{"metric", "unit", "count", "missing", "mean", "sd", "se", "ci_low", "ci_high", "level", "median", "min", "max", "geomean"})
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	write := func(row []string) {
		if err := w.Write(row); err != nil {
			panic(fmt.Sprintf("report: CSV to memory: %v", err))
		}
	}
	write(header)
	var row []string
	for _, metric := range metricsOf(run.Records) {
		for _, s := range results.Summaries(run.Records, metric) {
			row = append(row[:0], run.Manifest.Experiment, s.Dataset, s.Kernel, s.Method)
			for _, size := range s.Sizes.All() {
				text := ""
				if size != 0 {
					text = strconv.Itoa(size)
				}
				row = append(row, text)
			}
			for _, name := range further {
				text := ""
				if v, ok := s.Point[name]; ok {
					text = value(v)
				}
				row = append(row, text)
			}
			row = append(row, metric, s.Unit, strconv.Itoa(s.Count), strconv.Itoa(s.Missing))
			for _, v := range []float64{s.Mean, s.SD, s.SE, s.Low, s.High, s.Level, s.Median, s.Min, s.Max, s.GeoMean} {
				row = append(row, value(v))
			}
			write(row)
		}
	}
	w.Flush()
	return text.Bytes()
}
