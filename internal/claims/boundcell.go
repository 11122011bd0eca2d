package claims

import (
	"math"
	"slices"

	"mercer/internal/inference"
	"mercer/internal/lists"
	"mercer/internal/theory"
	"mercer/results"
)

// boundCell is a cell with what the theorem is asked there, once for each repeat that was not
// skipped.
type boundCell struct {
	at      results.Key
	repeats []boundRepeat
}

// boundRepeat is a reading with the theorem's setting there; nil where its record failed to
// give what the bound is computed from.
type boundRepeat struct {
	results.Reading
	setting *theory.Setting
	answer
}

// measured says that there is a value to hold against a bound.
func (r boundRepeat) measured() bool { return r.OK() && r.setting != nil }

// answer is what a theorem says at a setting.
type answer struct {
	bound   theory.Bound
	trivial float64 // the trivial value; NaN where the theorem does not apply, or it is not known
	unknown error   // why it is not known

	rounding bool // the bound is mostly rounding
	// nothing says that the measured value is rounding and so is the bound, by itself or
	// because it lies beyond the value. Any other bound covers what is rounding.
	nothing bool
}

// setParameter sets an open parameter everywhere.
func setParameter(cells []boundCell, name string, value float64) {
	for _, c := range cells {
		for _, a := range c.asked() {
			a.setting.Given[name] = value
		}
	}
}

// asked are the repeats at which the theorem could be asked.
func (c boundCell) asked() []boundRepeat {
	return lists.Where(c.repeats, func(a boundRepeat) bool { return a.setting != nil })
}

// failing are the repeats at which a condition fails, or nothing is left over.
func (c boundCell) failing() []boundRepeat {
	return lists.Where(c.asked(), func(a boundRepeat) bool { return !a.bound.Applies() || a.nothing })
}

// example has the conditions that are shown: those of the first repeat at which one fails, else
// of the first; nil where nothing could be asked.
func (c boundCell) example() []theory.Condition {
	shown := append(c.failing(), c.asked()...)
	if len(shown) == 0 {
		return nil
	}
	return shown[0].bound.Conditions
}

// why says which conditions fail, with their numbers.
func (c boundCell) why() string {
	return doubt("conditions", "failing", lists.Map(theory.Failing(c.example()), theory.Condition.String),
		"repeats", len(c.failing()), "all", len(c.repeats)).sentence()
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
	for _, a := range c.repeats {
		switch b := a.bound; {
		case !a.measured():
		case b.Upper > 0 && !math.IsInf(b.Upper, 1):
			list = append(list, a.Value/b.Upper)
		case b.FromBelow() && b.Lower > 0 && a.Value > 0:
			list = append(list, b.Lower/a.Value)
		}
	}
	return list
}

// fromBelow says whether all that the theorem says of the cell are bounds from below.
func (c boundCell) fromBelow() bool {
	return !slices.ContainsFunc(c.asked(), func(a boundRepeat) bool { return !a.bound.FromBelow() })
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
	for _, a := range c.asked() {
		if ratio := a.bound.Ratio(a.trivial); !math.IsNaN(ratio) {
			list = append(list, ratio)
		}
	}
	return list
}

// vacuous says that in half of the repeats or more the bound says no more than the
// trivial value.
func (c boundCell) vacuous() bool {
	known := lists.Where(c.asked(), func(a boundRepeat) bool { return !math.IsNaN(a.trivial) })
	informative := lists.Where(known, func(a boundRepeat) bool { return a.bound.Informative(a.trivial) })
	return len(known) > 0 && 2*len(informative) <= len(known)
}

// outlined is what the bound says in a cell, with its level 1 − δ.
func (c boundCell) outlined(level float64) BoundCell {
	out := BoundCell{At: c.repeats[0].Row.At, Applies: len(c.failing()) == 0}
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
