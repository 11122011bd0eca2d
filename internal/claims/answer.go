package claims

import "fmt"

// Answer is the least value of Find at which the statement of a target holds, in one
// group.
type Answer struct {
	Target string       `json:"target"`
	Says   string       `json:"says,omitempty"`
	Group  []Coordinate `json:"group"`
	Over   string       `json:"over"`
	At     float64      `json:"at"` // value of Over
	Find   string       `json:"find"`
	Fails  *float64     `json:"fails"` // the largest value that fails; nil: none
	Holds  *float64     `json:"holds"` // the least value that holds; nil: none
	Least  float64      `json:"least"` // values of Find that the search has
	Most   float64      `json:"most"`
	// Theory is what the target compares the answer with, and Curve its expression.
	Theory *float64 `json:"theory,omitempty"`
	Curve  string   `json:"curve,omitempty"`
	Tested int      `json:"tested"`         // values
	Open   bool     `json:"open,omitempty"` // the search has not ended: records are missing
}

// Interval is the answer in words.
func (a Answer) Interval() string {
	switch {
	case a.Open:
		return "not found yet: records are missing"
	case a.Fails == nil && a.Holds == nil:
		return fmt.Sprintf("not decided between %g and %g", a.Least, a.Most)
	case a.Fails == nil:
		return fmt.Sprintf("%s <= %g", a.Find, *a.Holds)
	case a.Holds == nil:
		return fmt.Sprintf("%s > %g", a.Find, *a.Fails)
	}
	return fmt.Sprintf("%g < %s <= %g", *a.Fails, a.Find, *a.Holds)
}
