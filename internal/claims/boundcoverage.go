package claims

import (
	"cmp"
	"fmt"
	"math"

	"mercer/internal/inference"
	"mercer/internal/theory"
	"mercer/results"
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
	for i, m := range c.readings {
		switch {
		case !m.OK() || c.evaluations[i].setting == nil:
			count.Lost++
		case covers(c.evaluations[i].bound, m.Value):
			count.Inside++
		default:
			count.Outside++
		}
	}
	return count
}

// lost are the reasons why repeats have no value.
func (c boundCell) lost() (reasons []string) {
	for _, m := range c.readings {
		if !m.OK() {
			reasons = append(reasons, m.Err.Error())
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

// explain writes the reason, from the worst cell, and what would settle it.
func explain(v *Verdict, c boundCell, t judged) {
	count := c.coverage()
	same := 0
	for _, one := range v.Cells {
		if one.Outcome == v.Outcome {
			same++
		}
	}
	where := ""
	if c.at != (results.Key{}) {
		where = " at " + c.at.String()
	}
	found := fmt.Sprintf("the bound covers %d of %d repeats%s", count.Inside, count.Inside+count.Outside, where)
	switch {
	case v.Outcome == Holds && len(v.Cells) == 1:
		v.Reason = fmt.Sprintf("%s, so its coverage is at least %.4g (confidence %g), as claimed (>= %.4g)", found, t.e.Low, v.Level, v.Target)
	case v.Outcome == Holds:
		v.Reason = fmt.Sprintf("in all %d cells the coverage is at least %.4g, as claimed; it is least%s: %d of %d repeats, at least %.4g (confidence %g)",
			len(v.Cells), v.Target, where, count.Inside, count.Inside+count.Outside, t.e.Low, v.Level)
	case v.Outcome == Violated:
		v.Reason = fmt.Sprintf("%s, which contradicts a coverage >= %.4g (p = %.2g)%s", found, v.Target, t.p, share(same, len(v.Cells), "violated"))
	case t.why.Any():
		v.Reason = undecided(same, len(v.Cells), where, t.why)
	default:
		v.Reason = fmt.Sprintf("%s, a coverage of at least %.4g and at most %.4g, which neither shows nor contradicts >= %.4g%s",
			found, t.e.Low, t.e.High, v.Target, share(same, len(v.Cells), "undecided"))
		v.Brief = tooFew(count.Inside+count.Outside, cmp.Or(count.Needed(t.band, v.next()), inference.MaxRepeats+1))
		v.Settle, v.Need = settleCoverage(count, t.band, v.next())
	}
	if v.Tightness != nil && v.Outcome != Inconclusive {
		v.Reason += fmt.Sprintf("; %s is %.2g in the median", v.TightnessName(), *v.Tightness)
	}
}
