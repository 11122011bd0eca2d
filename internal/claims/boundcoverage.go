package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mercer/internal/inference"
	"mercer/internal/lists"
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

// coverage counts the cell's repeats.
func (c boundCell) coverage() inference.Coverage {
	var count inference.Coverage
	for _, a := range c.repeats {
		switch {
		case !a.measured():
			count.Lost++
		case covers(a.bound, a.Value):
			count.Inside++
		default:
			count.Outside++
		}
	}
	return count
}

// lost are the reasons why repeats have no value.
func (c boundCell) lost() (reasons []string) {
	for _, a := range c.repeats {
		if !a.OK() {
			reasons = append(reasons, a.Err.Error())
		}
	}
	return reasons
}

// judgeCoverage tests each cell and puts the outcomes together, as judgeCells
// does for means.
func judgeCoverage(v Verdict, cells []boundCell) Verdict {
	claim := inference.Band{Relation: ">=", Value: v.Target}
	tested := make([]judged, len(cells))
	p := make([]float64, len(cells))
	var ratios []float64
	for i, c := range cells {
		count := c.coverage()
		tested[i] = judged{cell: cell{at: c.at, band: claim, lost: c.lost(), values: make([]float64, count.Inside+count.Outside)}}
		tested[i].e = count.Estimate(claim, v.levels())
		p[i] = tested[i].e.P
		ratios = append(ratios, c.ratios()...)
	}
	for i, adjusted := range inference.Holm(p) {
		t := &tested[i]
		t.p, t.outcome = v.overLooks(adjusted), Inconclusive
		switch {
		case t.e.Inside:
			t.outcome = Holds
		case t.p < inference.ViolatedP:
			t.outcome = Violated
		case len(t.lost) > 0:
			t.why = lostDoubt(t.lost, len(t.lost)+len(t.values))
		}
	}
	v = conclude(v, tested, scale{show: plainScale.show, what: "coverage"})
	for i, c := range cells {
		v.Cells[i].Tightness, v.Cells[i].Trivial, v.Cells[i].Vacuous = medianOf(c.ratios()), medianOf(c.trivialRatios()), c.vacuous()
	}
	if v.Tightness, v.Below = v.Cells[0].Tightness, cells[0].fromBelow(); len(cells) > 1 {
		v.Tightness = medianOf(ratios)
	}
	worst := worstOf(tested)
	v.Detectable = inference.DetectableCoverage(claim, tested[worst].e.Count, v.levels().Violated/float64(len(cells)))
	explain(&v, cells[worst], tested[worst])
	return v
}

// explain says why, from the worst cell, and what would settle it.
func explain(v *Verdict, c boundCell, t judged) {
	if t.why.Any() {
		return
	}
	count := c.coverage()
	seen := count.Inside + count.Outside
	words := doubt("bound_undecided", "inside", count.Inside, "count", seen, "at", c.at, "low", t.e.Low, "high", t.e.High, "p", t.p,
		"target", v.Target, "level", v.Level, "cells", len(v.Cells), "quotient", v.TightnessName(), "outcome", string(v.Outcome))
	same := lists.Where(v.Cells, func(one CellOutcome) bool { return one.Outcome == v.Outcome })
	words = words.with("same", len(same))
	switch v.Outcome {
	case Holds:
		words.Code = "bound_holds"
	case Violated:
		words.Code = "bound_violated"
	default:
		v.Need = cmp.Or(count.Needed(t.band, v.next()), inference.MaxRepeats+1)
		words = words.with("outcome", "undecided", "need", v.Need)
	}
	if v.Tightness != nil {
		words = words.with("tight", fmt.Sprintf("%.2g", *v.Tightness))
	}
	v.say(words)
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
