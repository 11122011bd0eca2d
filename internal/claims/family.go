package claims

import (
	"fmt"
	"strings"

	"mercer/internal/plain"
)

// Family is how the violated verdicts of a spec stand when all are taken together. By itself
// a verdict is a wrong "violated" in at most 1 % of runs, so that of many one is soon
// found. Those that stand are at 1 % over all: none is wrong in 99 % of runs.
type Family struct {
	Judged   int // verdicts whose claim was tested: not those that are not applicable
	Violated int // by themselves
	Standing int // of these, over all
	Controls int // that hold; the others count claims and checks alone
}

// FamilyOf counts verdicts.
func FamilyOf(verdicts []Verdict) Family {
	var f Family
	for _, v := range verdicts {
		if v.Control {
			if v.Outcome == Holds {
				f.Controls++
			}
			continue
		}
		if v.Outcome != NotApplicable {
			f.Judged++
		}
		if v.Outcome == Violated {
			f.Violated++
		}
		if v.Stands {
			f.Standing++
		}
	}
	return f
}

// String says both readings, and which controls hold; empty where nothing is violated and no
// control holds.
func (f Family) String() string {
	var parts []string
	if f.Violated > 0 {
		parts = append(parts, f.violated())
	}
	if f.Controls > 0 {
		parts = append(parts, plain.Count(f.Controls, "verdict")+" on a control, which must be violated: it holds")
	}
	return strings.Join(parts, "; ")
}

func (f Family) violated() string {
	text := fmt.Sprintf("%d of %d verdicts violated, each at %g %% by itself", f.Violated, f.Judged, 100*violatedP)
	if f.Standing == f.Violated {
		return text + "; all of them also at 1 % over the whole spec"
	}
	return text + fmt.Sprintf("; at 1 %% over the whole spec (Holm): %d", f.Standing)
}

// stand sets which verdicts stand over all claims and groups, by Holm: their p are those of
// their claim at any cell and any look, and those of verdicts that are not violated
// count as 1. Where there are verdicts on answers, these have half of the 1 % together,
// AnswersError, so that those which are violated stand; the others have the other half.
func stand(verdicts []Verdict) {
	var at []int
	var p []float64
	most := violatedP
	for i, v := range verdicts {
		switch {
		case v.Outcome == NotApplicable, v.Control:
			continue
		case v.Answers > 0:
			most = violatedP - AnswersError
			verdicts[i].Stands = v.Outcome == Violated
			continue
		case v.Outcome == Violated && v.P != nil:
			p = append(p, *v.P)
		default:
			p = append(p, 1)
		}
		at = append(at, i)
	}
	for k, adjusted := range Holm(p) {
		v := &verdicts[at[k]]
		v.Stands = v.Outcome == Violated && adjusted < most
	}
}

// violatedAt sets the p of a violated verdict from that of its look, adjusted over cells.
func (v *Verdict) violatedAt(p float64) {
	p /= v.look.share()
	v.P = &p
}
