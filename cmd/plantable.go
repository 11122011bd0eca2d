package cmd

import (
	"fmt"
	"runtime"
	"strconv"

	"mercer/internal/linalg"
	"mercer/internal/plain"
	"mercer/runner/plan"
)

// planText is the groups of the first repeat, and totals of all.
func planText(p *plan.Plan, v plan.Forecast) string {
	var groups [][]string
	for _, g := range v.Groups {
		work, time := fmt.Sprintf("%.2g", g.Flops/1e9), plan.Duration(g.Seconds)
		switch {
		case g.Unpriced > 0 && g.Seconds == 0:
			work, time = "unknown", "unknown"
		case g.Unpriced > 0:
			time += " + unknown"
		}
		groups = append(groups, []string{g.Dataset, g.Kernel, strconv.Itoa(g.Fits), strconv.Itoa(g.Rows), work, plan.Bytes(g.Bytes), time})
	}
	return plain.Table([]string{"dataset", "kernel", "fits", "rows", "Gflop", "memory", "time"}, groups) + planSummary(p, v)
}

// planSummary is what all repeats take, and what a person should know of the plan.
func planSummary(p *plan.Plan, v plan.Forecast) string {
	price := fmt.Sprintf("about %.3g Gflop and %s on %d cores", v.Flops/1e9, plan.Duration(v.Seconds), runtime.NumCPU())
	if v.Unpriced > 0 && v.Seconds == 0 {
		price = "unknown work and time"
	}
	var memory int64
	for _, g := range p.Groups {
		memory = max(memory, g.Bytes)
	}
	text := fmt.Sprintf("the table shows one repeat of %d; in total: %d groups, %d rows, %s, up to %s a group\n", v.Repeats, len(p.Groups), v.Rows, price, plan.Bytes(memory)) +
		fmt.Sprintf("work and time are estimates, accurate to a factor of about 3; a core makes %.0f GFLOP/s now, on %s\n", v.GFLOPS, linalg.Backend())
	if v.Unpriced > 0 {
		text += fmt.Sprintf("not included: %d fits of programs (use: exec), whose work and time are unknown\n", v.Unpriced)
	}
	text += v.Refusals()
	if p.Timed {
		text += "time or memory is measured: every row has a fit of its own, and fits run one after another\n"
	}
	for _, note := range p.Notes {
		text += "note: " + note + "\n"
	}
	return text
}
