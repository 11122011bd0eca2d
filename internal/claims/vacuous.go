package claims

import (
	"fmt"

	"mercer/internal/theory"
)

// judgeInformative judges the cells where the bound is informative, for elsewhere it
// holds whatever is estimated; where it is so nowhere, all cells, and what holds is
// vacuous. A claim that a vacuous cell contradicts is violated all the same.
func judgeInformative(v Verdict, cells []boundCell, t theory.Theorem) Verdict {
	all := judgeCoverage(v, cells)
	if why := unknownTrivial(cells); why != nil {
		all.Notes = append(all.Notes, fmt.Sprintf("whether the bound says more than the trivial value %s is not known: %v", t.Trivial.Formula, why))
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
		all.Reason += "; the bound is vacuous: " + besideTrivial(vacuous, t.Trivial.Formula)
	default:
		v.Notes = append(v.Notes, fmt.Sprintf("the bound is vacuous in %d of %d cells, which are left out: %s",
			len(vacuous), len(cells), besideTrivial(vacuous, t.Trivial.Formula)))
		all = judgeCoverage(v, informative)
	}
	low, high := extremes(cells)
	all.Trivial = &Trivial{Formula: t.Trivial.Formula, Says: t.Trivial.Says, Cells: len(cells), Vacuous: len(vacuous), Low: low, High: high}
	return all
}

// besideTrivial compares the bound of cells with the trivial value.
func besideTrivial(cells []boundCell, formula string) string {
	low, high := extremes(cells)
	if low == nil {
		return "it says no more than the trivial value " + formula
	}
	times := fmt.Sprintf("%.3g", *low)
	if most := fmt.Sprintf("%.3g", *high); most != times {
		times += " to " + most
	}
	return fmt.Sprintf("it is %s times the trivial value %s", times, formula)
}

// extremes are the least and the greatest bound/trivial of cells.
func extremes(cells []boundCell) (low, high *float64) {
	for _, c := range cells {
		ratio := medianOf(c.trivialRatios())
		if ratio != nil && (low == nil || *ratio < *low) {
			low = ratio
		}
		if ratio != nil && (high == nil || *ratio > *high) {
			high = ratio
		}
	}
	return low, high
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
