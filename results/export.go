package results

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// CSVOptions chooses what WriteCSV writes.
type CSVOptions struct {
	OmitTimes bool // leave out the metrics that IsCost, and what processes took
}

// csvColumns come first; the further grid variables follow.
var csvColumns = slices.Concat([]string{"experiment", "dataset", "kernel", "method"}, sizes.Names,
	[]string{"repeat", "metric", "value", "unit", "status"})

// WriteCSV writes run as tidy CSV (RFC 4180, but for lines that end in a line
// feed): one row a metric, in canonical order of the records and then by the
// metric's name. n, m, d, ell and k are the sizes that the method used, empty
// where it has none; each further grid variable has a column after status, in
// the manifest's order. A record that is not ok, and one that has nothing to
// show, gives one row with empty metric, value and unit. What a record's process
// took follows its metrics as process_cpu and process_peak, unless OmitTimes.
func WriteCSV(w io.Writer, run Run, o CSVOptions) error {
	further := furtherVariables(run.Manifest)
	records := Sorted(run.Records, run.Manifest.Variables)
	out := csv.NewWriter(w)
	err := out.Write(slices.Concat(csvColumns, further))
	for i := 0; i < len(records) && err == nil; i++ {
		err = out.WriteAll(csvRows(records[i], further, o))
	}
	out.Flush()
	if err = cmp.Or(err, out.Error()); err != nil {
		return fmt.Errorf("results: write CSV: %w", err)
	}
	return nil
}

// furtherVariables are the grid variables that are no sizes.
func furtherVariables(m Manifest) []string {
	return slices.DeleteFunc(slices.Clone(m.Variables), sizes.Is)
}

// csvRows is what one record becomes: at least one row.
func csvRows(r Record, further []string, o CSVOptions) [][]string {
	var rows [][]string
	row := func(metric, value, unit string) []string {
		line := []string{r.Experiment, r.Dataset, r.Kernel, r.Method}
		for _, v := range r.Sizes.All() {
			line = append(line, sizeText(v))
		}
		line = append(line, strconv.Itoa(r.Repeat), metric, value, unit, string(r.Status))
		for _, name := range further {
			text := ""
			if v, ok := r.Point[name]; ok {
				text = plain.Number(v)
			}
			line = append(line, text)
		}
		return line
	}
	if r.Status == OK {
		for name, m := range r.Metrics.All() {
			if o.OmitTimes && IsCost(name) {
				continue
			}
			rows = append(rows, row(name, plain.Number(m.Value), m.Unit))
		}
		if u := r.Usage; u != nil && !o.OmitTimes {
			rows = append(rows, row("process_cpu", plain.Number(u.CPU), "s"), row("process_peak", strconv.FormatInt(u.Peak, 10), "B"))
		}
	}
	if len(rows) == 0 {
		rows = append(rows, row("", "", ""))
	}
	return rows
}

func sizeText(v int) string {
	if v == 0 {
		return ""
	}
	return strconv.Itoa(v)
}

// OnlyMetrics is run with the metrics of these names alone, all of them where there
// are none. A name that no record has, or that is given twice, is an error. The
// records of run stay as they are; the cost is a copy of them.
func OnlyMetrics(run Run, names []string) (Run, error) {
	known := MetricNames(run.Records)
	for i, name := range names {
		if !slices.Contains(known, name) {
			return run, fmt.Errorf("the run has no metric %q; it has %s", name, strings.Join(known, ", "))
		}
		if slices.Contains(names[:i], name) {
			return run, fmt.Errorf("metric %q is given twice", name)
		}
	}
	if len(names) == 0 {
		return run, nil
	}
	run.Records = slices.Clone(run.Records)
	for i := range run.Records {
		r := &run.Records[i]
		kept := map[string]Metric{}
		for _, name := range names {
			if m, ok := r.Metrics.Get(name); ok {
				kept[name] = m
			}
		}
		r.Metrics, r.Usage = NewMetrics(kept), nil
	}
	return run, nil
}

// WriteJSONL writes run's records in canonical order, in the form that a
// [Store] keeps and [Decode] reads.
func WriteJSONL(w io.Writer, run Run) error {
	records := Sorted(run.Records, run.Manifest.Variables)
	out := bufio.NewWriter(w)
	for _, r := range records {
		line, err := Encode(r)
		if err != nil {
			return fmt.Errorf("results: write JSON lines: %w", err)
		}
		out.Write(append(line, '\n')) // the error stays and Flush returns it
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("results: write JSON lines: %w", err)
	}
	return nil
}

// MetricNames are the names of the metrics that records have, sorted.
func MetricNames(records []Record) []string {
	seen := map[*metricNames]bool{nil: true}
	names := map[string]bool{}
	for i := range records {
		if named := records[i].Metrics.named; !seen[named] {
			seen[named] = true
			for _, name := range named.names {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
