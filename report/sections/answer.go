package sections

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/results"
)

// summary writes the first screen: the title, what is missing, what is asked, and the
// answer beside the figure best.
func (p *document) summary(run results.Run, verdicts []claims.Verdict, sections []Claim, said []titled, best figure.Figure) {
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
	p.Lead(func() {
		if m.Question != "" {
			p.Para("%s %s", page.Strong("Question:"), page.Escape(m.Question))
		}
		p.answer(said, run, sections)
		p.tests(verdicts, sections)
		if family := claims.FamilyOf(verdicts).String(); family != "" {
			p.Para("%s", page.Escape("Over all claims: "+family+"."))
		}
		if m.Source != "" {
			p.Para("%s %s", page.Strong("Source:"), page.Escape(m.Source))
		}
	}, best)
}

// outcome of a claim in words, and what it means.
type outcome struct{ words, means string }

// outcomes say what each means for a claim, in the order of the answer.
var outcomes = []outcome{
	{string(claims.Violated), "the measurements contradict it (p < 0.01, or a single record lies outside of what is claimed for each)"},
	{claims.ControlHolds, "it is known to be false: this experiment cannot tell it from what is true"},
	{string(claims.Inconclusive), "the measurements cannot decide it; that is no evidence in favour"},
	{string(claims.NotApplicable), "nothing in this run can judge it"},
	{claims.HoldsVacuous, "its bound is no less than what every estimator satisfies: it holds, and says nothing"},
	{string(claims.Holds), "the whole confidence interval (or every record, where each is judged) lies inside what is claimed: more than finding no contradiction"},
}

// answer says what became of the claims in a sentence and counts them by outcome below.
// A claim counts as its worst group.
func (p *document) answer(said []titled, run results.Run, all []Claim) {
	sections := theory(all)
	for i, s := range said {
		text := page.Escape(s.text)
		if i == 0 && len(sections) == 0 {
			text = fmt.Sprintf("%s %s", cmp.Or(text, "The experiment makes no claims; the measurements are below."), p.settings(run))
		}
		p.Para("%s %s", page.Strong(s.title+":"), text)
	}
	if len(sections) == 0 {
		return
	}
	var counts []page.Count
	groups := 0
	for _, o := range outcomes {
		if n := len(ofOutcome(sections, o.words)); n > 0 {
			counts = append(counts, page.Count{Outcome: o.words, Times: n})
		}
	}
	p.Strip(counts)
	for _, s := range sections {
		groups += len(s.verdicts)
	}
	worst := ""
	if groups > len(sections) {
		worst = fmt.Sprintf(" with %d verdicts; a claim counts as its worst one", groups)
	}
	p.Para("%s%s. %s", plain.Count(len(sections), "claim"), worst, p.settings(run))
}

// state is what became of all claims together. Only where every check holds, be its bound
// vacuous or not, and every control is violated do all claims count as holding.
func state(sections []Claim) string {
	open := func(s Claim) bool {
		words := s.outcome()
		return words != string(claims.Holds) && !(s.check && words == claims.HoldsVacuous)
	}
	switch {
	case len(ofOutcome(theory(sections), string(claims.Violated))) > 0:
		return configs.OneViolated
	case slices.ContainsFunc(sections, open):
		return configs.NotAllHold
	}
	return configs.AllHold
}

// sentence is one of the spec's with the numbers of its claims, as far as they are known; ""
// where none is.
func sentence(text string, verdicts []claims.Verdict) string {
	known := 0
	said := configs.Placeholder.ReplaceAllStringFunc(text, func(id string) string {
		number := estimates(strings.Trim(id, "{}"), verdicts)
		if number != "" {
			known++
		}
		return cmp.Or(number, "(not measured here)")
	})
	if known == 0 && said != text {
		return ""
	}
	return format.Negatives(said)
}

