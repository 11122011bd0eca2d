package cmd

import (
	"fmt"
	"runtime"
	"strconv"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/internal/plain"
	"mercer/internal/sizes"
	"mercer/runner/plan"
)

// mostFits is how many fits a table lists.
const mostFits = 1000

// planText is the fits (the first of many) and groups of the first repeat, and totals
// of all.
func planText(p *plan.Plan, v plan.Forecast) string {
	var fits, groups [][]string
	for _, f := range v.Fits[:min(mostFits, len(v.Fits))] {
		at := f.Variables
		for _, name := range sizes.Names {
			if size := f.Get(name); size > 0 {
				at = at.With(name, configs.NumberOf(float64(size)))
			}
		}
		work, time := priced(f.Flops, f.Seconds, f.Unpriced)
		switch {
		case f.Skip != "":
			work, time = "skipped", ""
		case f.Refused != "":
			time = "refused"
		case f.Streams:
			time += ", streams"
		}
		fits = append(fits, []string{f.Dataset, f.Kernel, f.Method, at.String(), strconv.Itoa(f.Rows), work, time})
	}
	for _, g := range v.Groups {
		work, time := priced(g.Flops, g.Seconds, g.Unpriced > 0 && g.Seconds == 0)
		if g.Unpriced > 0 && g.Seconds > 0 {
			time += " + unknown"
		}
		groups = append(groups, []string{g.Dataset, g.Kernel, strconv.Itoa(g.Fits), strconv.Itoa(g.Rows), work, plan.Bytes(g.Bytes), time})
	}
	text := plain.Table([]string{"dataset", "kernel", "method", "at", "rows", "Gflop", "time"}, fits)
	if more := len(v.Fits) - mostFits; more > 0 {
		text += fmt.Sprintf("… and %s more; --json lists them all\n", plain.Count(more, "fit"))
	}
	return text + plain.Table([]string{"dataset", "kernel", "fits", "rows", "Gflop", "memory", "time"}, groups) + planSummary(p, v)
}

// priced are work and time as texts.
func priced(flops, seconds float64, unknown bool) (work, time string) {
	if unknown {
		return "unknown", "unknown"
	}
	return fmt.Sprintf("%.2g", flops/1e9), plan.Duration(seconds)
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
	text := fmt.Sprintf("the tables show one repeat of %d; in total: %d groups, %d rows, %s, up to %s a group\n", v.Repeats, len(p.Groups), v.Rows, price, plan.Bytes(memory)) +
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
