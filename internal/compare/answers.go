package compare

import (
	"fmt"

	"mercer/internal/claims"
)

// answers matches answers by target, group and place. On the same rows they are the
// same. Else the least value has changed only where the two intervals have no value in
// common, which by chance comes no more often than the two ends are wrong: a regression
// where that is 1 % or less, as of answers that claims name, else a warning. More is worse.
func (e *Experiment) answers(p Pair, sameRows bool) {
	if len(p.Base.Answers)+len(p.New.Answers) == 0 {
		return
	}
	e.Answers = &AnswersChanged{Changed: []AnswerChange{}}
	key := func(a claims.Answer) string {
		return fmt.Sprintf("%s %s %s=%g", a.Target, words(a.Group), a.Over, a.At)
	}
	after, sought := map[string]claims.Answer{}, map[string]bool{}
	for _, a := range p.New.Answers {
		after[key(a)], sought[a.Target] = a, true
	}
	dropped := map[string]bool{}
	for _, b := range p.Base.Answers {
		n, found := after[key(b)]
		f := Finding{Kind: Answer, Where: key(b), Text: fmt.Sprintf("%s → %s", b.Interval(), n.Interval())}
		switch {
		case !found && sought[b.Target]:
			continue // its cells are gone, which is said of these
		case !found && dropped[b.Target]:
			continue
		case !found:
			dropped[b.Target] = true
			f.Severity, f.Where, f.Text, f.Do = Regression, b.Target, "no longer sought", reference
		case sameRows && b.Interval() != n.Interval():
			f.Severity, f.Text, f.Do = Regression, f.Text+" on the same numbers", reference
		case b.Holds != nil && n.Fails != nil && *n.Fails >= *b.Holds:
			f.Severity, f.Text, f.Do = Warning, fmt.Sprintf("more %s is needed: %s", b.Find, f.Text), reference
			if b.Wrong+n.Wrong <= claims.AnswersError*2 {
				f.Severity = Regression
			}
		case b.Fails != nil && n.Holds != nil && *n.Holds <= *b.Fails:
			f.Severity, f.Text = Note, fmt.Sprintf("less %s is enough: %s", b.Find, f.Text)
		default:
			e.Answers.Same++
			continue
		}
		if found {
			e.Answers.Changed = append(e.Answers.Changed, AnswerChange{b.Target, key(b), b.Interval(), n.Interval()})
		}
		e.add(f)
	}
}
