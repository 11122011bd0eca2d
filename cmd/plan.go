package cmd

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"
	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/internal/linalg"
	"mercer/internal/sizes"
	"mercer/runner"
	"mercer/runner/plan"
)

// planFlags are common to plan, run and submit, but for the memory, which a job has
// from Slurm.
type planFlags struct {
	profile, filter string
	memory          string
	optional        bool // all data sets
	stream          bool
}

func (f *planFlags) add(c *cobra.Command) {
	profileFlag(c, &f.profile)
	c.Flags().BoolVar(&f.stream, "stream", false, "read samples of any size in blocks where method and measures allow it (default: samples above 512 MiB); changes no result")
	c.Flags().StringVar(&f.filter, "filter", "", `only records that satisfy this condition, such as 'method == "nystrom" && n <= 1000'`)
}

func (f *planFlags) addMemory(c *cobra.Command) {
	c.Flags().StringVar(&f.memory, "memory", "", "memory of all cells computed at once, such as 80% or 4GiB; cells whose arrays need more are refused, as are data files that need more to read (default: the profile's)")
}

// allowed is the memory that a run under a profile may take, in bytes.
func (f *planFlags) allowed(profile configs.RunProfile) (int64, error) {
	if f.memory != "" {
		profile.Memory = f.memory
	}
	memory, err := profile.MemoryBytes(runner.ThisMachine().Memory)
	if err != nil {
		return 0, usage(fmt.Errorf("--memory: %w", err))
	}
	return int64(memory), nil
}

// prepare reads a spec and makes its plan; reading a data file may take so many bytes
// of memory.
func (f *planFlags) prepare(c *cobra.Command, name string, timing plan.Timing, memory int64) (source, *plan.Plan, error) {
	s, err := readSpec(name)
	if err != nil {
		return s, nil, err
	}
	input := f.input(s, timing)
	input.Memory = memory
	p, err := input.Prepare(c.Context(), c.ErrOrStderr(), s.spec)
	return s, p, err
}

// input is what the plan of a spec is made of.
func (f *planFlags) input(s source, timing plan.Timing) plan.Input {
	return plan.Input{File: s.file, Spec: string(s.text), Dir: s.dir, Profile: f.profile, Filter: f.filter, Optional: f.optional, Stream: f.stream, Timing: timing}
}

func newPlan() *cobra.Command {
	var flags planFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "plan SPEC",
		Short: "Show what a run would compute: groups, fits, records, work and memory",
		Long: `Show what a run would compute, without computing it. Data sets are opened, and fetched
if necessary. One fit serves all records that differ only in ell. Work and time are
estimates; the estimate of time measures the speed of a matrix product. Memory is that
of the arrays held at once, without garbage. Records whose arrays need more than
--memory are listed with the memory they need; a run refuses them, with status oom, and
computes the rest.

Exit codes: 0 ok; 2 the command line or the spec is wrong, or no record fits into
memory.`,
		Example:           "  mercer plan nystrom-kpca-rates --profile smoke",
		Args:              arguments(cobra.ExactArgs(1)),
		ValidArgsFunction: completeSpecs,
		RunE: func(c *cobra.Command, args []string) error {
			profile, err := configs.LoadProfile(flags.profile)
			if err != nil {
				return usage(err)
			}
			memory, err := flags.allowed(profile)
			if err != nil {
				return err
			}
			if _, err := linalg.Use(); err != nil {
				return usage(err)
			}
			_, p, err := flags.prepare(c, args[0], plan.Timing{}, memory)
			if err != nil {
				return err
			}
			v := viewPlan(p, memory, linalg.Speed(1))
			if asJSON {
				err = printJSON(c.OutOrStdout(), v)
			} else {
				err = printPlan(c.OutOrStdout(), p, v)
			}
			if err == nil && v.Refused > 0 && v.Refused == v.Runnable {
				err = usage(fmt.Errorf("no record fits into %s of memory", plan.Bytes(memory)))
			}
			return err
		},
	}
	flags.add(c)
	flags.addMemory(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: groups and fits of the first repeat, totals of all repeats")
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
	// Unpriced are the fits of programs, of all repeats: nobody knows their work and
	// time before, and no sum has them.
	Unpriced int     `json:"unpriced,omitempty"`
	GFLOPS   float64 `json:"gflops"` // measured, of one processor
	Memory   int64   `json:"memory"` // bytes that a run may take; 0 for no limit
	Shared   int64   `json:"shared"` // bytes of them that all groups share
	// Runnable are the records that are not skipped, Refused those of them that need
	// more memory than there is; of all repeats.
	Runnable int `json:"runnable"`
	Refused  int `json:"refused"`
}

