package compare

import (
	"fmt"
	"math"
	"strings"

	"mercer/internal/claims"
	"mercer/results"
)

// boundTolerance is the relative difference of ratios of a bound that rounding may
// make: back ends agree to 1e-14 in all of them, other processors to 1e-7 in the numbers
// that are divided.
const boundTolerance = 1e-4

// matched puts the items of two lists that have the same key side by side.
func matched[T any, K comparable](base, new []T, key func(T) K) (both [][2]T, gone, added []T) {
	after := map[K]T{}
	for _, n := range new {
		after[key(n)] = n
	}
	before := map[K]bool{}
	for _, b := range base {
		before[key(b)] = true
		if n, ok := after[key(b)]; ok {
			both = append(both, [2]T{b, n})
		} else {
			gone = append(gone, b)
		}
	}
	for _, n := range new {
		if !before[key(n)] {
			added = append(added, n)
		}
	}
	return both, gone, added
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
	both, gone, added := matched(p.Base.Verdicts, p.New.Verdicts, func(v claims.Verdict) place { return place{v.Claim, sorted(v.Group)} })
	for _, v := range both {
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

	judged := map[string]bool{} // or said not to be
	for _, v := range p.New.Verdicts {
		judged[v.Claim] = true
	}
	for _, b := range gone {
		if judged[b.Claim] {
			e.add(Finding{Severity: Note, Kind: Verdict, Where: claimed(b), Text: fmt.Sprintf("%s before, no longer judged there", b.Outcome)})
			continue
		}
		judged[b.Claim] = true
		b.Group = results.Key{}
		e.add(Finding{Severity: Regression, Kind: Verdict, Where: claimed(b), Text: "no longer judged", Do: renew})
	}
	for _, n := range added {
		e.add(Finding{Severity: Note, Kind: Verdict, Where: claimed(n), Text: fmt.Sprintf("new: %s", n.Outcome)})
	}
}

// claimed is a verdict's claim and group in words: "check above-floor poly2 rff".
func claimed(v claims.Verdict) string {
	kind := ""
	switch {
	case v.Check:
		kind = "check "
	case v.Control:
		kind = "control "
	}
	return strings.TrimSpace(kind + v.Claim + " " + words(v.Group))
}

// outcome finds that a verdict came out otherwise.
func (e *Experiment) outcome(p Pair, b, n claims.Verdict, sameRows bool) {
	f := Finding{Severity: Warning, Kind: Verdict, Where: claimed(b), Text: fmt.Sprintf("%s → %s: %s", b.Outcome, n.Outcome, n.Reason)}
	show := "mercer check " + p.New.Name + " shows the verdict; " + renew
	switch {
	case p.New.Catalog.Absent[b.Group.Text("dataset")] != "":
		f.Severity, f.Kind, f.Text = Note, Skipped, fmt.Sprintf("skipped: data: %s before", b.Outcome)
	case sameRows:
		f.Severity, f.Text, f.Do = Regression, fmt.Sprintf("%s → %s on the same numbers: %s", b.Outcome, n.Outcome, n.Reason), show
	case b.CountsAs() == claims.Holds && n.CountsAs() == claims.Violated:
		f.Severity, f.Do = Regression, show
	case n.CountsAs() == claims.Holds:
		f.Severity = Note
	}
	e.add(f)
}

// bounds holds how tight a bound is, on the same rows, to what it was: a bound that is
// 20 times as small or as large may still hold.
func (e *Experiment) bounds(b, n claims.Verdict) {
	was, is := boundRatios(b), boundRatios(n)
	for i, name := range []string{"measured/bound", "least bound/trivial", "greatest bound/trivial"} {
		f := Finding{Severity: Regression, Kind: Verdict, Where: claimed(b), Metric: name, Do: renew}
		switch before, now := was[i], is[i]; {
		case before == nil:
			continue
		case now == nil:
			f.Text = "is no longer known"
		case math.Abs(*now-*before) > boundTolerance*math.Abs(*before):
			f.Text = fmt.Sprintf("%.6g → %.6g (× %.4g) on the same numbers: the bound changed", *before, *now, *now / *before)
		default:
			continue
		}
		e.add(f)
		return // the others say the same
	}
}

// boundRatios are a bound's ratios to what was measured and to the trivial value; nil where
// one is not known.
func boundRatios(v claims.Verdict) [3]*float64 {
	if v.Trivial == nil {
		return [3]*float64{v.Tightness}
	}
	return [3]*float64{v.Tightness, v.Trivial.Low, v.Trivial.High}
}

// answers matches answers by target, group and place. On the same rows they are the
// same. Else the least value has changed only where the two intervals have no value in
// common, which by chance comes no more often than the two ends are wrong: a regression
// where that is 1 % or less, as of answers that claims name, else a warning. More is worse.
func (e *Experiment) answers(p Pair, sameRows bool) {
	place := func(a claims.Answer) string {
		return fmt.Sprintf("%s %s %s=%g", a.Target, words(a.Group), a.Over, a.At)
	}
	both, gone, _ := matched(p.Base.Answers, p.New.Answers, place)
	for _, a := range both {
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
		case b.Fails != nil && n.Holds != nil && *n.Holds <= *b.Fails:
			f.Severity, f.Text, f.Do = Note, fmt.Sprintf("less %s is enough: %s", b.Find, f.Text), ""
		default:
			e.Answers.Same++
			continue
		}
		e.Answers.Changed++
		e.add(f)
	}

	sought := map[string]bool{} // or said not to be
	for _, a := range p.New.Answers {
		sought[a.Target] = true
	}
	for _, b := range gone {
		if !sought[b.Target] {
			sought[b.Target] = true
			e.add(Finding{Severity: Regression, Kind: Answer, Where: b.Target, Text: "no longer sought", Do: renew})
		}
	}
}
