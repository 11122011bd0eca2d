package claims

import (
	"fmt"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/results"
)

// Answer is the least value of Find at which the statement of a target holds, in one
// group. It takes for granted that the statement fails up to some value and holds from there on.
type Answer struct {
	Target string      `json:"target"`
	Says   string      `json:"says,omitempty"`
	Group  results.Key `json:"group"`
	Over   string      `json:"over"`
	At     float64     `json:"at"` // value of Over
	Find   string      `json:"find"`
	Fails  *float64    `json:"fails"` // the largest value that fails, so far; nil: none
	Holds  *float64    `json:"holds"` // the least value that holds, so far; nil: none
	Least  float64     `json:"least"` // values of Find that the search has
	Most   float64     `json:"most"`
	// Theory is what the target compares the answer with, and Curve its expression.
	Theory *float64 `json:"theory,omitempty"`
	Curve  string   `json:"curve,omitempty"`
	Tested int      `json:"tested"`         // values
	Wrong  float64  `json:"wrong"`          // in what share of runs, at most, an end is; the same for either
	Open   bool     `json:"open,omitempty"` // the search has not ended: records are missing
	// Factor is At over the largest one that was searched, of an answer by Extrapolate; else 0.
	Factor float64 `json:"factor,omitempty"`
	// Fixed are the columns that are the same at all values of Find.
	Fixed results.Key `json:"-"`
}

// UsedBy says whether a claim is judged by the answer.
func (a Answer) UsedBy(c configs.Claim) bool {
	for _, id := range c.Named() {
		if a.Target == id {
			return a.in(c)
		}
	}
	return false
}

// in says whether the claim picks the answer's group.
func (a Answer) in(c configs.Claim) bool {
	_, kind := c.Kind()
	at := a.Group.With(a.Over, configs.NumberOf(a.At))
	return kind.Picked().Where.Match(func(column string) (results.Value, bool) {
		v := at.Get(column)
		return v, v.Kind != configs.None
	})
}

// Interval is the answer in words.
func (a Answer) Interval() string {
	text := ""
	switch {
	case a.Fails == nil && a.Holds == nil:
		text = fmt.Sprintf("not decided between %s and %s", plain.Six(a.Least), plain.Six(a.Most))
	case a.Fails == nil:
		text = fmt.Sprintf("%s <= %s", a.Find, plain.Six(*a.Holds))
	case a.Holds == nil:
		text = fmt.Sprintf("%s > %s", a.Find, plain.Six(*a.Fails))
	default:
		text = fmt.Sprintf("%s < %s <= %s", plain.Six(*a.Fails), a.Find, plain.Six(*a.Holds))
	}
	if a.Open {
		text += ", so far"
	}
	return text
}