// planGroup is what shares a sample, a population and a Gram matrix.
type planGroup struct {
	Dataset  string      `json:"dataset"`
	Kernel   string      `json:"kernel"`
	Fits     int         `json:"fits"`
	Records  int         `json:"records"`
	Flops    float64     `json:"flops"`
	Bytes    int64       `json:"bytes"` // the sum of Memory
	Memory   plan.Memory `json:"memory"`
	Seconds  float64     `json:"seconds"`
	Unpriced int         `json:"unpriced,omitempty"` // fits; see planView
}

type planFit struct {
	Dataset string `json:"dataset"`
	Kernel  string `json:"kernel"`
	Method  string `json:"method"`
	sizes.Sizes
	Records  int     `json:"records"`
	Flops    float64 `json:"flops"`
	Seconds  float64 `json:"seconds"`
	Bytes    int64   `json:"bytes"`              // where its group has no other fit
	Streams  bool    `json:"streams,omitempty"`  // reads its sample in blocks
	Unpriced bool    `json:"unpriced,omitempty"` // the fit of a program: flops and seconds are unknown
	Skip     string  `json:"skip,omitempty"`
	Refused  string  `json:"refused,omitempty"` // for want of memory
}

// viewPlan is the plan for so many bytes of memory on processors of a measured speed.
func viewPlan(p *plan.Plan, memory int64, gflops float64) planView {
	v := planView{Repeats: p.Spec.Repeats.Value, Records: p.Records(), GFLOPS: gflops, Memory: memory, Shared: p.SharedBytes}
	refused := map[*plan.Fit]string{}
	for _, r := range p.Refused(memory) {
		refused[r.Fit] = r.Error()
		v.Refused += len(r.Fit.Cells)
	}
	for _, g := range p.Groups {
		row := planGroup{Dataset: g.Dataset, Kernel: g.Kernel, Bytes: g.Memory.Total(), Memory: g.Memory}
		for _, f := range g.Fits {
			if len(f.Cells) == 0 {
				continue
			}
			fit := planFit{
				Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method,
				Sizes: f.Sizes, Records: len(f.Cells), Streams: f.Streams,
			}
			if f.Skip != nil {
				fit.Skip = f.Skip.Error()
			} else {
				fit.Bytes, fit.Refused = f.Memory.Total(), refused[f]
				v.Runnable += len(f.Cells)
				if fit.Unpriced = p.RunsProgram(f); fit.Unpriced {
					row.Unpriced++
				} else {
					fit.Flops, fit.Seconds = f.Flops, f.Seconds(v.GFLOPS)
				}
			}
			row.Fits, row.Records, row.Flops, row.Seconds = row.Fits+1, row.Records+fit.Records, row.Flops+fit.Flops, row.Seconds+fit.Seconds
			if g.Repeat == 0 {
				v.Fits = append(v.Fits, fit)
			}
		}
		v.Seconds, v.Flops, v.Unpriced = v.Seconds+row.Seconds, v.Flops+row.Flops, v.Unpriced+row.Unpriced
		if g.Repeat == 0 && row.Fits > 0 {
			v.Groups = append(v.Groups, row)
		}
	}
	if !p.Timed {
		v.Seconds /= float64(runtime.NumCPU())
	}
	return v
}

