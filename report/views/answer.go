package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
)

// state is what became of all claims together. A check that is inconclusive decides nothing.
func (r *Report) state() string {
	open := func(c Claim) bool {
		if c.Check {
			return c.Outcome == string(claims.Violated)
		}
		return c.Outcome != string(claims.Holds)
	}
	switch {
	case slices.ContainsFunc(claimed(r.Claims), func(c Claim) bool { return c.Outcome == string(claims.Violated) }):
		return configs.OneViolated
	case slices.ContainsFunc(r.Claims, open):
		return configs.NotAllHold
	}
	return configs.AllHold
}

// Answer is the sentence of the spec for what became of its claims, with their numbers; "" where
// the spec has none or a number is not known: what is left of the sentence could be false.
func (r *Report) Answer() string {
	if len(claimed(r.Claims)) == 0 {
		return ""
	}
	known := true
	text := configs.Placeholder.ReplaceAllStringFunc(r.Run.Spec.Answer.Sentences()[r.state()], func(placeholder string) string {
		id, whether := configs.Placed(placeholder)
		value := ""
		if whether {
			value = r.whetherSo(id)
		} else {
			value = cmp.Or(r.estimates(lists.Where(r.Judged, func(v claims.Verdict) bool { return v.Claim == id })), r.lastAnswer(id))
		}
		known = known && value != ""
		return value
	})
	if !known {
		return ""
	}
	return format.Negatives(text)
}

// lastAnswer is the answer to a target at the largest value: "38 < m ≤ 54 at n = 1e8".
func (r *Report) lastAnswer(target string) string {
	own := lists.Where(r.Answers, func(a claims.Answer) bool { return a.Target == target })
	if len(own) == 0 {
		return ""
	}
	last := slices.MaxFunc(own, func(a, b claims.Answer) int { return cmp.Compare(a.At, b.At) })
	return strings.ReplaceAll(last.Interval(), "<=", "≤") + " at " + last.Over + " = " + plain.Six(last.At)
}

// whetherSo is what {id?} stands for; "" without a verdict on the claim.
func (r *Report) whetherSo(id string) string {
	at := slices.IndexFunc(r.All, func(c Claim) bool { return c.Claim == id })
	if at < 0 {
		return ""
	}
	switch words := r.All[at].Outcome; {
	case strings.HasSuffix(words, string(claims.Holds)):
		return "yes"
	case strings.HasSuffix(words, string(claims.Violated)):
		return "no"
	}
	return "not settled"
}

// fewGroups is how many groups of a claim a sentence names.
const fewGroups = 3

// estimates are what {id} stands for: of one group the estimate with its interval, of few each with
// its place, of more the least and the greatest.
func (r *Report) estimates(own []claims.Verdict) string {
	own = lists.Where(own, func(v claims.Verdict) bool { return v.Outcome != claims.NotApplicable })
	if len(own) == 0 || slices.ContainsFunc(own, func(v claims.Verdict) bool { return !plain.Finite(v.Estimate) }) {
		return ""
	}
	if shared := format.SharedBy(own); len(own) > 1 && len(own) <= fewGroups && len(shared.Names()) > 0 {
		return strings.Join(lists.Map(own, func(v claims.Verdict) string {
			return fmt.Sprintf("%s (%s)", estimated(v), r.Names.Where(format.Without(v.Group, shared)))
		}), " and ")
	}
	by := func(a, b claims.Verdict) int { return cmp.Compare(a.Estimate, b.Estimate) }
	least, greatest := estimated(slices.MinFunc(own, by)), estimated(slices.MaxFunc(own, by))
	switch {
	case len(own) == 1 && own[0].Noun() != "coverage":
		return format.Estimate(own[0])
	case least == greatest:
		return least
	}
	return fmt.Sprintf("between %s and %s (%d groups)", least, greatest, len(own))
}

// estimated is the estimate of a verdict in the digits that its table shows, a coverage as a percentage.
func estimated(v claims.Verdict) string {
	if v.Noun() == "coverage" {
		return format.Percent(v.Estimate)
	}
	text, _, _ := strings.Cut(format.Estimate(v), " [")
	return text
}

// Best is the figure of the first screen: the first that the spec asks for, else that of the claim
// that asks for most attention, else that of a target.
func (r *Report) Best() figure.Figure {
	all := lists.Map(r.Plots, func(f figure.PlotFigure) figure.Figure { return f.Figure })
	for _, c := range slices.SortedStableFunc(slices.Values(claimed(r.Claims)), func(a, b Claim) int { return cmp.Compare(severity(a.Outcome), severity(b.Outcome)) }) {
		all = append(all, c.Figures...)
	}
	all = append(all, r.Targets...)
	if at := slices.IndexFunc(all, func(f figure.Figure) bool { return f.Path != "" }); at >= 0 {
		return all[at]
	}
	return figure.Figure{}
}