// estimates are those of a claim where it applies: of one group with the interval, of
// several the least and the greatest, a coverage as a percentage; "" where one is not known.
func estimates(id string, verdicts []claims.Verdict) string {
	own := slices.DeleteFunc(slices.Clone(verdicts), func(v claims.Verdict) bool {
		return v.Claim != id || v.Outcome == claims.NotApplicable
	})
	if len(own) == 0 || slices.ContainsFunc(own, func(v claims.Verdict) bool { return !plain.Finite(v.Estimate) }) {
		return ""
	}
	write := format.Number
	switch {
	case own[0].Noun() == "coverage":
		write = format.Percent
	case len(own) == 1:
		return format.Interval(own[0].Estimate, own[0].Low, own[0].High)
	}
	by := func(a, b claims.Verdict) int { return cmp.Compare(a.Estimate, b.Estimate) }
	least, greatest := write(slices.MinFunc(own, by).Estimate), write(slices.MaxFunc(own, by).Estimate)
	if least == greatest {
		return least
	}
	return least + " to " + greatest
}

// theory are the claims that are neither checks nor controls.
func theory(sections []Claim) []Claim {
	return slices.DeleteFunc(slices.Clone(sections), func(s Claim) bool { return s.check || s.control })
}

func ofOutcome(sections []Claim, words string) []Claim {
	return slices.DeleteFunc(slices.Clone(sections), func(s Claim) bool { return s.outcome() != words })
}

// mostNamed is how many claims of an outcome the answer names.
const mostNamed = 3

// defaultAnswer names what does not hold, then counts what holds; where all holds, it
// names the first. What a claim says stands in quotation marks behind what became of it, so
// that nobody takes it for what was found.
func defaultAnswer(sections []Claim) string {
	holding := ofOutcome(sections, string(claims.Holds))
	switch {
	case len(holding) == len(sections) && len(sections) == 1:
		return "The claim holds: " + quotes(holding) + "."
	case len(holding) == len(sections):
		return fmt.Sprintf("All %d claims hold; the first: %s.", len(holding), quotes(holding[:1]))
	}
	var parts []string
	for _, o := range outcomes {
		list := ofOutcome(sections, o.words)
		if len(list) == 0 {
			continue
		}
		count := fmt.Sprint(len(list))
		switch {
		case len(sections) == 1:
			count = "The claim"
		case len(parts) == 0:
			count = fmt.Sprintf("%d of %d claims", len(list), len(sections))
		}
		verb := "is " + o.words
		if hold, is := strings.CutPrefix(claims.Counted(o.words), "holds"); is {
			verb = "holds" + hold
		}
		if len(list) > 1 {
			verb = strings.NewReplacer("is ", "are ", "holds", "hold").Replace(verb)
		}
		text := count + " " + verb
		if o.words != string(claims.Holds) {
			text += ": " + quotes(list)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ". ") + "."
}

// quotes are what the first of some claims say.
func quotes(list []Claim) string {
	var said []string
	for _, s := range list[:min(len(list), mostNamed)] {
		said = append(said, quoted(cmp.Or(s.says, s.id)))
	}
	text := strings.Join(said, "; ")
	if more := len(list) - len(said); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// quoted is what a claim says, in quotation marks; "" of nothing.
func quoted(says string) string {
	if says == "" {
		return ""
	}
	return "“" + strings.TrimSuffix(says, ".") + "”"
}

// meanings say what the outcomes mean that occur.
func (p *document) meanings(sections []Claim) {
	var items []string
	for _, o := range outcomes {
		if len(ofOutcome(sections, o.words)) > 0 {
			items = append(items, page.Outcome(o.words)+": "+o.means+".")
		}
	}
	p.List(items)
}

// byOutcome counts the claims of each outcome, and lists them with what it means. A control
// ought to be rejected: one that is open shows what the run cannot tell.
func byOutcome(sections []Claim) (counts, items []string) {
	for _, o := range outcomes {
		list := ofOutcome(sections, o.words)
		if len(list) == 0 {
			continue
		}
		counts = append(counts, fmt.Sprintf("%s %d", claims.Counted(o.words), len(list)))
		var ids []string
		for _, s := range list {
			ids = append(ids, page.Code(s.id))
		}
		item := fmt.Sprintf("%s: %s – %s.", page.Outcome(o.words), strings.Join(ids, ", "), o.means)
		if list[0].control && o.words == string(claims.Inconclusive) {
			noun := "the control %s (known to be false) was"
			if len(list) > 1 {
				noun = "the controls %s (known to be false) were"
			}
			item = fmt.Sprintf("%s: "+noun+" not rejected: this run is too small to tell.", page.Outcome(o.words), format.Joined(ids))
		}
		items = append(items, item)
	}
	return counts, items
}

// tests counts the checks that hold and the controls that are violated in a line, and lists
// those that are not as they must be.
func (p *document) tests(verdicts []claims.Verdict, sections []Claim) {
	_, folded := claims.Fold(verdicts)
	var said, listed []string
	for _, part := range []struct {
		title string
		open  func(Claim) bool
		ids   []string
		words func(int) string
	}{
		{"Checks", func(s Claim) bool { return s.check }, folded.Checks, format.ChecksHold},
		{"Controls", func(s Claim) bool { return s.control }, folded.Controls, format.ControlsViolated},
	} {
		counts, items := byOutcome(slices.DeleteFunc(slices.Clone(sections), func(s Claim) bool { return !part.open(s) }))
		if len(part.ids) > 0 {
			counts = append(counts, fmt.Sprintf("%s (%s)", part.words(len(part.ids)), page.Codes(part.ids)))
		}
		text := strings.Join(counts, ", ") + "."
		if len(items) > 0 {
			text = page.Strong(part.title+":") + " " + text
		}
		if len(counts) > 0 {
			said = append(said, text)
		}
		listed = append(listed, items...)
	}
	if len(said) > 0 {
		p.Para("%s", strings.Join(said, " "))
	}
	p.List(listed)
}

// settings says what the answer rests on: the profile, repeats, sizes, and records that are
// not ok.
func (p *document) settings(run results.Run) string {
	by := map[results.Status]int{}
	for i := range run.Records {
		by[run.Records[i].Status]++
	}
	if len(run.Records) == 0 {
		return "There are no records."
	}
	said := []string{plain.Count(run.Repeats(), "repeat")}
	if profile := run.Manifest.Profile; profile != "" {
		said = append([]string{"Profile " + page.Code(profile)}, said...)
	}
	for _, name := range []string{"n", "m"} {
		if text := rangeOf(run.Records, name); text != "" {
			said = append(said, name+" = "+text)
		}
	}
	text := strings.Join(said, ", ") + "."
	if by[results.OK] == len(run.Records) {
		return text
	}
	var parts []string
	for _, status := range format.Statuses {
		if n := by[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, format.StatusWords[status]))
		}
	}
	return fmt.Sprintf("%s Records: %s.", text, strings.Join(parts, ", "))
}

