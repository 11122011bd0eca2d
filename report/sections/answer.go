package sections

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// summary writes the title, what is asked, what is missing, and the answer.
func (p *document) summary(run results.Run, verdicts []claims.Verdict, sections []Claim) {
	m := run.Manifest
	p.Heading(1, page.Escape(cmp.Or(m.Title, m.Experiment, "Untitled experiment")))
	if missing := run.Missing(); missing > 0 {
		p.Aside("%s What follows is about the records that are there. No claim holds before the others are there.",
			page.Strong(fmt.Sprintf("This run is incomplete: %d of %d records are missing.", missing, missing+len(run.Records))))
	}
	if m.Filter != "" {
		p.Aside("%s Claims about others are inconclusive.", page.Strong("Only records with "+page.Code(m.Filter)+" were asked for."))
	}
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		if why := m.Datasets[id].Absent; why != "" {
			p.Aside("%s Its records are skipped, and claims do not apply to it: %s", page.Strong("The data of "+page.Code(id)+" are missing."), page.Escape(why))
		}
	}
	var about []string
	if m.Source != "" {
		about = append(about, page.Strong("Source:")+" "+page.Escape(m.Source))
	}
	if m.Question != "" {
		about = append(about, page.Strong("Question:")+" "+page.Escape(m.Question))
	}
	if len(about) > 0 {
		p.Para("%s", strings.Join(about, "\n"))
	}
	p.Para("%s %s %s", page.Strong("Answer:"), answer(verdicts, sections), recordsSentence(run))
}

// answer says in a paragraph what became of the claims.
func answer(verdicts []claims.Verdict, sections []Claim) string {
	if len(sections) == 0 {
		return "The experiment makes no claims; the measurements are below."
	}
	ids := map[claims.Outcome][]string{}
	for _, s := range sections {
		ids[s.outcome()] = append(ids[s.outcome()], page.Code(s.id))
	}
	text := tallied(ids, sections)
	if len(verdicts) > len(sections) {
		which := "each in its worst"
		if len(sections) == 1 {
			which = "in the worst"
		}
		text += fmt.Sprintf(", %s of %d groups", which, len(verdicts))
	}
	sentences := []string{text + "."}
	add := func(o claims.Outcome, sentence string) {
		if len(ids[o]) > 0 {
			which := format.Joined(ids[o])
			if len(ids[o]) == len(sections) && len(sections) > 1 {
				which = "each of them"
				if o == claims.Inconclusive || o == claims.NotApplicable {
					which = "any of them"
				}
			}
			sentences = append(sentences, fmt.Sprintf(sentence, which))
		}
	}
	add(claims.Violated, "The measurements contradict %s"+contradiction(verdicts)+".")
	add(claims.Inconclusive, "The measurements cannot decide %s; that is no evidence in favour.")
	add(claims.NotApplicable, "Nothing in this run can judge %s.")
	add(claims.Holds, "For %s the whole confidence interval (or every record, where each is judged) lies inside what is claimed: more than finding no contradiction.")
	return strings.Join(sentences, " ")
}

// tallied counts the claims by outcome.
func tallied(ids map[claims.Outcome][]string, sections []Claim) string {
	var parts []string
	for _, o := range []claims.Outcome{claims.Holds, claims.Violated, claims.Inconclusive, claims.NotApplicable} {
		if n := len(ids[o]); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcomeVerb(o, n)))
		}
	}
	switch first := sections[0].outcome(); {
	case len(sections) == 1:
		return "The claim " + outcomeVerb(first, 1)
	case len(parts) == 1:
		return fmt.Sprintf("All %d claims %s", len(sections), outcomeVerb(first, len(sections)))
	}
	return fmt.Sprintf("Of %d claims, %s", len(sections), format.Joined(parts))
}

