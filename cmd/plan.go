package cmd

import (
	"fmt"
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"mercer/runner"
)

// planFlags are common to plan and run.
type planFlags struct {
	profile, filter string
}

func (f *planFlags) add(c *cobra.Command) {
	profileFlag(c, &f.profile)
	c.Flags().StringVar(&f.filter, "filter", "", `only records for which this holds, such as 'method == "nystrom" && n <= 1000'`)
}

// prepare reads a spec and makes its plan.
func (f *planFlags) prepare(c *cobra.Command, name string, timing runner.Timing) (source, *runner.Plan, error) {
	s, err := readSpec(name)
	if err != nil {
		return s, nil, err
	}
	resolved, err := s.resolve(f.profile)
	if err != nil {
		return s, nil, err
	}
	plan, err := runner.Prepare(c.Context(), resolved, runner.PrepareOptions{Filter: f.filter, Log: c.ErrOrStderr(), Dir: s.dir, Timing: timing})
	return s, plan, err
}

func newPlan() *cobra.Command {
	var flags planFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "plan SPEC",
		Short: "Show what a run would compute: groups, shared fits, records, work and memory",
		Long: `Show what a run would compute, without computing it. Data sets are opened, and
fetched if need be. Fits are what is computed; each serves all its records that
differ in ell alone. Work and memory are estimates.`,
		Example:           "  mercer plan nystrom-kpca-rates --profile smoke",
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			_, plan, err := flags.prepare(c, args[0], runner.Timing{})
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), planRows(plan))
			}
			return printPlan(c.OutOrStdout(), plan)
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON: one entry a fit of the first repeat")
	return c
}

// planRow is one fit of the first repeat.
type planRow struct {
	Dataset string  `json:"dataset"`
	Kernel  string  `json:"kernel"`
	Method  string  `json:"method"`
	N       int     `json:"n,omitempty"`
	M       int     `json:"m,omitempty"`
	D       int     `json:"d,omitempty"`
	Ell     int     `json:"ell"`
	Records int     `json:"records"`
	Flops   float64 `json:"flops"`
	Skip    string  `json:"skip,omitempty"`
}

func planRows(plan *runner.Plan) []planRow {
	var rows []planRow
	for _, g := range plan.Groups {
		if g.Repeat > 0 {
			continue
		}
		for _, f := range g.Fits {
			if len(f.Cells) == 0 {
				continue
			}
			row := planRow{Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method, N: f.Sizes.N, M: f.Sizes.M, D: f.Sizes.D, Ell: f.Sizes.Ell, Records: len(f.Cells), Flops: f.Flops}
			if f.Skip != nil {
				row.Skip = f.Skip.Error()
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func printPlan(w io.Writer, plan *runner.Plan) error {
	table := tablewriter.NewTable(w, tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII), Borders: tw.BorderNone}), tablewriter.WithHeaderAutoFormat(tw.Off))
	table.Header("dataset", "kernel", "method", "n", "m", "ell", "records", "Gflop")
	for _, r := range planRows(plan) {
		work := fmt.Sprintf("%.2g", r.Flops/1e9)
		if r.Skip != "" {
			work = "skipped"
		}
		if err := table.Append(r.Dataset, r.Kernel, r.Method, blank(r.N), blank(r.M), r.Ell, r.Records, work); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	var memory int64
	for _, g := range plan.Groups {
		memory = max(memory, g.Bytes)
	}
	text := fmt.Sprintf("one repeat of %d is shown; %d groups, %d records, about %.3g Gflop, up to %.2g GiB a group and %.2g GiB for all\n",
		plan.Spec.Repeats, len(plan.Groups), plan.Records(), plan.Flops()/1e9, float64(memory)/(1<<30), float64(plan.SharedBytes)/(1<<30))
	if total := runner.ThisMachine().Memory; total > 0 && uint64(memory+plan.SharedBytes) > total {
		text += fmt.Sprintf("note: that is more than this machine's %.3g GiB: such groups will be refused\n", float64(total)/(1<<30))
	}
	if plan.Timed {
		text += "time or memory is measured: every record has a fit of its own, and they run one after another\n"
	}
	for _, note := range plan.Notes {
		text += "note: " + note + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

func blank(v int) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}
