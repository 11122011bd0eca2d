package claims

import (
	"slices"
	"strings"

	"mercer/internal/inference"
	"mercer/internal/lists"
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

// String says which are violated, by themselves and over all, and which controls hold; empty
// where nothing is violated and no control holds.
func (f Family) String() string {
	return doubt("family", "violated", f.Violated, "judged", f.Judged, "standing", f.Standing, "controls", f.Controls).sentence()
}

// stand sets which verdicts stand over all claims and groups, by Holm: their p are the least of
// their cells, at any look, and those of verdicts that are not violated
// count as 1. Where there are verdicts on answers, these have half of the 1 % together,
// AnswersError, so that those which are violated stand; the others have the other half.
func stand(verdicts []Verdict) {
	var at []int
	var p []float64
	most := inference.ViolatedP
	for i, v := range verdicts {
		switch {
		case v.Outcome == NotApplicable, v.Control:
			continue
		case v.Answers > 0:
			most = inference.ViolatedP - AnswersError
			verdicts[i].Stands = v.Outcome == Violated
			continue
		case v.Outcome == Violated && v.P != nil:
			p = append(p, v.least)
		default:
			p = append(p, 1)
		}
		at = append(at, i)
	}
	for k, adjusted := range inference.Holm(p) {
		v := &verdicts[at[k]]
		v.Stands = v.Outcome == Violated && adjusted < most
	}
}

// overLooks is the p over all looks at a verdict of one at this look: what is below violatedP
// violates. All that are printed are such.
func (v Verdict) overLooks(p float64) float64 { return min(1, p/v.look.Share()) }

// Worst is the outcome that asks for most attention, a control's as it counts: violated
// before inconclusive before not applicable before holds. Of no verdicts it is not
// applicable.
func Worst(verdicts []Verdict) Outcome {
	if len(verdicts) == 0 {
		return NotApplicable
	}
	worst := Holds
	for _, v := range verdicts {
		if v.CountsAs().severity() > worst.severity() {
			worst = v.CountsAs()
		}
	}
	return worst
}

// WorstWords is Worst of a claim for a reader: of one that holds, HoldsVacuous where all of
// its verdicts are vacuous; of a control, in the words of controls.
func WorstWords(verdicts []Verdict) string {
	worst := Worst(verdicts)
	if len(verdicts) > 0 && verdicts[0].Control {
		return Verdict{Control: true, Outcome: Verdict{Control: true, Outcome: worst}.CountsAs()}.Words()
	}
	return words(worst, !slices.ContainsFunc(verdicts, func(v Verdict) bool { return !v.Vacuous }))
}

// Folded are the ids of what is as it must be, in their order.
type Folded struct {
	Checks   []string // that hold in all of their verdicts
	Controls []string // that are violated in all of theirs
}

// Fold sets apart the checks and controls that are as they must be; rest are the other
// verdicts.
func Fold(verdicts []Verdict) (rest []Verdict, folded Folded) {
	open := map[string]bool{}
	for _, v := range verdicts {
		open[v.Claim] = open[v.Claim] || !v.Check && !v.Control || v.Vacuous || v.CountsAs() != Holds
	}
	for _, v := range verdicts {
		switch {
		case open[v.Claim]:
			rest = append(rest, v)
		case v.Control:
			folded.Controls = append(folded.Controls, v.Claim)
		case v.Check:
			folded.Checks = append(folded.Checks, v.Claim)
		}
	}
	return rest, Folded{lists.Once(folded.Checks), lists.Once(folded.Controls)}
}

// Counted is an outcome in words for a list of counts: "holds vacuously", without a comma.
func Counted(outcome string) string { return strings.Replace(outcome, ", vacuous", " vacuously", 1) }

// Counts says how many verdicts count as each outcome; each of the four is a key.
func Counts(verdicts []Verdict) map[Outcome]int {
	counts := map[Outcome]int{Holds: 0, Violated: 0, Inconclusive: 0, NotApplicable: 0}
	for _, v := range verdicts {
		counts[v.CountsAs()]++
	}
	return counts
}
