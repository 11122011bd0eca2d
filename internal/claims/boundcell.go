package claims

import (
	"math"
	"slices"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/results"
)

// boundCell is a cell with what the theorem is asked there, once for each repeat.
type boundCell struct {
	at          results.Key
	readings    []results.Reading // those that were not skipped
	evaluations []evaluation      // of these readings
}

// evaluation is a theorem's setting at one reading; nothing where its record failed
// to give what the bound is computed from.
type evaluation struct {
	setting *theory.Setting
	answer
}

// answer is what a theorem says at a setting.
type answer struct {
	bound   theory.Bound
	trivial float64 // the trivial value; NaN where the theorem does not apply, or it is not known
	unknown error   // why it is not known

	rounding bool // the bound is
	// nothing says that the measured value is rounding and so is the bound, by itself or
	// because it lies beyond the value. Any other bound covers what is rounding.
	nothing bool
}

// setParameter sets an open parameter everywhere.
func setParameter(cells []boundCell, name string, value float64) {
	for _, c := range cells {
		for _, a := range c.evaluations {
			if a.setting != nil {
				a.setting.Given[name] = value
			}
		}
	}
}

// failing are the indices of repeats at which a condition fails, or nothing is left over.
func (c boundCell) failing() []int {
	var at []int
	for i, a := range c.evaluations {
		if a.setting != nil && !a.bound.Applies() || a.nothing {
			at = append(at, i)
		}
	}
	return at
}

// example is the repeat whose conditions are shown: the first at which one
// fails, else the first; nil where nothing could be asked.
func (c boundCell) example() []theory.Condition {
	if at := c.failing(); len(at) > 0 {
		return c.evaluations[at[0]].bound.Conditions
	}
	for _, a := range c.evaluations {
		if a.setting != nil {
			return a.bound.Conditions
		}
	}
	return nil
}

// why says which conditions fail, with their numbers.
func (c boundCell) why() string {
	return doubt("conditions", "failing", lists.Map(theory.Failing(c.example()), theory.Condition.String),
		"repeats", len(c.failing()), "all", len(c.evaluations)).sentence()
}

// nearest is the cell that comes nearest to meeting all conditions: the last of those that
// fail the fewest, whose sizes are largest.
func nearest(cells []boundCell) (best boundCell) {
	for i, c := range cells {
		if i == 0 || len(theory.Failing(c.example())) <= len(theory.Failing(best.example())) {
			best = c
		}
	}
	return best
}

// conditions are those of the cell for readers and programs.
func (c boundCell) conditions(applicable, cells int) *Conditions {
	return &Conditions{Cell: c.at, Applicable: applicable, Cells: cells, List: theory.Evaluate(c.example())}
}

// ratios are measured/Upper of the cell's repeats, and of a bound from below
// Lower/measured: at most 1 where it holds; none where that side is not positive.
func (c boundCell) ratios() []float64 {
	var list []float64
	for i, m := range c.readings {
		b := c.evaluations[i].bound
		switch {
		case !m.OK() || c.evaluations[i].setting == nil:
		case b.Upper > 0 && !math.IsInf(b.Upper, 1):
			list = append(list, m.Value/b.Upper)
		case b.FromBelow() && b.Lower > 0 && m.Value > 0:
			list = append(list, b.Lower/m.Value)
		}
	}
	return list
}

// fromBelow says whether all that the theorem says of the cell are bounds from below.
func (c boundCell) fromBelow() bool {
	return !slices.ContainsFunc(c.evaluations, func(a evaluation) bool { return a.setting != nil && !a.bound.FromBelow() })
}

// medianOf is nil of an empty list.
func medianOf(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	m := results.Median(list)
	return &m
}

// trivialRatios are bound/trivial of the cell's repeats, where both are known and have
// a quotient.
func (c boundCell) trivialRatios() []float64 {
	var list []float64
	for _, a := range c.evaluations {
		if ratio := a.bound.Ratio(a.trivial); a.setting != nil && !math.IsNaN(ratio) {
			list = append(list, ratio)
		}
	}
	return list
}

// vacuous says that in half of the repeats or more the bound says no more than the
// trivial value.
func (c boundCell) vacuous() bool {
	known, informative := 0, 0
	for _, a := range c.evaluations {
		if a.setting == nil || math.IsNaN(a.trivial) {
			continue
		}
		known++
		if a.bound.Informative(a.trivial) {
			informative++
		}
	}
	return known > 0 && 2*informative <= known
}

// outlined is what the bound says in a cell, with its level 1 − δ.
func (c boundCell) outlined(level float64) BoundCell {
	out := BoundCell{At: c.readings[0].Row.At, Applies: len(c.failing()) == 0}
	if out.Applies {
		out.Tightness, out.Trivial, out.Factor = medianOf(c.ratios()), medianOf(c.trivialRatios()), quantileOf(c.ratios(), level)
	}
	return out
}

// quantileOf is the least of the list that a fraction level of it does not exceed; nil
// of an empty list.
func quantileOf(list []float64, level float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(list))
	at := int(math.Ceil(level*float64(len(list)) - inference.RoundingSlack))
	return &sorted[max(at, 1)-1]
}
