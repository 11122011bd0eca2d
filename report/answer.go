package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/results"
)

// summary writes the title, what is asked, what is missing, and the answer.
func (p *document) summary(run results.Run, verdicts []claims.Verdict, sections []section) {
	m := run.Manifest
	p.heading(1, escape(cmp.Or(m.Title, m.Experiment, "Untitled experiment")))
	if missing := run.Missing(); missing > 0 {
		p.aside("%s What follows is about the records that are there; no claim is said to hold before the others are.",
			strong(fmt.Sprintf("This run is incomplete: %d of %d records are missing.", missing, missing+len(run.Records))))
	}
	if m.Filter != "" {
		p.aside("%s Claims about others are inconclusive.", strong("Only records with "+code(m.Filter)+" were asked for."))
	}
	for _, id := range slices.Sorted(maps.Keys(m.Datasets)) {
		if why := m.Datasets[id].Absent; why != "" {
			p.aside("%s Its records are skipped, and claims do not apply to it: %s", strong("The data of "+code(id)+" could not be had."), escape(why))
		}
	}
	var about []string
	if m.Source != "" {
		about = append(about, strong("Source:")+" "+escape(m.Source))
	}
	if m.Question != "" {
		about = append(about, strong("Question:")+" "+escape(m.Question))
	}
	if len(about) > 0 {
		p.para("%s", strings.Join(about, "\n"))
	}
	p.para("%s %s %s", strong("Answer:"), answer(verdicts, sections), recordsSentence(run))
}

// answer says in a paragraph what became of the claims.
func answer(verdicts []claims.Verdict, sections []section) string {
	if len(sections) == 0 {
		return "The experiment makes no claims, so there is nothing to hold or to be violated; the measurements are below."
	}
	ids := map[claims.Outcome][]string{}
	for _, s := range sections {
		ids[s.outcome()] = append(ids[s.outcome()], code(s.id))
	}
	text := tallied(ids, sections)
	if len(verdicts) > len(sections) {
		text += fmt.Sprintf("; judged in %d groups of records, where a claim counts as what its worst group is", len(verdicts))
	}
	sentences := []string{text + "."}
	add := func(o claims.Outcome, format string) {
		if len(ids[o]) > 0 {
			which := joined(ids[o])
			if len(ids[o]) == len(sections) && len(sections) > 1 {
				which = "each of them"
			}
			sentences = append(sentences, fmt.Sprintf(format, which))
		}
	}
	add(claims.Violated, "The measurements contradict %s"+contradiction(verdicts)+".")
	add(claims.Inconclusive, "On %s the measurements decide nothing either way, which is no evidence in favour.")
	add(claims.NotApplicable, "What was run has nothing that %s could be judged on.")
	add(claims.Holds, "On %s the whole confidence interval (or every record, where each is judged) lies inside what is claimed; that is more than finding no contradiction.")
	return strings.Join(sentences, " ")
}

// tallied counts the claims by outcome.
func tallied(ids map[claims.Outcome][]string, sections []section) string {
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
	return fmt.Sprintf("Of %d claims, %s", len(sections), joined(parts))
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

// joined joins with commas and a last "and".
func joined(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
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
	for _, status := range statuses {
		if n := by[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, statusWords[status]))
		}
	}
	if len(parts) == 1 && by[results.OK] > 0 {
		return fmt.Sprintf("All of this rests on %s.", count(len(run.Records), "record"))
	}
	return fmt.Sprintf("Records: %s.", joined(parts))
}

// verdicts writes the table of all verdicts. The verdict comes first, where a narrow
// screen shows it.
func (p *document) verdicts(verdicts []claims.Verdict, sections []section) {
	if len(verdicts) == 0 {
		return
	}
	p.heading(2, "Verdicts")
	common := setting(verdicts)
	if len(common) > 0 {
		p.para("All on %s.", escape(plainWhere(common)))
	}
	var rows [][]string
	for _, s := range sections {
		for i, v := range s.verdicts {
			words := code(s.id)
			if i == 0 && s.says != "" {
				words += ": " + escape(s.says)
			}
			rows = append(rows, []string{outcomeText(v.Outcome), words, cmp.Or(escape(plainWhere(without(v.Group, common))), none),
				estimateText(v), claimedText(v), fmt.Sprint(v.Repeats), escape(v.Reason)})
		}
	}
	p.table("lllllrl", []string{"Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Repeats", "Why"}, rows)
	p.para("Each verdict is judged by itself: with =, the interval has the level beside it; with ≤ and ≥, each of its ends is a bound of that level. Nothing is corrected for the number of verdicts.")
}

// estimateText is a verdict's estimate, interval and level.
func estimateText(v claims.Verdict) string {
	text := interval(v.Estimate, v.Low, v.High)
	if text == none {
		return none
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
		return percent(v.Level)
	}
	return percent(v.Level) + " a side"
}

// claimedText is what a verdict was held against.
func claimedText(v claims.Verdict) string {
	if !finite(v.Target) || v.Relation == "" {
		return none
	}
	noun := map[string]string{"slope": "slope", "ratio": "ratio", "order": "ratio of neighbours", "value": "value", "bound": "coverage", "distribution": "distance"}[v.Kind]
	text := strings.TrimSpace(noun + " " + relationSign(v.Relation) + " " + number(v.Target))
	if v.Within > 0 {
		text += " ± " + number(v.Within)
	}
	return escape(text)
}

func relationSign(relation string) string {
	switch relation {
	case "<=":
		return "≤"
	case ">=":
		return "≥"
	}
	return relation
}

func outcomeText(o claims.Outcome) string {
	return marked(outcomeMark, escape(string(o)))
}
