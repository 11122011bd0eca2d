package cmd

import (
	"fmt"
	"io"
	"runtime"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"mercer/linalg"
	"mercer/runner"
)

// planFlags are common to plan and run.
type planFlags struct {
	profile, filter string
	optional        bool // all data sets
	stream          bool
}

func (f *planFlags) add(c *cobra.Command) {
	profileFlag(c, &f.profile)
	c.Flags().BoolVar(&f.stream, "stream", false, "read samples in blocks wherever method and measures allow it, however small they are (default: samples above 512 MiB); changes no result")
	c.Flags().StringVar(&f.filter, "filter", "", `only records for which this holds, such as 'method == "nystrom" && n <= 1000'`)
}

// prepare reads a spec and makes its plan.
func (f *planFlags) prepare(c *cobra.Command, name string, timing runner.Timing) (source, *runner.Plan, error) {
	s, err := readSpec(name)
	if err != nil {
		return s, nil, err
	}
	plan, err := f.recipe(s, timing).Prepare(c.Context(), c.ErrOrStderr())
	return s, plan, err
}

// recipe is what the plan of a spec is made of.
func (f *planFlags) recipe(s source, timing runner.Timing) runner.Recipe {
	return runner.Recipe{File: s.file, Spec: string(s.text), Dir: s.dir, Profile: f.profile, Filter: f.filter, Optional: f.optional, Stream: f.stream, Timing: timing}
}

func newPlan() *cobra.Command {
	var flags planFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "plan SPEC",
		Short: "Show what a run would compute: groups, shared fits, records, work and memory",
		Long: `Show what a run would compute, without computing it. Data sets are opened, and
fetched if need be. Fits are what is computed; each serves all its records that
differ in ell alone. Work, memory and time are estimates; for the time the
speed of a matrix product is measured.`,
		Example:           "  mercer plan nystrom-kpca-rates --profile smoke",
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			_, plan, err := flags.prepare(c, args[0], runner.Timing{})
			if err != nil {
				return err
			}
			if _, err := linalg.Use(); err != nil {
				return usage(err)
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), viewPlan(plan))
			}
			return printPlan(c.OutOrStdout(), plan)
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON: groups and fits of the first repeat, totals of all")
	return c
}

// planView is a plan as it is shown: the groups and fits of the first repeat.
type planView struct {
	Repeats int         `json:"repeats"`
	Groups  []planGroup `json:"groups"`
	Fits    []planFit   `json:"fits"`
	Records int         `json:"records"` // of all repeats
	Flops   float64     `json:"flops"`
	Seconds float64     `json:"seconds"` // of all repeats, on the given number of processors
	GFLOPS  float64     `json:"gflops"`  // measured, of one processor
}

