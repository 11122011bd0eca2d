package claims

import (
	"fmt"
	"slices"

	"mercer/internal/theory"
)

// judgeInformative judges the cells where the bound is informative, for elsewhere it
// holds whatever is estimated; where it is so nowhere, all cells, and what holds is
// vacuous. A claim that a vacuous cell contradicts is violated all the same.
func judgeInformative(v Verdict, cells []boundCell, t theory.Theorem) Verdict {
	all := judgeCoverage(v, cells)
	if why := unknownTrivial(cells); why != nil {
		all.Notes = append(all.Notes, doubt("trivial_unknown", "trivial", t.Trivial.Formula, "why", why.Error()).sentence())
		return all
	}
	if t.Trivial.Value == nil {
		return all
	}
	var informative, vacuous []boundCell
	for _, c := range cells {
		if c.vacuous() {
			vacuous = append(vacuous, c)
		} else {
			informative = append(informative, c)
		}
	}
	switch {
	case all.Outcome == Violated || len(vacuous) == 0:
	case len(informative) == 0:
		all.Vacuous = all.Outcome == Holds
		all.say(Doubt{all.Code, all.Args}.with("vacuous", len(vacuous), "trivial", t.Trivial.Formula, "times", timesTrivial(vacuous)))
	default:
		v.Notes = append(v.Notes, doubt("vacuous_cells", "vacuous", len(vacuous), "cells", len(cells),
			"trivial", t.Trivial.Formula, "times", timesTrivial(vacuous)).sentence())
		all = judgeCoverage(v, informative)
	}
	low, high := extremes(cells)
	all.Trivial = &Trivial{Formula: t.Trivial.Formula, Says: t.Trivial.Says, Cells: len(cells), Vacuous: len(vacuous), Low: low, High: high}
	return all
}

// timesTrivial are the least and the greatest bound/trivial of cells, one where they are equal
// to three digits, none where it is not known.
func timesTrivial(cells []boundCell) []string {
	low, high := extremes(cells)
	if low == nil {
		return nil
	}
	return slices.Compact([]string{fmt.Sprintf("%.3g", *low), fmt.Sprintf("%.3g", *high)})
}

// extremes are the least and the greatest bound/trivial of cells, each the median over repeats.
func extremes(cells []boundCell) (low, high *float64) {
	var known []float64
	for _, c := range cells {
		if ratio := medianOf(c.trivialRatios()); ratio != nil {
			known = append(known, *ratio)
		}
	}
	if len(known) == 0 {
		return nil, nil
	}
	slices.Sort(known)
	return &known[0], &known[len(known)-1]
}

// unknownTrivial is why the trivial value of a cell is not known.
func unknownTrivial(cells []boundCell) error {
	for _, c := range cells {
		for _, a := range c.evaluations {
			if a.unknown != nil {
				return a.unknown
			}
		}
	}
	return nil
}
