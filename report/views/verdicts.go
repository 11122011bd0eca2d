package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// mostVerdicts is how many verdicts Markdown shows.
const mostVerdicts = 40

// severity is the place of an outcome in words among those that ask for attention; 0 asks for most.
// A control that is violated, as it must be, is not among them.
func severity(words string) int {
	at := slices.Index(claims.Outcomes, words)
	if at < 0 {
		return len(claims.Outcomes)
	}
	return at
}

func bySeverity(verdicts []claims.Verdict) []claims.Verdict {
	return slices.SortedStableFunc(slices.Values(verdicts), func(a, b claims.Verdict) int { return cmp.Compare(severity(a.Words()), severity(b.Words())) })
}

// Setting is the data set and the kernel that all verdicts share, of a run with several.
func (r *Report) Setting() string { return r.Names.Where(r.setting) }

// Place is where a verdict is about, without what all verdicts share.
func (r *Report) Place(v claims.Verdict) string {
	return r.Names.Where(format.Without(v.Group, r.setting))
}

// Verdicts are a row a verdict, those that ask for most attention first, and Folded the checks that
// hold and the controls that are violated.
func (r *Report) Verdicts() Table { return r.allOf(r.open) }

func (r *Report) Folded() Table {
	shown := map[string]bool{}
	for _, v := range r.open {
		shown[v.Claim] = true
	}
	return r.allOf(lists.Where(r.Judged, func(v claims.Verdict) bool { return !shown[v.Claim] }))
}

func (r *Report) allOf(verdicts []claims.Verdict) Table {
	t := r.verdictTable(bySeverity(verdicts), false)
	t.Most = mostVerdicts
	return t
}

// Brief is Verdicts in few columns, the outcome last, in the order of the spec.
func (r *Report) Brief() Table {
	t := Table{Columns: columns("Claim", "Where", ">Estimate [interval]", ">Claimed", "Verdict")}
	for _, v := range r.open {
		row := Row(format.ClaimName(v), r.Names.Brief(format.Without(v.Group, r.setting)), format.Estimate(v), claimed(v), "")
		row[4] = Cell{Text: v.Words(), Mark: Outcome}
		t.Rows = append(t.Rows, row)
	}
	return t.filled()
}

// verdictTable has a row a verdict, or a row a cell of one claim. A claim's text stands in its first
// row.
func (r *Report) verdictTable(verdicts []claims.Verdict, ofCells bool) Table {
	t := Table{Columns: columns("Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Bound/trivial", ">Wrong in", ">Repeats", ">p (Holm)", ">measured/bound"), File: format.VerdictsTable}
	known := map[string]bool{} // claims whose text is in an earlier row
	for _, v := range verdicts {
		estimate, of, trivial, wrong, repeats, p := format.Estimate(v), claimed(v), "", Wrong(v), "", ""
		if estimate != format.None && len(v.Cells) > 1 {
			estimate += fmt.Sprintf(", worst of %d cells", len(v.Cells))
		}
		if of != "" {
			of = strings.TrimSpace(v.Noun() + " " + of)
		}
		if v.Trivial != nil && v.Trivial.Low != nil {
			trivial = format.Range("%.4g", *v.Trivial.Low, *v.Trivial.High)
		}
		if wrong != "" {
			wrong = "≤ " + wrong
		}
		if v.Answers == 0 {
			repeats = fmt.Sprint(v.Repeats)
		}
		if v.P != nil {
			p = format.Number(*v.P)
		}

		claim := Cell{Text: v.Claim, Mark: Code}
		if v.Says != "" && !known[v.Claim] {
			claim.After = ": “" + r.Names.Says(v.Says) + "”"
		}
		known[v.Claim] = true
		row := Row("", "", r.Place(v), estimate, of, trivial, wrong, repeats, p, optional(v.Tightness))
		row[0], row[1] = Cell{Text: v.Words(), Mark: Outcome}, claim
		if ofCells {
			row[1], row[6] = Cell{}, Cell{}
			t.Columns[9].Head.Text = v.TightnessName()
		} else {
			row[8], row[9] = Cell{}, Cell{}
		}
		t.Rows = append(t.Rows, row)
	}
	return t.filled()
}

// claimed is what a verdict was held against: "≤ 1.25", "= −0.25 ± 0.02".
func claimed(v claims.Verdict) string {
	if !plain.Finite(v.Target) || v.Relation == "" {
		return ""
	}
	return format.RelationSign(v.Relation) + " " + format.Claimed(v)
}

// Wrong is in what share of runs such a verdict is wrong, over all looks; "" where it calls nothing.
func Wrong(v claims.Verdict) string {
	rate, calls := v.WrongCall()
	if !calls {
		return ""
	}
	return format.Percent(rate)
}

// Open are the verdicts that do not hold, those that ask for most attention first.
func (r *Report) Open() []claims.Verdict {
	return bySeverity(lists.Where(r.open, func(v claims.Verdict) bool { return v.Words() != string(claims.Holds) && v.Reason != "" }))
}

// Step is what to do next about verdicts that are open, and how many of them it is about.
type Step struct {
	Text         string
	Verdicts, Of int
}

// Next is the step that settles most.
func (r *Report) Next() Step {
	steps := lists.Where(r.Open(), func(v claims.Verdict) bool { return v.Settle != "" })
	var next []claims.Verdict
	for _, same := range lists.By(steps, func(v claims.Verdict) string { return v.Settle }) {
		if len(same) > len(next) {
			next = same
		}
	}
	if len(next) == 0 {
		return Step{}
	}
	return Step{next[0].Settle, len(next), len(steps)}
}

// Has says whether a verdict of the report has this outcome in words.
func (r *Report) Has(words string) bool {
	return slices.ContainsFunc(r.Judged, func(v claims.Verdict) bool { return v.Words() == words })
}

// Level is what the intervals of verdicts with a relation are.
type Level struct {
	Equal, Every bool // the claims have "="; every row is judged
	Percent      string
}

// Levels are those of the verdicts with an estimate.
func (r *Report) Levels() []Level {
	estimated := lists.Where(r.Judged, func(v claims.Verdict) bool { return plain.Finite(v.Estimate) })
	return lists.Once(lists.Map(estimated, func(v claims.Verdict) Level {
		if v.Level >= 1 {
			return Level{Every: true}
		}
		return Level{Equal: v.Relation == "=", Percent: format.Percent(v.Level)}
	}))
}
