package plan

import (
	"fmt"
	"strings"

	"mercer/internal/sizes"
	"mercer/methods"
	"mercer/results"
)

// Forecast is a plan as it is shown: the fits of the first repeat.
type Forecast struct {
	Repeats  int           `json:"repeats"`
	Fits     []FitForecast `json:"fits"`
	Rows     int           `json:"rows"`     // of all repeats
	Memory   int64         `json:"memory"`   // bytes that a run may take; 0 for no limit
	Bytes    int64         `json:"bytes"`    // of the group that takes most
	Runnable int           `json:"runnable"` // rows that are not skipped, of one repeat
	Refused  int           `json:"refused"`  // of these, rows that need more memory than there is
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
	Bytes     int64       `json:"bytes"`             // where its group has no other fit
	Streams   bool        `json:"streams,omitempty"` // reads its sample in blocks
	Skip      string      `json:"skip,omitempty"`
	Refused   string      `json:"refused,omitempty"` // for want of memory
}

// Forecast is what the plan computes.
func (p *Plan) Forecast() Forecast {
	v := Forecast{Repeats: p.Spec.Repeats.Value, Rows: len(p.IDs()), Memory: p.Input.Memory}
	for _, g := range p.Groups {
		v.Bytes = max(v.Bytes, g.Bytes)
		for _, u := range p.Units(g, 0) {
			for i, f := range u.Fits {
				fit := p.forecast(g, f, u.Cells[i])
				v.Fits = append(v.Fits, fit)
				if fit.Skip == "" {
					v.Runnable += fit.Rows
				}
				if fit.Refused != "" {
					v.Refused += fit.Rows
				}
			}
		}
	}
	return v
}

func (p *Plan) forecast(g *Group, f *Fit, cells []*Cell) FitForecast {
	fit := FitForecast{Dataset: g.Dataset.ID, Kernel: g.KernelID, Method: f.Method.ID, Sizes: f.Sizes.Only(f.Method.Uses...), Variables: variables(cells), Rows: len(cells), Bytes: f.Bytes, Streams: f.Streams}
	if f.Skip != nil {
		fit.Skip = f.Skip.Error()
	} else if refused := p.Refusal(f); refused != nil {
		fit.Refused = refused.Error()
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

// RunsProgram says that a fit runs a program of the user's, which counts no kernel values.
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
