package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/results"
)

// boundTolerance is the relative difference of ratios of a bound that rounding may
// make: back ends agree to 1e-14 in all of them, other processors to 1e-7 in the numbers
// that are divided.
const boundTolerance = 1e-4

// matched puts the items of two lists that have the same key side by side.
func matched[T any, K comparable](base, new []T, key func(T) K) (both [][2]T) {
	after := map[K]T{}
	for _, n := range new {
		after[key(n)] = n
	}
	for _, b := range base {
		if n, ok := after[key(b)]; ok {
			both = append(both, [2]T{b, n})
		}
	}
	return both
}

// gone finds the claims or targets that one side has and the other has not at all.
func (e *Experiment) gone(kind Kind, base, new []string) {
	for _, id := range lists.Once(base) {
		if !slices.Contains(new, id) {
			e.add(Finding{Severity: Regression, Kind: kind, Where: id, Text: "no longer judged", Do: renew})
		}
	}
}

// verdicts matches verdicts by claim and group. On the same rows they are the same:
// any other outcome is a regression, and so is a bound that is tighter or looser. Else
// only a claim that held and is now violated, or is no longer judged at all, is one:
// each of the two is wrong by chance in at most 5 % and 1 % of runs, and both at once,
// where seeds differ, in less than 0.1 %; from inconclusive to violated chance leads
// often.
func (e *Experiment) verdicts(p Pair, sameRows bool) {
	type place struct {
		claim string
		group results.Key
	}
	for _, v := range matched(p.Base.Verdicts, p.New.Verdicts, func(v claims.Verdict) place { return place{v.Claim, sorted(v.Group)} }) {
		if b, n := v[0], v[1]; b.Outcome == n.Outcome {
			e.Verdicts.Same++
			if sameRows {
				e.bounds(b, n)
			}
		} else {
			e.Verdicts.Changed++
			e.outcome(p, b, n, sameRows)
		}
	}
	id := func(v claims.Verdict) string { return v.Claim }
	e.gone(Verdict, lists.Map(p.Base.Verdicts, id), lists.Map(p.New.Verdicts, id))
}

// claimed is a verdict's claim and group in words: "above-floor poly2 rff".
func claimed(v claims.Verdict) string { return strings.TrimSpace(v.Claim + " " + words(v.Group)) }

// outcome finds that a verdict came out otherwise.
func (e *Experiment) outcome(p Pair, b, n claims.Verdict, sameRows bool) {
	f := Finding{Severity: Warning, Kind: Verdict, Where: claimed(b), Text: fmt.Sprintf("%s → %s: %s", b.Outcome, n.Outcome, n.Reason)}
	switch {
	case p.absent(b.Group.Text("dataset")):
		return // which is said of the data
	case sameRows:
		f.Severity, f.Text = Regression, fmt.Sprintf("%s → %s on the same numbers: %s", b.Outcome, n.Outcome, n.Reason)
	case b.CountsAs() == claims.Holds && n.CountsAs() == claims.Violated:
		f.Severity = Regression
	case n.CountsAs() == claims.Holds:
		f.Severity = Note
	}
	if f.Severity == Regression {
		f.Do = "mercer check " + p.New.Name + " shows the verdict; " + renew
	}
	e.add(f)
}

// bounds holds how tight a bound is, on the same rows, to what it was: a bound that is
// 20 times as small or as large may still hold.
func (e *Experiment) bounds(b, n claims.Verdict) {
	f := Finding{Severity: Regression, Kind: Verdict, Where: claimed(b), Metric: b.TightnessName(), Do: renew}
	switch before, now := b.Tightness, n.Tightness; {
	case before == nil:
		return
	case now == nil:
		f.Text = "is no longer known"
	case math.Abs(*now-*before) > boundTolerance*math.Abs(*before):
		f.Text = fmt.Sprintf("%.6g → %.6g (× %.4g) on the same numbers: the bound changed", *before, *now, *now / *before)
	default:
		return
	}
	e.add(f)
}

// answers matches answers by target, group and place. On the same rows they are the
// same. Else the least value has changed only where the two intervals have no value in
// common, which by chance comes no more often than the two ends are wrong: that more is needed is a
// regression where that is 1 % or less, as of answers that claims name, else a warning.
func (e *Experiment) answers(p Pair, sameRows bool) {
	place := func(a claims.Answer) string {
		return fmt.Sprintf("%s %s %s=%g", a.Target, words(a.Group), a.Over, a.At)
	}
	for _, a := range matched(p.Base.Answers, p.New.Answers, place) {
		b, n := a[0], a[1]
		f := Finding{Severity: Regression, Kind: Answer, Where: place(b), Text: fmt.Sprintf("%s → %s", b.Interval(), n.Interval()), Do: renew}
		switch {
		case sameRows && b.Interval() != n.Interval():
			f.Text += " on the same numbers"
		case b.Holds != nil && n.Fails != nil && *n.Fails >= *b.Holds:
			f.Text = fmt.Sprintf("more %s is needed: %s", b.Find, f.Text)
			if b.Wrong+n.Wrong > claims.AnswersError*2 {
				f.Severity = Warning
			}
		default:
			e.Answers.Same++
			continue
		}
		e.Answers.Changed++
		e.add(f)
	}
	target := func(a claims.Answer) string { return a.Target }
	e.gone(Answer, lists.Map(p.Base.Answers, target), lists.Map(p.New.Answers, target))
}