// contradiction says what the violated verdicts rest on.
func contradiction(verdicts []claims.Verdict) string {
	var tested, each bool
	for _, v := range verdicts {
		if v.Outcome == claims.Violated {
			tested, each = tested || v.Level < 1, each || v.Level >= 1
		}
	}
	switch {
	case tested && each:
		return ": rejected at p < 0.01, or single records lie outside of what is claimed for each"
	case each:
		return ": single records lie outside of what is claimed for each"
	}
	return " (rejected at p < 0.01)"
}

// outcomeVerb writes "holds" or "hold", "is violated" or "are violated".
func outcomeVerb(o claims.Outcome, n int) string {
	switch {
	case o == claims.Holds && n == 1:
		return "holds"
	case o == claims.Holds:
		return "hold"
	case n == 1:
		return "is " + string(o)
	}
	return "are " + string(o)
}

// recordsSentence says what the answer rests on.
func recordsSentence(run results.Run) string {
	if len(run.Records) == 0 {
		return "There are no records."
	}
	by := map[results.Status]int{}
	for _, r := range run.Records {
		by[r.Status]++
	}
	var parts []string
	for _, status := range format.Statuses {
		if n := by[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, format.StatusWords[status]))
		}
	}
	if len(parts) == 1 && by[results.OK] > 0 {
		return fmt.Sprintf("All of this rests on %s.", format.Count(len(run.Records), "record"))
	}
	return fmt.Sprintf("Records: %s.", format.Joined(parts))
}

// verdicts writes the table of all verdicts. The verdict comes first, where a narrow
// screen shows it.
func (p *document) verdicts(verdicts []claims.Verdict, sections []Claim) {
	if len(verdicts) == 0 {
		return
	}
	p.Heading(2, "Verdicts")
	common := format.Setting(verdicts)
	if len(common) > 0 {
		p.Para("All on %s.", page.Escape(format.PlainWhere(common)))
	}
	var rows [][]string
	for _, s := range sections {
		for i, v := range s.verdicts {
			words := page.Code(s.id)
			if i == 0 && s.says != "" {
				words += ": " + page.Escape(s.says)
			}
			rows = append(rows, []string{page.Outcome(string(v.Outcome)), words, cmp.Or(page.Escape(format.PlainWhere(format.Without(v.Group, common))), format.None),
				estimateText(v), claimedText(v), fmt.Sprint(v.Repeats), page.Escape(v.Reason)})
		}
	}
	p.Table("lllllrl", []string{"Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Repeats", "Why"}, rows)
	p.Para("Each verdict is judged by itself: with =, the interval has the level beside it; with ≤ and ≥, each of its ends is a bound of that level. Nothing is corrected for the number of verdicts.")
}

// estimateText is a verdict's estimate, interval and level.
func estimateText(v claims.Verdict) string {
	text := format.Interval(v.Estimate, v.Low, v.High)
	if text == format.None {
		return format.None
	}
	if strings.Contains(text, "[") {
		text += " " + levelText(v)
	}
	if len(v.Cells) > 1 {
		text += fmt.Sprintf(", worst of %d cells", len(v.Cells))
	}
	return text
}

func levelText(v claims.Verdict) string {
	switch {
	case v.Level >= 1:
		return "from least to greatest"
	case v.Relation == "=":
		return format.Percent(v.Level)
	}
	return format.Percent(v.Level) + " a side"
}

// claimedText is what a verdict was held against.
func claimedText(v claims.Verdict) string {
	if !format.Finite(v.Target) || v.Relation == "" {
		return format.None
	}
	noun := map[string]string{"slope": "slope", "ratio": "ratio", "order": "ratio of neighbours", "value": "value", "bound": "coverage", "distribution": "distance"}[v.Kind]
	text := strings.TrimSpace(noun + " " + format.RelationSign(v.Relation) + " " + format.Number(v.Target))
	if v.Within > 0 {
		text += " ± " + format.Number(v.Within)
	}
	return page.Escape(text)
}