// planGroup is what shares a sample, a population and a Gram matrix.
type planGroup struct {
	Dataset string  `json:"dataset"`
	Kernel  string  `json:"kernel"`
	Fits    int     `json:"fits"`
	Records int     `json:"records"`
	Flops   float64 `json:"flops"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
}

type planFit struct {
	Dataset string  `json:"dataset"`
	Kernel  string  `json:"kernel"`
	Method  string  `json:"method"`
	N       int     `json:"n,omitempty"`
	M       int     `json:"m,omitempty"`
	D       int     `json:"d,omitempty"`
	Ell     int     `json:"ell,omitempty"`
	K       int     `json:"k,omitempty"`
	Records int     `json:"records"`
	Flops   float64 `json:"flops"`
	Seconds float64 `json:"seconds"`
	Streams bool    `json:"streams,omitempty"` // reads its sample in blocks
	Skip    string  `json:"skip,omitempty"`
}

func viewPlan(plan *runner.Plan) planView {
	v := planView{Repeats: plan.Spec.Repeats, Records: plan.Records(), Flops: plan.Flops(), GFLOPS: linalg.Speed(1)}
	for _, g := range plan.Groups {
		row := planGroup{Dataset: g.Dataset, Kernel: g.Kernel, Bytes: g.Bytes}
		for _, f := range g.Fits {
			if len(f.Cells) == 0 {
				continue
			}
			fit := planFit{
				Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method,
				N: f.Sizes.N, M: f.Sizes.M, D: f.Sizes.D, Ell: f.Sizes.Ell, K: f.Sizes.K, Records: len(f.Cells), Streams: f.Streams,
			}
			if f.Skip != nil {
				fit.Skip = f.Skip.Error()
			} else {
				fit.Flops, fit.Seconds = f.Flops, f.Seconds(v.GFLOPS)
			}
			row.Fits, row.Records, row.Flops, row.Seconds = row.Fits+1, row.Records+fit.Records, row.Flops+fit.Flops, row.Seconds+fit.Seconds
			if g.Repeat == 0 {
				v.Fits = append(v.Fits, fit)
			}
		}
		v.Seconds += row.Seconds
		if g.Repeat == 0 && row.Fits > 0 {
			v.Groups = append(v.Groups, row)
		}
	}
	if !plan.Timed {
		v.Seconds /= float64(runtime.NumCPU())
	}
	return v
}

func printPlan(w io.Writer, plan *runner.Plan) error {
	v, streams := viewPlan(plan), false
	fits := planTable(w, "dataset", "kernel", "method", "n", "m", "d", "ell", "k", "records", "Gflop", "time", "sample")
	for _, r := range v.Fits {
		work, seconds, sample := fmt.Sprintf("%.2g", r.Flops/1e9), duration(r.Seconds), ""
		if r.Skip != "" {
			work, seconds = "skipped", ""
		}
		if r.Streams {
			sample, streams = "streams", true
		}
		if err := fits.Append(r.Dataset, r.Kernel, r.Method, blank(r.N), blank(r.M), blank(r.D), blank(r.Ell), blank(r.K), r.Records, work, seconds, sample); err != nil {
			return err
		}
	}
	if err := fits.Render(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	groups := planTable(w, "group", "kernel", "fits", "records", "Gflop", "GiB", "time")
	for _, g := range v.Groups {
		err := groups.Append(g.Dataset, g.Kernel, g.Fits, g.Records, fmt.Sprintf("%.2g", g.Flops/1e9), fmt.Sprintf("%.2g", float64(g.Bytes)/(1<<30)), duration(g.Seconds))
		if err != nil {
			return err
		}
	}
	if err := groups.Render(); err != nil {
		return err
	}
	var memory int64
	for _, g := range plan.Groups {
		memory = max(memory, g.Bytes)
	}
	text := fmt.Sprintf("\none repeat of %d is shown; all together: %d groups, %d records, about %.3g Gflop and %s on %d cores, up to %.2g GiB a group and %.2g GiB for all\n",
		plan.Spec.Repeats, len(plan.Groups), v.Records, v.Flops/1e9, duration(v.Seconds), runtime.NumCPU(), float64(memory)/(1<<30), float64(plan.SharedBytes)/(1<<30))
	text += fmt.Sprintf("work, memory and time are estimates, good to a factor of about 3; a core makes %.0f GFLOP/s now, on %s\n", v.GFLOPS, linalg.Backend())
	if total := runner.ThisMachine().Memory; total > 0 && uint64(memory+plan.SharedBytes) > total {
		text += fmt.Sprintf("note: that is more than this machine's %.3g GiB: such groups will be refused\n", float64(total)/(1<<30))
	}
	if streams {
		text += "fits that stream read their sample in blocks, again for each fit, and never hold it\n"
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

func planTable(w io.Writer, header ...any) *tablewriter.Table {
	table := tablewriter.NewTable(w, tablewriter.WithRendition(tw.Rendition{Symbols: tw.NewSymbols(tw.StyleASCII), Borders: tw.BorderNone}), tablewriter.WithHeaderAutoFormat(tw.Off))
	table.Header(header...)
	return table
}

// duration is an estimated time in words that do not feign precision.
func duration(seconds float64) string {
	value, unit := seconds/3600, "h"
	switch {
	case seconds < 0.0995:
		value, unit = max(1, 1000*seconds), "ms"
	case seconds < 99.5:
		value, unit = seconds, "s"
	case seconds < 99.5*60:
		value, unit = seconds/60, "min"
	}
	if value >= 9.95 {
		return fmt.Sprintf("%.0f %s", value, unit)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

func blank(v int) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprint(v)
}
