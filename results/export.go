package results

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
)

// TableOptions chooses what the exported table has.
type TableOptions struct {
	OmitTimes bool // leave out the metrics that IsCost, and what processes took
}

// measured are the last columns of the exported table.
var measured = []string{"repeat", "metric", "value", "unit", "status"}

// header are the columns of the exported table: those of the run, then measured.
func header(run Run) []string {
	return slices.Concat(lists.Map(run.Catalog.Columns, func(c Column) string { return c.Name }), measured)
}

// WriteCSV writes a run as tidy CSV (RFC 4180, but for lines that end in a line feed): one
// line a metric, in canonical order of the rows and then by the metric's name. A column that
// a row does not use is empty. A row that is not ok, and one that has nothing to show, gives
// one line with empty metric, value and unit. What a row's process took follows its metrics
// as process_cpu and process_peak, unless OmitTimes.
func WriteCSV(w io.Writer, run Run, o TableOptions) error {
	out := csv.NewWriter(w)
	err := out.Write(header(run))
	for i := 0; i < len(run.Rows) && err == nil; i++ {
		err = out.WriteAll(run.lines(&run.Rows[i], o))
	}
	out.Flush()
	if err = cmp.Or(err, out.Error()); err != nil {
		return fmt.Errorf("results: write CSV: %w", err)
	}
	return nil
}

// lines is what one row becomes: at least one line.
func (run Run) lines(r *Row, o TableOptions) [][]string {
	var at []string
	for _, column := range run.Catalog.Columns {
		at = append(at, r.At.Text(column.Name))
	}
	at = append(at, strconv.Itoa(r.Repeat))

	var lines [][]string
	add := func(metric, value, unit string) {
		lines = append(lines, slices.Concat(at, []string{metric, value, unit, string(r.Status)}))
	}
	if r.Status == OK {
		for name, v := range r.Metrics.All() {
			if !o.OmitTimes || !IsCost(name) {
				add(name, configs.NumberOf(v).String(), run.Catalog.Metrics[name].Unit)
			}
		}
		if u := r.Usage; u != nil && !o.OmitTimes {
			add("process_cpu", configs.NumberOf(u.CPU).String(), "s")
			add("process_peak", strconv.FormatInt(u.Peak, 10), "B")
		}
	}
	if len(lines) == 0 {
		add("", "", "")
	}
	return lines
}

// OnlyMetrics is run with the metrics of these names alone, all of them where there are
// none. A name that no row has, or that is given twice, is an error. The rows of run stay as
// they are; the cost is a copy of them.
func OnlyMetrics(run Run, names []string) (Run, error) {
	known := MetricNames(run.Rows)
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
	run.Rows = slices.Clone(run.Rows)
	for i := range run.Rows {
		r := &run.Rows[i]
		kept := map[string]float64{}
		for _, name := range names {
			if v, ok := r.Metrics.Get(name); ok {
				kept[name] = v
			}
		}
		r.Metrics, r.Usage = NewMetrics(kept), nil
	}
	return run, nil
}

// WriteJSONL writes a run's rows in canonical order, in the form that a [Store] keeps and
// [Decode] reads.
func WriteJSONL(w io.Writer, run Run) error {
	out := bufio.NewWriter(w)
	for _, r := range run.Rows {
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
