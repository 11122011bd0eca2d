package claims

import (
	"fmt"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/results"
)

// Answer is the least value of Find at which the statement of a target holds, in one
// group.
type Answer struct {
	Target string      `json:"target"`
	Says   string      `json:"says,omitempty"`
	Group  results.Key `json:"group"`
	Over   string      `json:"over"`
	At     float64     `json:"at"` // value of Over
	Find   string      `json:"find"`
	Fails  *float64    `json:"fails"` // the largest value that fails; nil: none
	Holds  *float64    `json:"holds"` // the least value that holds; nil: none
	Least  float64     `json:"least"` // values of Find that the search has
	Most   float64     `json:"most"`
	// Theory is what the target compares the answer with, and Curve its expression.
	Theory *float64 `json:"theory,omitempty"`
	Curve  string   `json:"curve,omitempty"`
	Tested int      `json:"tested"`         // values
	Wrong  float64  `json:"wrong"`          // in what share of runs, at most, an end is; the same for either
	Open   bool     `json:"open,omitempty"` // the search has not ended: records are missing
	Why    string   `json:"why,omitempty"`  // why no value is decided, where the statement does not apply at some
	// Against are values of Find at which records contradict what the search takes for granted:
	// that the statement fails up to some value and holds from there on.
	Against []float64 `json:"against,omitempty"`
	// Fixed are the columns that are the same at all values of Find.
	Fixed results.Key `json:"-"`
	Next  Next        `json:"-"` // what an open search needs
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

// Next is how far a search has come, and its next test.
type Next struct {
	Fails, Holds *float64 // so far, as those of an answer
	At           float64  // value of what is sought
	Repeats      int
}

// Full is Interval with the reason, where there is one.
func (a Answer) Full() string {
	if a.Why == "" {
		return a.Interval()
	}
	return a.Interval() + ": " + a.Why
}

// TakenForGranted is what every answer is about.
const TakenForGranted = "an answer takes for granted that the statement fails up to some value and holds from there on"

// Interval is the answer in words.
func (a Answer) Interval() string {
	if len(a.Against) > 0 {
		against := list(a.Against)
		a.Against = nil
		return fmt.Sprintf("%s, but not so at %s = %s", a.Interval(), a.Find, against)
	}
	switch {
	case a.Open:
		return "not found yet: records are missing"
	case a.Fails == nil && a.Holds == nil:
		word := "decided"
		if a.Why != "" {
			word = "applicable"
		}
		return fmt.Sprintf("not %s between %s and %s", word, plain.Six(a.Least), plain.Six(a.Most))
	case a.Fails == nil:
		return fmt.Sprintf("%s <= %s", a.Find, plain.Six(*a.Holds))
	case a.Holds == nil:
		return fmt.Sprintf("%s > %s", a.Find, plain.Six(*a.Fails))
	}
	return fmt.Sprintf("%s < %s <= %s", plain.Six(*a.Fails), a.Find, plain.Six(*a.Holds))
}
