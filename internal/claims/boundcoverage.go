package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/inference"
	"mercer/internal/theory"
)

// covers says whether a measured value lies inside the bound, up to rounding.
func covers(b theory.Bound, value float64) bool {
	slack := func(edge float64) float64 {
		if math.IsInf(edge, 0) {
			return 0
		}
		return inference.RoundingSlack * math.Max(math.Abs(edge), math.Abs(value))
	}
	return value <= b.Upper+slack(b.Upper) && value >= b.Lower-slack(b.Lower)
}

// covered are the cell's values for a test of the coverage: 1 for each repeat inside the bound,
// 0 for one outside; lost are the repeats without a value.
func (c boundCell) covered() (values []float64, lost int) {
	for _, a := range c.repeats {
		switch {
		case !a.measured():
			lost++
		case covers(a.bound, a.Value):
			values = append(values, 1)
		default:
			values = append(values, 0)
		}
	}
	return values, lost
}

// judgeCoverage judges the share of repeats inside the bound in each cell.
func judgeCoverage(v Verdict, cells []boundCell) Verdict {
	tested := make([]cell, len(cells))
	var ratios []float64
	for i, c := range cells {
		values, lost := c.covered()
		tested[i] = cell{at: c.at, values: values, band: inference.Band{Relation: ">=", Value: v.Target},
			test: inference.CoverageTest{Claimed: v.Target, Level: v.Level, Lost: lost}}
		for _, a := range c.repeats {
			if !a.OK() {
				tested[i].lost = append(tested[i].lost, a.Err.Error())
			}
		}
		ratios = append(ratios, c.ratios()...)
	}
	if v.Tightness, v.Below = medianOf(cells[0].ratios()), cells[0].fromBelow(); len(cells) > 1 {
		v.Tightness = medianOf(ratios)
	}
	v = judgeCells(v, tested, scale{show: plainScale.show, what: "coverage", counts: true,
		codes: map[Outcome]Code{Holds: "bound_holds", Violated: "bound_violated", Inconclusive: "bound_undecided"},
		args: func(worst judged) Args {
			args := Args{"inside": int(floats.Sum(worst.values)), "seen": len(worst.values), "low": worst.e.Low, "high": worst.e.High,
				"target": v.Target, "level": v.Level, "quotient": v.TightnessName()}
			if v.Tightness != nil {
				args["tight"] = fmt.Sprintf("%.2g", *v.Tightness)
			}
			return args
		}})
	for i, c := range cells {
		v.Cells[i].Tightness, v.Cells[i].Trivial, v.Cells[i].Vacuous = medianOf(c.ratios()), medianOf(c.trivialRatios()), c.vacuous()
	}
	return v
}

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
		for _, a := range c.repeats {
			if a.unknown != nil {
				return a.unknown
			}
		}
	}
	return nil
}
