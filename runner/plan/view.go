package plan

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"mercer/internal/sizes"
	"mercer/methods"
)

// View is a plan as it is shown: the groups and fits of the first repeat.
type View struct {
	Repeats int         `json:"repeats"`
	Groups  []ViewGroup `json:"groups"`
	Fits    []ViewFit   `json:"fits"`
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

// ViewGroup is what shares a sample, a population and a Gram matrix.
type ViewGroup struct {
	Dataset  string  `json:"dataset"`
	Kernel   string  `json:"kernel"`
	Fits     int     `json:"fits"`
	Records  int     `json:"records"`
	Flops    float64 `json:"flops"`
	Bytes    int64   `json:"bytes"` // the sum of Memory
	Memory   Memory  `json:"memory"`
	Seconds  float64 `json:"seconds"`
	Unpriced int     `json:"unpriced,omitempty"` // fits; see View
}

// ViewFit is one fit and the records that it serves.
type ViewFit struct {
	Dataset string `json:"dataset"`
	Kernel  string `json:"kernel"`
	Method  string `json:"method"`
	methods.Sizes
	Records  int     `json:"records"`
	Flops    float64 `json:"flops"`
	Seconds  float64 `json:"seconds"`
	Bytes    int64   `json:"bytes"`              // where its group has no other fit
	Streams  bool    `json:"streams,omitempty"`  // reads its sample in blocks
	Unpriced bool    `json:"unpriced,omitempty"` // the fit of a program: flops and seconds are unknown
	Skip     string  `json:"skip,omitempty"`
	Refused  string  `json:"refused,omitempty"` // for want of memory
}

// View is the plan for so many bytes of memory on processors of a measured speed.
func (p *Plan) View(memory int64, gflops float64) View {
	v := View{Repeats: p.Spec.Repeats.Value, Records: p.Records(), GFLOPS: gflops, Memory: memory, Shared: p.SharedBytes}
	refused := map[*Fit]string{}
	for _, r := range p.Refused(memory) {
		refused[r.Fit] = r.Error()
		v.Refused += len(r.Fit.Cells)
	}
	for _, g := range p.Groups {
		row := ViewGroup{Dataset: g.Dataset, Kernel: g.Kernel, Bytes: g.Memory.Total(), Memory: g.Memory}
		for _, f := range g.Fits {
			if len(f.Cells) == 0 {
				continue
			}
			fit := p.viewFit(g, f, gflops)
			fit.Refused = refused[f]
			row.Fits, row.Records, row.Flops, row.Seconds = row.Fits+1, row.Records+fit.Records, row.Flops+fit.Flops, row.Seconds+fit.Seconds
			if fit.Unpriced {
				row.Unpriced++
			}
			if fit.Skip == "" {
				v.Runnable += fit.Records
			}
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

func (p *Plan) viewFit(g *Group, f *Fit, gflops float64) ViewFit {
	fit := ViewFit{Dataset: g.Dataset, Kernel: g.Kernel, Method: f.Method, Sizes: f.Sizes, Records: len(f.Cells), Streams: f.Streams}
	switch {
	case f.Skip != nil:
		fit.Skip = f.Skip.Error()
	case p.RunsProgram(f):
		fit.Bytes, fit.Unpriced = f.Memory.Total(), true
	default:
		fit.Bytes, fit.Flops, fit.Seconds = f.Memory.Total(), f.Flops, f.Seconds(gflops)
	}
	return fit
}

// mostRefusals is how many fits are named that do not fit into memory.
const mostRefusals = 10

// Refusals says which fits of the first repeat need more memory than a run may
// take, and why; "" where none does.
func (v View) Refusals() string {
	if v.Refused == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d records need more memory than the %s allowed and will be refused (oom):\n", v.Refused, v.Runnable, Bytes(v.Memory))
	named := slices.DeleteFunc(slices.Clone(v.Fits), func(f ViewFit) bool { return f.Refused == "" })
	for _, f := range named[:min(mostRefusals, len(named))] {
		text += fmt.Sprintf("  %s: %s\n", f.name(), f.Refused)
	}
	if len(named) > mostRefusals {
		text += fmt.Sprintf("  and %d more fits of the first repeat\n", len(named)-mostRefusals)
	}
	return text
}

// name is the fit in words.
func (f ViewFit) name() string {
	words := []string{f.Dataset, f.Kernel, f.Method}
	for i, size := range f.Sizes.All() {
		if size > 0 {
			words = append(words, fmt.Sprintf("%s=%d", sizes.Names[i], size))
		}
	}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// Summary is the work, time and memory of all repeats of a plan on a back end of BLAS,
// what will be refused, and notes.
func (v View) Summary(p *Plan, backend string) string {
	price := fmt.Sprintf("about %.3g Gflop and %s on %d cores", v.Flops/1e9, Duration(v.Seconds), runtime.NumCPU())
	if v.Unpriced > 0 && v.Seconds == 0 {
		price = "unknown work and time"
	}
	var memory int64
	for _, g := range p.Groups {
		memory = max(memory, g.Memory.Total())
	}
	text := fmt.Sprintf("the tables show one repeat of %d; in total: %d groups, %d records, %s, up to %s a group and %s shared by all\n",
		v.Repeats, len(p.Groups), v.Records, price, Bytes(memory), Bytes(v.Shared))
	text += fmt.Sprintf("memory is that of the arrays held at once, without garbage; work and time are estimates, accurate to a factor of about 3; a core makes %.0f GFLOP/s now, on %s\n", v.GFLOPS, backend)
	if v.Unpriced > 0 {
		text += fmt.Sprintf("not included: %d fits of programs (use: exec), whose work and time are unknown\n", v.Unpriced)
	}
	text += v.Refusals()
	if slices.ContainsFunc(v.Fits, func(f ViewFit) bool { return f.Streams }) {
		text += "fits that stream read their sample in blocks and never hold it; each fit reads it again\n"
	}
	if p.Timed {
		text += "time or memory is measured: every record has a fit of its own, and fits run one after another\n"
	}
	for _, note := range p.Notes {
		text += "note: " + note + "\n"
	}
	return text
}

// Duration is an estimated time in words that do not feign precision.
func Duration(seconds float64) string {
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
