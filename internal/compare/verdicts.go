package compare

import (
	"fmt"

	"mercer/internal/claims"
	"mercer/results"
)

// verdicts matches verdicts by claim and group. On the same rows they are the same:
// any other outcome is a regression, and so is a bound that is tighter or looser. Else
// only a claim that held and is now violated, or is no longer judged at all, is one:
// each of the two is wrong by chance in at most 5 % and 1 % of runs, and both at once,
// where seeds differ, in less than 0.1 %; from inconclusive to violated chance leads
// often.
func (e *Experiment) verdicts(p Pair, sameRows bool) {
	e.Verdicts.Changed = []VerdictChange{}
	type place struct {
		claim string
		group results.Key
	}
	key := func(v claims.Verdict) place { return place{v.Claim, sorted(v.Group)} }
	after, judged := map[place]claims.Verdict{}, map[string]bool{}
	for _, v := range p.New.Verdicts {
		after[key(v)], judged[v.Claim] = v, true
	}
	dropped := map[string]bool{}
	for _, b := range p.Base.Verdicts {
		n, ok := after[key(b)]
		delete(after, key(b))
		c := changeOf(b)
		c.Base, c.New, c.Reason = b.Outcome, n.Outcome, n.Reason
		switch {
		case ok && c.Base == c.New:
			e.Verdicts.Same++
			if sameRows {
				e.bounds(b, n)
			}
			continue
		case ok:
			e.changedVerdict(p, b, n, c, sameRows)
		case !judged[b.Claim] && !dropped[b.Claim]:
			dropped[b.Claim] = true
			e.add(Finding{Severity: Regression, Kind: Verdict, Where: VerdictChange{Claim: c.Claim, Check: c.Check, Control: c.Control}.at(), Text: "no longer judged", Do: reference})
		case judged[b.Claim]:
			e.add(Finding{Severity: Note, Kind: Verdict, Where: c.at(), Text: fmt.Sprintf("%s before, no longer judged there", b.Outcome)})
		}
		e.Verdicts.Changed = append(e.Verdicts.Changed, c)
	}
	for _, v := range p.New.Verdicts {
		if _, isNew := after[key(v)]; isNew {
			c := changeOf(v)
			c.New, c.Reason = v.Outcome, v.Reason
			e.Verdicts.Changed = append(e.Verdicts.Changed, c)
			e.add(Finding{Severity: Note, Kind: Verdict, Where: c.at(), Text: fmt.Sprintf("new: %s", v.Outcome)})
		}
	}
}

func (e *Experiment) changedVerdict(p Pair, b, n claims.Verdict, c VerdictChange, sameRows bool) {
	f := Finding{Severity: Warning, Kind: Verdict, Where: c.at(), Text: fmt.Sprintf("%s → %s: %s", c.Base, c.New, c.Reason)}
	show := "mercer check " + p.New.Name + " shows the verdict; " + reference
	switch {
	case sameRows:
		f.Severity, f.Do = Regression, show
		f.Text = fmt.Sprintf("%s → %s on the same numbers: %s", c.Base, c.New, c.Reason)
	case b.CountsAs() == claims.Holds && n.CountsAs() == claims.Violated:
		f.Severity, f.Do = Regression, show
	case n.CountsAs() == claims.Holds:
		f.Severity = Note
	}
	if p.New.Catalog.Absent[b.Group.Text("dataset")] != "" {
		f.Severity, f.Kind, f.Text, f.Do = Note, Skipped, fmt.Sprintf("skipped: data: %s before", c.Base), ""
	}
	e.add(f)
}
