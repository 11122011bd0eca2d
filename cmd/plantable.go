package cmd

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"mercer/internal/linalg"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
	"mercer/runner/plan"
)

// mostFits is how many fits a table lists.
const mostFits = 1000

// planText is the fits (the first of many) and groups of the first repeat, and totals
// of all.
func planText(p *plan.Plan, v plan.Forecast) string {
	swept := sweptColumns(v.Fits)
	fits := [][]any{slices.Concat([]any{"dataset", "kernel", "method"}, anys(swept), []any{"n", "m", "d", "ell", "k", "rows", "Gflop", "time", "sample"})}
	for _, f := range v.Fits[:min(mostFits, len(v.Fits))] {
		work, seconds, sample := gflop(f.Flops), plan.Duration(f.Seconds), ""
		switch {
		case f.Skip != "":
			work, seconds = "skipped", ""
		case f.Unpriced && f.Refused == "":
			work, seconds = "unknown", "unknown"
		case f.Refused != "":
			seconds = "refused"
		}
		if f.Streams {
			sample = "streams"
		}
		values := lists.Map(swept, func(name string) string {
			if x, ok := f.Variables.Number(name); ok {
				return format.Number(x)
			}
			return f.Variables.Text(name)
		})
		fits = append(fits, slices.Concat([]any{f.Dataset, f.Kernel, f.Method}, anys(values), []any{blank(f.N), blank(f.M), blank(f.D), blank(f.Ell), blank(f.K), f.Rows, work, seconds, sample}))
	}
	groups := [][]any{{"group", "kernel", "fits", "rows", "Gflop", "memory", "time"}}
	for _, g := range v.Groups {
		seconds := plan.Duration(g.Seconds)
		switch {
		case g.Unpriced > 0 && g.Seconds == 0:
			seconds = "unknown"
		case g.Unpriced > 0:
			seconds += " + unknown"
		}
		groups = append(groups, []any{g.Dataset, g.Kernel, g.Fits, g.Rows, gflop(g.Flops), plan.Bytes(g.Bytes), seconds})
	}
	text := tableText(fits)
	if more := len(v.Fits) - mostFits; more > 0 {
		text += fmt.Sprintf(" … and %s more; --json lists them all\n", plain.Count(more, "fit"))
	}
	return text + "\n" + tableText(groups) + "\n" + planSummary(p, v)
}

// sweptColumns are the variables of fits that have several values, in order.
func sweptColumns(fits []plan.FitForecast) (swept []string) {
	first := map[string]results.Value{}
	for _, f := range fits {
		for name, v := range f.Variables.All() {
			if known, seen := first[name]; !seen {
				first[name] = v
			} else if known != v && !slices.Contains(swept, name) {
				swept = append(swept, name)
			}
		}
	}
	return swept
}

func anys(texts []string) []any { return lists.Map(texts, func(text string) any { return text }) }

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
	text := fmt.Sprintf("the tables show one repeat of %d; in total: %d groups, %d rows, %s, up to %s a group\n", v.Repeats, len(p.Groups), v.Rows, price, plan.Bytes(memory))
	text += fmt.Sprintf("memory is that of the arrays held at once, without garbage; work and time are estimates, accurate to a factor of about 3; a core makes %.0f GFLOP/s now, on %s\n", v.GFLOPS, linalg.Backend())
	if v.Unpriced > 0 {
		text += fmt.Sprintf("not included: %d fits of programs (use: exec), whose work and time are unknown\n", v.Unpriced)
	}
	text += v.Refusals()
	if slices.ContainsFunc(v.Fits, func(f plan.FitForecast) bool { return f.Streams }) {
		text += "fits that stream read their sample in blocks and never hold it; each fit reads it again\n"
	}
	if p.Timed {
		text += "time or memory is measured: every row has a fit of its own, and fits run one after another\n"
	}
	for _, note := range p.Notes {
		text += "note: " + note + "\n"
	}
	return text
}

// tableText is rows of cells, the first of which are the header.
func tableText(rows [][]any) string {
	var text strings.Builder
	table := tablewriter.NewTable(&text, tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII), Borders: tw.BorderNone}), tablewriter.WithHeaderAutoFormat(tw.Off))
	table.Header(rows[0]...)
	if err := cmp.Or(table.Bulk(rows[1:]), table.Render()); err != nil {
		panic(err) // a table of texts and numbers in memory always can
	}
	return text.String()
}

func gflop(flops float64) string { return fmt.Sprintf("%.2g", flops/1e9) }

func blank(v int) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}
