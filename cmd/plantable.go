package cmd

import (
	"fmt"
	"strconv"

	"mercer/internal/linalg"
	"mercer/internal/plain"
	"mercer/runner/plan"
)

// mostFits is how many fits a table lists.
const mostFits = 40

// planText is the fits of the first repeat (the first of many), totals, and what a person
// should know of the plan.
func planText(p *plan.Plan, v plan.Forecast) string {
	var fits [][]string
	for _, f := range v.Fits[:min(mostFits, len(v.Fits))] {
		memory := plan.Bytes(f.Bytes)
		switch {
		case f.Skip != "":
			memory = "skipped"
		case f.Refused != "":
			memory += ", refused"
		case f.Streams:
			memory += ", streams"
		}
		fits = append(fits, []string{f.At.Text("dataset"), f.At.Text("kernel"), f.At.Text("method"), f.At.Without("dataset", "kernel", "method").String(), strconv.Itoa(f.Rows), memory})
	}
	text := plain.Table([]string{"dataset", "kernel", "method", "at", "rows", "memory"}, fits)
	if more := len(v.Fits) - mostFits; more > 0 {
		text += fmt.Sprintf("… and %s more; --json lists them all\n", plain.Count(more, "fit"))
	}
	text += fmt.Sprintf("the table shows one repeat of %d; in total: %s, %d rows, up to %s a group\n", v.Repeats, plain.Count(len(p.Groups), "group"), v.Rows, plan.Bytes(v.Bytes))
	if refusals := v.Refusals(); refusals != "" {
		text += refusals + "\n"
	}
	if p.Timed {
		text += "time is measured: every row has a fit of its own, and fits run one after another\n"
	}
	for _, note := range p.Notes {
		text += "note: " + note + "\n"
	}
	return text + fmt.Sprintf("linear algebra: %s, %.0f GFLOP/s on one core\n", linalg.Backend(), linalg.Speed(1))
}
