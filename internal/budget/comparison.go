package budget

import (
	"mercer/internal/inference"
	"mercer/results"
)

// Comparison is what the methods reach at equal cost: the answer to one of a spec's
// budgets.
type Comparison struct {
	ID, Title        string
	Of, Cost         string // quantities
	OfUnit, CostUnit string
	Level            float64 // differences are significant at 1 − Level over all Tests
	Confidence       float64 // of each end of an interval, see claims.Confidence
	Tests            int     // comparisons that the adjustment of p-values runs over
	Methods          []string
	Groups           []Group
	Problem          string // why nothing is tested at all; "" otherwise
}

// Group is one data set and kernel, and one value of the columns by.
type Group struct {
	At     results.Key
	Caps   []Cap
	Reason string // why nothing can be compared here; "" otherwise
}

// Cap is one amount of the cost.
type Cap struct {
	Cap     float64
	Methods []Method // those of Comparison.Methods, in that order
	Pairs   []Pair   // of methods that have a cell
	// Best is the index of the method of least error, the mean of its logarithm
	// over the repeats that all have; -1 where fewer than two methods are compared.
	Best int
	// Clear says that the best differs from every other, and that every other with a
	// cell within the cap is compared.
	Clear bool
}

// Method is a method's costliest cell within a cap.
type Method struct {
	Method string
	Cell   results.Key // all its columns
	Error  float64     // geometric mean over repeats; NaN without a cell
	Cost   float64     // mean over repeats
	// Least is the cost of the cheapest cell, which a method without a cell within
	// the cap cannot go below; NaN where it has none at all.
	Least      float64
	Repeats    int
	Lost       int    // repeats of the cell that failed
	Reason     string // why it is not compared
	OverBudget bool   // it has no cell within the cap
	// Unranked says that it has a cell within the cap, but errors of 0 or below, which
	// have no logarithm: it is not compared, and no other is called best beside it.
	Unranked bool
	// Exhausted says that the method has no costlier cell.
	Exhausted bool
	// Significant says that the method's error differs from that of the best.
	Significant bool

	errors inference.Sample // by repeat
}

// Compared says whether the method has an error to be compared.
func (m Method) Compared() bool { return m.Reason == "" }

// Pair is the ratio of two methods' errors, paired over repeats.
type Pair struct {
	Method, To string
	Ratio      float64 // geometric mean of error(Method)/error(To)
	Low, High  float64 // its interval, by itself
	P          float64 // of equal errors, adjusted by Holm over the budget's tests; 1 where Reason says why it is not tested
	Repeats    int
	Reason     string

	test int // its number among the budget's tests, from 1; 0 where it is not tested
}

// significant says whether the pair's errors differ, at the level 1 − level over all
// tests of the budget.
func (p Pair) significant(level float64) bool { return p.P < 1-level }

// Against is the pair of one method against another, turned round if need be;
// false where they are not compared.
func (c Cap) Against(method, to string) (Pair, bool) {
	for _, p := range c.Pairs {
		switch {
		case p.Method == method && p.To == to:
			return p, true
		case p.Method == to && p.To == method:
			p.Method, p.To = method, to
			p.Ratio, p.Low, p.High = 1/p.Ratio, 1/p.High, 1/p.Low
			return p, true
		}
	}
	return Pair{}, false
}
