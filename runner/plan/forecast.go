package plan

import (
	"fmt"
	"runtime"
	"strings"

	"mercer/internal/sizes"
	"mercer/methods"
	"mercer/results"
)

// Forecast is a plan as it is shown: groups and fits, with what one repeat takes, and totals
// of all repeats.
type Forecast struct {
	Repeats int             `json:"repeats"`
	Groups  []GroupForecast `json:"groups"`
	Fits    []FitForecast   `json:"fits"`
	Rows    int             `json:"rows"` // of all repeats
	Flops   float64         `json:"flops"`
	Seconds float64         `json:"seconds"` // of all repeats, on the processors of this machine
	// Unpriced are the fits of programs, of one repeat: nobody knows their work and time
	// before, and no sum has them.
	Unpriced int     `json:"unpriced,omitempty"`
	GFLOPS   float64 `json:"gflops"`   // measured, of one processor
	Memory   int64   `json:"memory"`   // bytes that a run may take; 0 for no limit
	Runnable int     `json:"runnable"` // rows that are not skipped, of one repeat
	Refused  int     `json:"refused"`  // of these, rows that need more memory than there is
}

// GroupForecast is what shares a sample, a population and a Gram matrix.
type GroupForecast struct {
	Dataset  string  `json:"dataset"`
	Kernel   string  `json:"kernel"`
	Fits     int     `json:"fits"`
	Rows     int     `json:"rows"`
	Flops    float64 `json:"flops"`
	Bytes    int64   `json:"bytes"`
	Seconds  float64 `json:"seconds"`
	Unpriced int     `json:"unpriced,omitempty"`
}

// FitForecast is one fit and the rows that it serves.
type FitForecast struct {
	Dataset       string `json:"dataset"`
	Kernel        string `json:"kernel"`
	Method        string `json:"method"`
	methods.Sizes        // that the method uses
	// Variables are what else all of its rows have.
	Variables results.Key `json:"variables,omitzero"`
	Rows      int         `json:"rows"`
	Flops     float64     `json:"flops"`
	Seconds   float64     `json:"seconds"`
	Bytes     int64       `json:"bytes"`              // where its group has no other fit
	Streams   bool        `json:"streams,omitempty"`  // reads its sample in blocks
	Unpriced  bool        `json:"unpriced,omitempty"` // the fit of a program
	Skip      string      `json:"skip,omitempty"`
	Refused   string      `json:"refused,omitempty"` // for want of memory
}

// Forecast is what the plan takes on processors of a measured speed.
func (p *Plan) Forecast(gflops float64) Forecast {
	v := Forecast{Repeats: p.Spec.Repeats.Value, GFLOPS: gflops, Memory: p.Input.Memory}
	for _, g := range p.Groups {
		row := GroupForecast{Dataset: g.Dataset.ID, Kernel: g.KernelID, Bytes: g.Bytes}
		for repeat := range v.Repeats {
			for _, u := range p.Units(g, repeat) {
				for i, f := range u.Fits {
					v.Rows += len(u.Cells[i])
					if f.Skip == nil && p.Refusal(f) == nil && !f.RunsProgram() {
						v.Flops += f.Flops
						v.Seconds += f.Seconds(gflops)
					}
					if repeat == 0 {
						v.Fits = append(v.Fits, p.forecast(g, f, u.Cells[i], gflops))
						row.add(v.Fits[len(v.Fits)-1])
					}
				}
			}
		}
		v.Groups = append(v.Groups, row)
		v.Unpriced += row.Unpriced
	}
	for _, f := range v.Fits {
		if f.Skip == "" {
			v.Runnable += f.Rows
		}
		if f.Refused != "" {
			v.Refused += f.Rows
		}
	}
	if !p.Timed {
		v.Seconds /= float64(runtime.NumCPU())
	}
	return v
}

func (g *GroupForecast) add(f FitForecast) {
	g.Fits++
	g.Rows += f.Rows
	g.Flops += f.Flops
	g.Seconds += f.Seconds
	if f.Unpriced {
		g.Unpriced++
	}
}

func (p *Plan) forecast(g *Group, f *Fit, cells []*Cell, gflops float64) FitForecast {
	fit := FitForecast{Dataset: g.Dataset.ID, Kernel: g.KernelID, Method: f.Method.ID, Sizes: f.Sizes.Only(f.Method.Uses...), Variables: variables(cells), Rows: len(cells), Bytes: f.Bytes, Streams: f.Streams}
	refused := p.Refusal(f)
	switch {
	case f.Skip != nil:
		fit.Skip = f.Skip.Error()
	case refused != nil:
		fit.Refused = refused.Error()
	case f.RunsProgram():
		fit.Unpriced = true
	default:
		fit.Flops, fit.Seconds = f.Flops, f.Seconds(gflops)
	}
	return fit
}

// variables are the columns that all cells have alike, but those that a forecast names by itself.
func variables(cells []*Cell) results.Key {
	common := cells[0].At.Without(append([]string{"dataset", "kernel", "method"}, sizes.Names...)...)
	for _, c := range cells[1:] {
		for name, v := range common.All() {
			if c.At.Get(name) != v {
				common = common.Without(name)
			}
		}
	}
	return common
}

// RunsProgram says that a fit runs a program of the user's, whose work and time are unknown:
// its Flops count only what checking and measuring its answer takes.
func (f *Fit) RunsProgram() bool { return f.Method.Use == "exec" }

// mostRefusals is how many fits are named that do not fit into memory.
const mostRefusals = 10

// Refusals says which fits need more memory than a run may take, and why; "" where none
// does.
func (v Forecast) Refusals() string {
	if v.Refused == 0 {
		return ""
	}
	var lines []string
	for _, f := range v.Fits {
		if f.Refused != "" {
			place := f.Dataset + " " + f.Kernel + " " + f.Method
			for _, name := range sizes.Names {
				if size := f.Get(name); size > 0 {
					place += fmt.Sprintf(" %s=%d", name, size)
				}
			}
			lines = append(lines, "  "+place+": "+f.Refused)
		}
	}
	if more := len(lines) - mostRefusals; more > 0 {
		lines = append(lines[:mostRefusals], fmt.Sprintf("  and %d more fits", more))
	}
	return fmt.Sprintf("%d of %d rows of a repeat need more memory than the %s allowed and will be refused (oom):\n%s\n", v.Refused, v.Runnable, Bytes(v.Memory), strings.Join(lines, "\n"))
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
