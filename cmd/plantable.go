package cmd

import (
	"fmt"
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"mercer/internal/linalg"
	"mercer/internal/plain"
	"mercer/runner/plan"
)

// mostFits is how many fits a table lists.
const mostFits = 1000

// printPlan prints the fits (the first of many) and groups of the first repeat, and totals
// of all.
func printPlan(w io.Writer, p *plan.Plan, v plan.View) error {
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
	if err := printTable(w, fits); err != nil {
		return err
	}
	if more := len(v.Fits) - mostFits; more > 0 {
		fmt.Fprintf(w, " … and %s more; --json lists them all\n", plain.Count(more, "fit"))
	}
	fmt.Fprintln(w)
	if err := printTable(w, groups); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n"+v.Summary(p, linalg.Backend()))
	return err
}

// printTable prints rows of cells, the first of which are the header.
func printTable(w io.Writer, rows [][]any) error {
	table := tablewriter.NewTable(w, tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII), Borders: tw.BorderNone}), tablewriter.WithHeaderAutoFormat(tw.Off))
	table.Header(rows[0]...)
	for _, row := range rows[1:] {
		if err := table.Append(row...); err != nil {
			return err
		}
	}
	return table.Render()
}

func gflop(flops float64) string { return fmt.Sprintf("%.2g", flops/1e9) }

func blank(v int) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}
