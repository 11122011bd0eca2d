package plan

import (
	"fmt"

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
	At      results.Key `json:"at"` // the columns that all of its rows have alike
	Rows    int         `json:"rows"`
	Bytes   int64       `json:"bytes"`             // where its group has no other fit
	Streams bool        `json:"streams,omitempty"` // reads its sample in blocks
	Skip    string      `json:"skip,omitempty"`
	Refused string      `json:"refused,omitempty"` // for want of memory
}

// Forecast is what the plan computes.
func (p *Plan) Forecast() Forecast {
	v := Forecast{Repeats: p.Spec.Repeats.Value, Rows: len(p.IDs()), Memory: p.Input.Memory}
	for _, g := range p.Groups {
		v.Bytes = max(v.Bytes, g.Bytes)
		for _, u := range p.Units(g, 0) {
			for i, f := range u.Fits {
				v.add(p, f, u.Cells[i])
			}
		}
	}
	return v
}

func (v *Forecast) add(p *Plan, f *Fit, cells []*Cell) {
	fit := FitForecast{At: common(cells), Rows: len(cells), Bytes: f.Bytes, Streams: f.Streams}
	if f.Skip != nil {
		fit.Skip = f.Skip.Error()
	} else {
		v.Runnable += fit.Rows
	}
	if refused := p.Refusal(f); refused != nil {
		fit.Refused = refused.Error()
		v.Refused += fit.Rows
	}
	v.Fits = append(v.Fits, fit)
}

// common are the columns that all cells have alike.
func common(cells []*Cell) results.Key {
	at := cells[0].At
	for _, c := range cells[1:] {
		for name, v := range at.All() {
			if c.At.Get(name) != v {
				at = at.Without(name)
			}
		}
	}
	return at
}

// RunsProgram says that a fit runs a program of the user's, which counts no kernel values.
func (f *Fit) RunsProgram() bool { return f.Method.Program != "" }

// Refusals says how many rows need more memory than a run may take; "" where none does.
func (v Forecast) Refusals() string {
	if v.Refused == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d rows of a repeat need more memory than the %s allowed and will be refused (oom); mercer plan shows which", v.Refused, v.Runnable, Bytes(v.Memory))
}
