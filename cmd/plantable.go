package cmd

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"mercer/internal/linalg"
	"mercer/internal/plain"
	"mercer/runner/plan"
)

// mostFits is how many fits a table lists.
const mostFits = 1000

// planText is the fits (the first of many) and groups of the first repeat, and totals
// of all.
func planText(p *plan.Plan, v plan.View) string {
	fits := [][]any{{"dataset", "kernel", "method", "n", "m", "d", "ell", "k", "records", "Gflop", "time", "sample"}}
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
		fits = append(fits, []any{f.Dataset, f.Kernel, f.Method, blank(f.N), blank(f.M), blank(f.D), blank(f.Ell), blank(f.K), f.Records, work, seconds, sample})
	}
	groups := [][]any{{"group", "kernel", "fits", "records", "Gflop", "memory", "time"}}
	for _, g := range v.Groups {
		seconds := plan.Duration(g.Seconds)
		switch {
		case g.Unpriced > 0 && g.Seconds == 0:
			seconds = "unknown"
		case g.Unpriced > 0:
			seconds += " + unknown"
		}
		groups = append(groups, []any{g.Dataset, g.Kernel, g.Fits, g.Records, gflop(g.Flops), plan.Bytes(g.Bytes), seconds})
	}
	text := tableText(fits)
	if more := len(v.Fits) - mostFits; more > 0 {
		text += fmt.Sprintf(" … and %s more; --json lists them all\n", plain.Count(more, "fit"))
	}
	return text + "\n" + tableText(groups) + "\n" + v.Summary(p, linalg.Backend())
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
