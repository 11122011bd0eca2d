package sections

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
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
	p.Heading(1, page.Escape(cmp.Or(run.Spec.Title, run.Spec.Name, "Untitled experiment")))
	if missing := run.Missing(); missing > 0 {
		p.Aside("%s What follows is about the records that are there. No claim holds before the others are there.",
			page.Strong(fmt.Sprintf("This run is incomplete: %d of %d records are missing.", missing, missing+len(run.Rows))))
	}
	if m.Filter != "" {
		p.Aside("%s Claims about others are inconclusive.", page.Strong("Only records with "+page.Code(m.Filter)+" were asked for."))
	}
	for _, id := range slices.Sorted(maps.Keys(run.Catalog.Absent)) {
		p.Aside("%s Its records are skipped, and claims do not apply to it: %s", page.Strong("The data of "+page.Code(id)+" are missing."), page.Escape(run.Catalog.Absent[id]))
	}
	p.Lead(func() {
		if question := run.Spec.Question; question != "" {
			p.Para("%s %s", page.Strong("Question:"), page.Escape(question))
		}
		p.answer(said, run, sections)
		p.tests(verdicts, sections)
		if family := claims.FamilyOf(verdicts).String(); family != "" {
			p.Para("%s", page.Escape("Over all claims: "+family+"."))
		}
		if source := run.Spec.Source; source != "" {
			p.Para("%s %s", page.Strong("Source:"), page.Escape(source))
		}
	}, best)
}

// answer says what became of the claims in a sentence and counts them by outcome below.
// A claim counts as its worst group.
func (p *document) answer(said []titled, run results.Run, all []Claim) {
	sections := theory(all)
	for _, s := range said {
		p.Para("%s %s", page.Strong(s.title+":"), page.Escape(s.said[0]))
		p.List(page.Escaped(s.said[1:]))
	}
	if len(sections) == 0 {
		if len(said) == 0 {
			p.Para("The experiment makes no claims; the measurements are below.")
		}
		p.Para("%s", p.settings(run))
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
		worst = fmt.Sprintf(" with %d verdicts: each claim is counted once, by its worst verdict", groups)
	}
	p.Para("%s%s. %s", plain.Count(len(sections), "claim"), worst, p.settings(run))
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
		if list[0].check && o.words == string(claims.Inconclusive) {
			continue // the answer says it, and why
		}
		said := lists.Map(list, func(s Claim) string { return cmp.Or(page.Escape(quoted(s.says)), page.Code(s.id)) })
		item := fmt.Sprintf("%s: %s – %s.", page.Outcome(o.words), strings.Join(said, ", "), o.means)
		if list[0].control && o.words == string(claims.Inconclusive) {
			noun := "the control %s (known to be false) was"
			if len(list) > 1 {
				noun = "the controls %s (known to be false) were"
			}
			item = fmt.Sprintf("%s: "+noun+" not rejected: this run is too small to tell.", page.Outcome(o.words), format.Joined(said))
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
		open := len(counts) > 0
		if len(part.ids) > 0 {
			counts = append(counts, part.words(len(part.ids)))
		}
		text := strings.Join(counts, ", ") + "."
		if open {
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
	for i := range run.Rows {
		by[run.Rows[i].Status]++
	}
	if len(run.Rows) == 0 {
		return "There are no records."
	}
	most := run.Repeats()
	least := most
	for _, cell := range allCells(run) {
		least = min(least, len(cell.Rows))
	}
	said := []string{plain.Count(most, "repeat")}
	if least < most {
		said[0] = fmt.Sprintf("%d to %s", least, said[0])
	}
	if profile := run.Manifest.Profile; profile != "" {
		said = append([]string{"Profile " + page.Code(profile)}, said...)
	}
	for _, name := range []string{"n", "m"} {
		if text := rangeOf(run.Rows, name); text != "" {
			said = append(said, name+" = "+text)
		}
	}
	text := strings.Join(said, ", ") + "."
	if by[results.OK] == len(run.Rows) {
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

// rangeOf is the least and the greatest value that a size has; "" where no row has it.
func rangeOf(rows []results.Row, size string) string {
	least, most := math.Inf(1), math.Inf(-1)
	for i := range rows {
		if v, ok := rows[i].At.Number(size); ok {
			least, most = min(least, v), max(most, v)
		}
	}
	switch {
	case least > most:
		return ""
	case least == most:
		return large(most)
	}
	return fmt.Sprintf("%s to %s", large(least), large(most))
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
		if !said[r.claim.id] {
			words = r.claim.described()
		}
		said[r.claim.id] = true
		if brief {
			table = append(table, p.row(r.claim, words))
			continue
		}
		table = append(table, []string{page.Outcome(r.Words()), words, cmp.Or(r.where, format.None), estimateText(r.Verdict), claimedText(r.Verdict), wrongCall(r.Verdict), repeatsText(r.Verdict)})
	}
	p.CutTable(page.Table{Align: "lllllrr", Header: []string{"Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Wrong in", "Repeats"}, Rows: table, Cards: true})
	p.reasons(rows, mostReasons)
	p.Folded("How to read the verdicts")
	p.meanings(sections)
	p.List(append(levelNotes(verdicts),
		"“Wrong in” is the largest share of runs in which such a verdict is wrong, over all looks at a run. Exception: n repeats can all miss what has a probability of up to 1 − 0.05^(1/n), 31 % at 8 repeats and 9 % at 32. Where a mean depends on such repeats, the share may be larger.",
		"Each verdict stands alone: its cells are corrected for their number (Holm). Nothing is corrected for the number of verdicts, except where a line says “over all claims”.",
		"± beside what is claimed is the tolerance that the spec allows."))
}

// asTheyMustBe is a folded table of the checks that hold and the controls that are violated.
func (p *document) asTheyMustBe(verdicts []claims.Verdict, folded claims.Folded) {
	var table [][]string
	for _, v := range verdicts {
		if slices.Contains(folded.Checks, v.Claim) || slices.Contains(folded.Controls, v.Claim) {
			table = append(table, []string{page.Outcome(v.Words()), claimOf(v).described(), cmp.Or(p.where(v.Group), format.None), estimateText(v), claimedText(v)})
		}
	}
	if len(table) > 0 {
		p.Folded("Checks and controls that are as they must be")
		p.CutTable(page.Table{Align: "lllll", Header: []string{"Verdict", "Test", "Where", "Estimate [interval]", "Claimed"}, Rows: table, Cards: true})
	}
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

// mostReasons is how many verdicts the report explains below the table of all.
const mostReasons = 12