func printPlan(w io.Writer, p *plan.Plan, v planView) error {
	streams := false
	fits := planTable(w, "dataset", "kernel", "method", "n", "m", "d", "ell", "k", "records", "Gflop", "time", "sample")
	for _, r := range v.Fits {
		work, seconds, sample := fmt.Sprintf("%.2g", r.Flops/1e9), duration(r.Seconds), ""
		switch {
		case r.Skip != "":
			work, seconds = "skipped", ""
		case r.Unpriced && r.Refused == "":
			work, seconds = "unknown", "unknown"
		case r.Refused != "":
			seconds = "refused"
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
	groups := planTable(w, "group", "kernel", "fits", "records", "Gflop", "memory", "time")
	for _, g := range v.Groups {
		seconds := duration(g.Seconds)
		switch {
		case g.Unpriced > 0 && g.Seconds == 0:
			seconds = "unknown"
		case g.Unpriced > 0:
			seconds += " + unknown"
		}
		err := groups.Append(g.Dataset, g.Kernel, g.Fits, g.Records, fmt.Sprintf("%.2g", g.Flops/1e9), plan.Bytes(g.Bytes), seconds)
		if err != nil {
			return err
		}
	}
	if err := groups.Render(); err != nil {
		return err
	}
	var memory int64
	for _, g := range p.Groups {
		memory = max(memory, g.Memory.Total())
	}
	price := fmt.Sprintf("about %.3g Gflop and %s on %d cores", v.Flops/1e9, duration(v.Seconds), runtime.NumCPU())
	if v.Unpriced > 0 && v.Seconds == 0 {
		price = "unknown work and time"
	}
	text := fmt.Sprintf("\nthe tables show one repeat of %d; in total: %d groups, %d records, %s, up to %s a group and %s shared by all\n",
		p.Spec.Repeats.Value, len(p.Groups), v.Records, price, plan.Bytes(memory), plan.Bytes(p.SharedBytes))
	text += fmt.Sprintf("memory is that of the arrays held at once, without garbage; work and time are estimates, accurate to a factor of about 3; a core makes %.0f GFLOP/s now, on %s\n", v.GFLOPS, linalg.Backend())
	if v.Unpriced > 0 {
		text += fmt.Sprintf("not included: %d fits of programs (use: exec), whose work and time are unknown\n", v.Unpriced)
	}
	text += refusals(v)
	if streams {
		text += "fits that stream read their sample in blocks and never hold it; each fit reads it again\n"
	}
	if p.Timed {
		text += "time or memory is measured: every record has a fit of its own, and fits run one after another\n"
	}
	for _, note := range p.Notes {
		text += "note: " + note + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// mostRefusals is how many fits are named that do not fit into memory.
const mostRefusals = 10

// refusals says which fits of the first repeat need more memory than a run may
// take, and why.
func refusals(v planView) string {
	if v.Refused == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d records need more memory than the %s allowed and will be refused (oom):\n", v.Refused, v.Runnable, plan.Bytes(v.Memory))
	named := 0
	for _, f := range v.Fits {
		if f.Refused == "" {
			continue
		}
		if named++; named <= mostRefusals {
			text += fmt.Sprintf("  %s: %s\n", f.name(), f.Refused)
		}
	}
	if named > mostRefusals {
		text += fmt.Sprintf("  and %d more fits of the first repeat\n", named-mostRefusals)
	}
	return text
}

// name is the fit in words.
func (f planFit) name() string {
	text := strings.Join(slices.DeleteFunc([]string{f.Dataset, f.Kernel, f.Method}, func(word string) bool { return word == "" }), " ")
	for _, name := range sizes.Names {
		if size := f.Sizes.Get(name); size > 0 {
			text += fmt.Sprintf(" %s=%d", name, size)
		}
	}
	return text
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
