package claims

import (
	"math"
	"slices"

	"mercer/internal/selection"
	"mercer/results"
)

// BoundCell is what a bound says in one cell. Numbers are nil where they are not known,
// or the theorem does not apply.
type BoundCell struct {
	Records   []*results.Record // of the repeats, but for skipped ones
	Applies   bool              // the theorem, in all repeats
	Tightness *float64          // median of measured/bound, of a bound from below bound/measured
	Trivial   *float64          // median of bound/trivial
	// Factor is the least factor on the bound that still covers a fraction 1 − δ of the
	// repeats: the best constant relative to the proven one.
	Factor *float64
}

// outlined is what the bound says in a cell, with its level 1 − δ.
func (c boundCell) outlined(level float64) BoundCell {
	out := BoundCell{Records: selection.RecordsOf(c.readings), Applies: len(c.failing()) == 0}
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
	at := int(math.Ceil(level*float64(len(list)) - roundingSlack))
	return &sorted[max(at, 1)-1]
}