// rangeOf is the least and the greatest value that a size has; "" where no record has it.
func rangeOf(records []results.Record, size string) string {
	least, most := math.MaxInt, 0
	for i := range records {
		if v := records[i].Sizes.Get(size); v != 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	switch {
	case most == 0:
		return ""
	case least == most:
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// verdicts writes the table of all verdicts. The verdict comes first, where a narrow
// screen shows it.
func (p *document) verdicts(verdicts []claims.Verdict, sections []Claim) {
	if len(verdicts) == 0 {
		return
	}
	p.Heading(2, "Verdicts")
	common := format.Setting(verdicts)
	if on := p.where(common); on != "" {
		p.Para("All on %s.", on)
	}
	var rows []verdictRow
	for _, s := range sections {
		for _, v := range s.verdicts {
			rows = append(rows, verdictRow{s, v, p.where(format.Without(v.Group, common))})
		}
	}
	slices.SortStableFunc(rows, func(a, b verdictRow) int { return cmp.Compare(severity(a.Words()), severity(b.Words())) })
	said := map[string]bool{}
	var table [][]string
	for _, r := range rows {
		brief := len(rows) > mostVerdicts && r.claim.tabled()
		if brief && said[r.claim.id] {
			continue
		}
		words := r.claim.name()
		if r.claim.says != "" && !said[r.claim.id] {
			words += ": " + page.Escape(quoted(r.claim.says))
		}
		said[r.claim.id] = true
		if brief {
			table = append(table, r.claim.summary(words))
			continue
		}
		table = append(table, []string{page.Outcome(r.Words()), words, cmp.Or(r.where, format.None), estimateText(r.Verdict), claimedText(r.Verdict), wrongCall(r.Verdict), repeatsText(r.Verdict)})
	}
	p.CutTable(page.Table{Align: "lllllrr", Header: []string{"Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Wrong in", "Repeats"}, Rows: table, Cards: true})
	p.reasons(rows, mostReasons)
	p.Folded("How to read the verdicts")
	p.meanings(sections)
	p.List(append(levelNotes(verdicts),
		"“Wrong in” is the largest share of runs in which such a verdict is wrong, over all looks at a run. Exception: where rare, extreme repeats make up most of a mean and none was drawn, the share may be larger.",
		"Each verdict stands alone: its cells are corrected for their number (Holm), verdicts only where a line says “over all claims”.",
		"± beside what is claimed is the tolerance that the spec allows."))
}

// levelNotes say what the intervals are, a sentence for each level and relation.
func levelNotes(verdicts []claims.Verdict) []string {
	var notes []string
	for _, v := range verdicts {
		if !plain.Finite(v.Estimate) {
			continue
		}
		note := fmt.Sprintf("Interval of a claim with =: it contains the true value in %s of runs.", format.Percent(v.Level))
		switch {
		case v.Level >= 1:
			note = "Where every record is judged, the interval goes from the least to the greatest."
		case v.Relation != "=":
			note = fmt.Sprintf("Interval of a claim with ≤ or ≥: each of its ends is on the right side of the true value in %s of runs.", format.Percent(v.Level))
		}
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	if slices.ContainsFunc(verdicts, func(v claims.Verdict) bool { return v.Level > 0.95 && v.Level < 1 }) {
		notes = append(notes, "What these levels have above 95 % is kept for further looks at the run, after more repeats.")
	}
	return notes
}

// verdictRow is a verdict of a claim, and what its group has that others have not.
type verdictRow struct {
	claim Claim
	claims.Verdict
	where string
}

// severity is where an outcome stands in the order of the answer.
func severity(words string) int {
	return slices.IndexFunc(outcomes, func(o outcome) bool { return o.words == words })
}

// mostReasons is how many verdicts the report explains below the table of all.
const mostReasons = 12

// reasons says of up to most verdicts that do not hold why, and what would settle them.
func (p *document) reasons(rows []verdictRow, most int) {
	var items []string
	for _, r := range rows {
		if r.Words() == string(claims.Holds) || r.Reason == "" {
			continue
		}
		where := ""
		if r.where != "" {
			where = " (" + r.where + ")"
		}
		text := fmt.Sprintf("%s: %s%s: %s.", page.Outcome(r.Words()), r.claim.name(), where, sentenceText(r.Reason))
		if r.Settle != "" {
			text += " What would settle it: " + strings.TrimSuffix(page.Escape(r.Settle), ".") + "."
		}
		items = append(items, text)
	}
	if more := len(items) - most; more > 0 {
		items = append(items[:most], fmt.Sprintf("%d more, in the sections of the claims.", more))
	}
	p.List(items)
}

// sentenceText is a reason without its full stop, with true minus signs.
func sentenceText(reason string) string {
	return strings.TrimSuffix(page.Escape(format.Negatives(reason)), ".")
}

// repeatsText is how many repeats a verdict has; those on answers have none of their own.
func repeatsText(v claims.Verdict) string {
	if v.Answers > 0 {
		return format.None
	}
	return fmt.Sprint(v.Repeats)
}

// estimateText is a verdict's estimate and interval.
func estimateText(v claims.Verdict) string {
	text := format.Interval(v.Estimate, v.Low, v.High)
	if text == format.None {
		return format.None
	}
	if len(v.Cells) > 1 {
		text += fmt.Sprintf(", worst of %d cells", len(v.Cells))
	}
	return text
}

// claimedText is what a verdict was held against.
func claimedText(v claims.Verdict) string {
	if !plain.Finite(v.Target) || v.Relation == "" {
		return format.None
	}
	text := strings.TrimSpace(v.Noun() + " " + format.RelationSign(v.Relation) + " " + format.Minus(format.Number(v.Target)))
	if v.Within > 0 {
		text += " ± " + format.Number(v.Within)
	}
	text = page.Escape(text + v.Factor())
	if trivial := trivialText(v); trivial != "" {
		text += "; " + trivial
	}
	return text
}
