package results

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"mercer/configs"
	"mercer/internal/lists"
)

// TableOptions chooses what the exported table has.
type TableOptions struct {
	OmitTimes bool // leave out the metrics that IsCost
}

// measured are the last columns of the exported table.
var measured = []string{"repeat", "metric", "value", "unit", "status"}

// WriteCSV writes a run as tidy CSV (RFC 4180, but for lines that end in a line feed): one
// line a metric, in canonical order of the rows and then by the metric's name. Where rows have
// series, there is a column [configs.Iteration], with one line an iteration below those of the
// row. A column that a row does not use is empty. A row that is not ok, and one that has nothing to show, gives
// one line with empty metric, value and unit.
func WriteCSV(w io.Writer, run Run, o TableOptions) error {
	out := csv.NewWriter(w)
	columns := lists.Map(run.Catalog.Columns, func(c Column) string { return c.Name })
	if slices.ContainsFunc(run.Rows, func(r Row) bool { return len(r.Series) > 0 }) {
		columns = append(columns, configs.Iteration)
	}
	err := out.Write(slices.Concat(columns, measured))
	for i := 0; i < len(run.Rows) && err == nil; i++ {
		r := &run.Rows[i]
		err = out.WriteAll(run.lines(columns, r, o))
		if len(r.Series) > 0 && err == nil {
			for _, at := range AlongIterations([]*Row{r}) {
				err = cmp.Or(err, out.WriteAll(run.lines(columns, at, o)))
			}
		}
	}
	out.Flush()
	if err = cmp.Or(err, out.Error()); err != nil {
		return fmt.Errorf("results: write CSV: %w", err)
	}
	return nil
}

// lines is what one row becomes: at least one line.
func (run Run) lines(columns []string, r *Row, o TableOptions) [][]string {
	at := append(lists.Map(columns, r.At.Text), strconv.Itoa(r.Repeat))

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
	}
	if len(lines) == 0 {
		add("", "", "")
	}
	return lines
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
