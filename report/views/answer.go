package views

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
)

// Answer is the sentence of the spec for what became of its claims, with their numbers; "" where
// the spec has none or a number is not known: what is left of the sentence could be false. Of claims of which some are open, and of which the
// sentence does not ask, it counts those that hold; see [Claim] for data sets that are absent.
type Answer struct {
	Sentence             string
	Partly               bool
	Holding, Open, Total int
	Absent               []string // data sets without data
}

// state is what became of all claims together. A check that is inconclusive decides nothing.
func (r *Report) state() string {
	open := func(c Claim) bool {
		if c.Check {
			return c.Outcome == string(claims.Violated)
		}
		return c.Outcome != string(claims.Holds)
	}
	switch {
	case slices.ContainsFunc(theory(r.Claims), func(c Claim) bool { return c.Outcome == string(claims.Violated) }):
		return configs.OneViolated
	case slices.ContainsFunc(r.Claims, open):
		return configs.NotAllHold
	}
	return configs.AllHold
}

// Answer is the answer of the spec to its question.
func (r *Report) Answer() Answer {
	all, state := theory(r.Claims), r.state()
	sentence := r.Run.Spec.Answer.Sentences()[state]
	if len(all) == 0 || sentence == "" {
		return Answer{}
	}
	known, asks := true, false
	text := configs.Placeholder.ReplaceAllStringFunc(sentence, func(placeholder string) string {
		id, whether := configs.Placed(placeholder)
		own := lists.Where(r.Judged, func(v claims.Verdict) bool { return v.Claim == id })
		value := ""
		if whether {
			value, asks = r.whetherSo(id), true
		} else {
			value = r.estimates(own)
		}
		known = known && value != ""
		return value
	})
	if !known {
		return Answer{}
	}
	absent := lists.Map(slices.Sorted(maps.Keys(r.Run.Catalog.Absent)), r.Names.Plainly)
	holding := len(lists.Where(all, func(c Claim) bool { return c.Outcome == string(claims.Holds) }))
	return Answer{Sentence: format.Negatives(text), Partly: state == configs.NotAllHold && !asks, Holding: holding, Open: len(all) - holding, Total: len(all), Absent: absent}
}

// whetherSo is what {id?} stands for; "" without a verdict on the claim.
func (r *Report) whetherSo(id string) string {
	at := slices.IndexFunc(r.all, func(c Claim) bool { return c.Claim == id })
	if at < 0 {
		return ""
	}
	switch words := r.all[at].Outcome; {
	case strings.HasSuffix(words, string(claims.Holds)):
		return "yes"
	case strings.HasSuffix(words, string(claims.Violated)):
		return "no"
	}
	return "not settled"
}

// mostTargets is how many estimates an answer lists with group and what is claimed of each.
const mostTargets = 6

// estimates are what {id} stands for: of one group the estimate with its interval, of few groups
// each with its group, of more the least and the greatest.
func (r *Report) estimates(own []claims.Verdict) string {
	own = lists.Where(own, func(v claims.Verdict) bool { return v.Outcome != claims.NotApplicable })
	if len(own) == 0 || slices.ContainsFunc(own, func(v claims.Verdict) bool { return !plain.Finite(v.Estimate) }) {
		return ""
	}
	by := func(a, b claims.Verdict) int { return cmp.Compare(a.Estimate, b.Estimate) }
	least, greatest := estimated(slices.MinFunc(own, by)), estimated(slices.MaxFunc(own, by))
	switch {
	case len(own) == 1 && own[0].Noun() != "coverage":
		return format.Estimate(own[0])
	case least == greatest:
		return least
	}

	shared := format.SharedBy(own)
	targets := slices.ContainsFunc(own, func(v claims.Verdict) bool { return v.Relation == "=" && v.Target != own[0].Target })
	places := lists.Map(own, func(v claims.Verdict) string { return r.Names.Beside(format.Without(v.Group, shared)) })
	if targets && len(own) > mostApart {
		for i, v := range own {
			places[i] = strings.TrimPrefix(places[i]+", claimed ", ", ") + format.Claimed(v)
		}
	}
	most := mostApart
	if targets {
		most = mostTargets
	}
	if len(own) > most || slices.Contains(places, "") {
		return fmt.Sprintf("between %s and %s (%d groups)", least, greatest, len(own))
	}
	texts := make([]string, len(own))
	for i, v := range own {
		texts[i] = fmt.Sprintf("%s (%s)", estimated(v), places[i])
	}
	return format.Joined(texts)
}

// estimated is the estimate of a verdict in the digits that its table shows, a coverage as a percentage.
func estimated(v claims.Verdict) string {
	if v.Noun() == "coverage" {
		return format.Percent(v.Estimate)
	}
	text, _, _ := strings.Cut(format.Estimate(v), " [")
	return text
}

// Best is the figure of the first screen: the first that the spec asks for, else that of the first
// claim whose number the answer has, else that of the claim that asks for most attention, else
// that of a target.
func (r *Report) Best() figure.Figure {
	var all []figure.Figure
	for _, f := range r.Plots {
		all = append(all, f.Figure)
	}
	for _, placeholder := range configs.Placeholder.FindAllString(r.Run.Spec.Answer.Sentences()[r.state()], -1) {
		id, _ := configs.Placed(placeholder)
		for _, c := range r.Claims {
			if c.Claim == id {
				all = append(all, c.Figures...)
			}
		}
	}
	urgent := slices.SortedStableFunc(slices.Values(theory(r.Claims)), func(a, b Claim) int { return cmp.Compare(severity(a.Outcome), severity(b.Outcome)) })
	for _, c := range urgent {
		all = append(all, c.Figures...)
	}
	all = append(all, r.Targets...)
	if at := slices.IndexFunc(all, func(f figure.Figure) bool { return f.Path != "" }); at >= 0 {
		return all[at]
	}
	return figure.Figure{}
}
