package sections

import (
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// state is what became of all claims together. A check of the code that is open decides
// nothing: the report says so beside the answer.
func state(sections []Claim) string {
	switch {
	case len(ofOutcome(theory(sections), string(claims.Violated))) > 0:
		return configs.OneViolated
	case slices.ContainsFunc(sections, Claim.open):
		return configs.NotAllHold
	}
	return configs.AllHold
}

// open says that the claim leaves the answer open: it does not hold, is a check that is
// violated, or a control that is not.
func (s Claim) open() bool {
	if s.check {
		return s.outcome() == string(claims.Violated)
	}
	return s.outcome() != string(claims.Holds)
}

// causes are why the claim is open, each once.
func (s Claim) causes() (list []string) {
	for _, v := range s.verdicts {
		switch cause := v.Cause(); {
		case s.check && s.open():
			list = []string{"a check of the code is violated"}
		case s.control:
			list = []string{"a claim known to be false is not rejected"}
		case v.Words() == s.outcome() && !slices.Contains(list, cause):
			list = append(list, cause)
		}
	}
	return list
}

// causesWhere are the causes of a claim that it is open, each with the groups that it is about
// where it is not about all.
func (p *document) causesWhere(s Claim) []string {
	return lists.Map(s.causes(), func(cause string) string {
		own := lists.Where(s.verdicts, func(v claims.Verdict) bool { return v.Words() == s.outcome() && v.Cause() == cause })
		switch {
		case len(own) == 0 || len(own) == len(s.verdicts):
			return cause
		case len(own) > mostApart:
			return fmt.Sprintf("%s (%d of %s)", cause, len(own), plain.Count(len(s.verdicts), "verdict"))
		}
		shared := format.SharedBy(s.verdicts)
		where := lists.Map(own, func(v claims.Verdict) string {
			return format.BesideWhere(p.labels.Where(format.Without(v.Group, shared)))
		})
		return fmt.Sprintf("%s (%s)", cause, strings.Join(where, "; "))
	})
}

// because is " because" and the causes, of which two are named.
func because(causes []string) string {
	if len(causes) == 0 {
		return ""
	}
	const most = 2
	if len(causes) > most {
		causes = append(slices.Clone(causes[:most]), "for other reasons below")
	}
	return " because " + format.Joined(causes)
}

// whetherSo is what an {id?} of an answer stands for; "" without a verdict on the claim.
func (p *document) whetherSo(id string, verdicts []claims.Verdict) string {
	own := lists.Where(verdicts, func(v claims.Verdict) bool { return v.Claim == id })
	if len(own) == 0 {
		return ""
	}
	s := claimOf(own...)
	switch words := s.outcome(); {
	case strings.HasSuffix(words, string(claims.Holds)):
		return "yes"
	case strings.HasSuffix(words, string(claims.Violated)):
		return "no"
	}
	return "not settled," + because(p.causesWhere(s))
}

// openChecks says which checks of the code are open and why: they decide nothing.
func (p *document) openChecks(sections []Claim) (said []string) {
	for _, s := range ofOutcome(sections, string(claims.Inconclusive)) {
		if s.check {
			said = append(said, fmt.Sprintf("%s,%s.", quotes([]Claim{s}), because(p.causesWhere(s))))
		}
	}
	return said
}

// asksOf are the claims of which a sentence asks what became of them.
func asksOf(sentence string) map[string]bool {
	asked := map[string]bool{}
	for _, placeholder := range configs.Placeholder.FindAllString(sentence, -1) {
		if id, whether := configs.Placed(placeholder); whether {
			asked[id] = true
		}
	}
	return asked
}

// openly is own, the spec's sentence for claims of which some are open, with how many hold and
// why the others do not, as far as it does not say that of claims that it asks for.
func (p *document) openly(own string, asked map[string]bool, sections []Claim) []string {
	open := lists.Where(sections, func(s Claim) bool { return s.open() && !asked[s.id] })
	causes := lists.Once(slices.Concat(lists.Map(open, Claim.causes)...))
	all, rest := theory(sections), theory(open)
	held := ofOutcome(all, string(claims.Holds))
	switch why := because(causes) + ". "; {
	case len(asked) > 0:
	case len(held) == 0:
		own = "Not settled," + why + own
	case len(held) == len(all):
		held := map[bool]string{true: "the claim holds", false: allClaims(len(all)) + " hold"}[len(all) == 1]
		own = "Not settled, though " + held + "," + why + own
	default:
		verb := map[bool]string{true: "holds", false: "hold"}[len(held) == 1]
		own = fmt.Sprintf("Partly: %d of %d claims %s; %s open,%s", len(held), len(all), verb, plain.Count(len(rest), "is", "are"), why) + own
	}
	said := []string{own}
	wholly := func(s Claim) bool { return slices.Equal(p.causesWhere(s), causes) }
	if len(causes) == 1 && len(asked) == 0 && len(rest) > 0 && len(lists.Where(rest, wholly)) == len(rest) {
		said, rest = append(said, "Open: "+quotes(rest)+"."), nil
	}
	for _, s := range rest[:min(len(rest), mostNamed)] {
		said = append(said, fmt.Sprintf("Open: %s,%s.", quotes([]Claim{s}), because(p.causesWhere(s))))
	}
	if more := len(rest) - mostNamed; more > 0 {
		said = append(said, fmt.Sprintf("Open: %d more.", more))
	}
	if also := lists.Where(held, func(s Claim) bool { return !asked[s.id] }); len(also) > 0 && len(held) < len(all) {
		text := "Holds: " + quotes(also[:1])
		if len(also) > 1 {
			text += fmt.Sprintf(" and %d more", len(also)-1)
		}
		said = append(said, text+".")
	}
	return said
}
