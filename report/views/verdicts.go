package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/inference"
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
	t := r.verdictTable(bySeverity(verdicts), long, outcomeField, claimField, whereField, estimateField, claimedField, trivialField, wrongField, repeatsField)
	t.Most = mostVerdicts
	return t
}

// Brief is Verdicts in few columns, the outcome last, in the order of the spec.
func (r *Report) Brief() Table {
	return r.verdictTable(r.open, brief, claimField, whereField, estimateField, claimedField, outcomeField)
}

// length is how much a cell of a table of verdicts says: a terminal has room for little.
type length bool

const (
	long  length = true
	brief length = false
)

// field is a column of a table of verdicts, and what it says of each.
type field struct {
	head string // to the right after >
	of   func(r *Report, v claims.Verdict, l length) Cell
}

// inText is a cell of plain text.
func inText(of func(r *Report, v claims.Verdict, l length) string) func(*Report, claims.Verdict, length) Cell {
	return func(r *Report, v claims.Verdict, l length) Cell { return Cell{Text: cmp.Or(of(r, v, l), format.None)} }
}

// headed is the field under another head.
func (f field) headed(head string) field {
	f.head = head
	return f
}

// The fields of verdicts.
var (
	outcomeField = field{"Verdict", func(_ *Report, v claims.Verdict, _ length) Cell { return Cell{Text: v.Words(), Mark: Outcome} }}
	claimField   = field{"Claim", func(r *Report, v claims.Verdict, l length) Cell {
		switch {
		case l == brief:
			return Cell{Text: format.ClaimName(v)}
		case v.Says == "":
			return Cell{Text: v.Claim, Mark: Code}
		}
		return Cell{Text: v.Claim, Mark: Code, After: ": “" + r.Names.Says(v.Says) + "”"}
	}}
	whereField = field{"Where", inText(func(r *Report, v claims.Verdict, l length) string {
		if l == brief {
			return r.Names.Brief(format.Without(v.Group, r.setting))
		}
		return r.Place(v)
	})}
	estimateField = field{"Estimate [interval]", inText(func(_ *Report, v claims.Verdict, l length) string {
		text := format.Estimate(v)
		if text != format.None && len(v.Cells) > 1 && l == long {
			text += fmt.Sprintf(", worst of %d cells", len(v.Cells))
		}
		return text
	})}
	claimedField = field{"Claimed", inText(func(_ *Report, v claims.Verdict, l length) string {
		text := claimed(v)
		if l == long && text != "" {
			text = strings.TrimSpace(v.Noun() + " " + text)
		}
		return text
	})}
	wrongField = field{">Wrong in", inText(func(_ *Report, v claims.Verdict, _ length) string {
		if rate := Wrong(v); rate != "" {
			return "≤ " + rate
		}
		return ""
	})}
	repeatsField = field{">Repeats", inText(func(_ *Report, v claims.Verdict, _ length) string {
		if v.Answers > 0 {
			return ""
		}
		return fmt.Sprint(v.Repeats)
	})}
	pField = field{">p (Holm)", inText(func(_ *Report, v claims.Verdict, _ length) string {
		if v.P == nil {
			return ""
		}
		return format.Number(*v.P)
	})}
	trivialField = field{"Bound/trivial", inText(func(_ *Report, v claims.Verdict, _ length) string {
		if v.Trivial == nil || v.Trivial.Low == nil {
			return ""
		}
		return format.Range("%.4g", *v.Trivial.Low, *v.Trivial.High)
	})}
	tightnessField = field{">measured/bound", inText(func(_ *Report, v claims.Verdict, _ length) string { return optional(v.Tightness) })}
)

// verdictTable has a row a verdict. A claim's text stands in its first one.
func (r *Report) verdictTable(verdicts []claims.Verdict, l length, fields ...field) Table {
	t := Table{Columns: columns(lists.Map(fields, func(f field) string { return f.head })...), File: format.VerdictsTable}
	known := map[string]bool{} // claims whose text is in an earlier row
	for _, v := range verdicts {
		if known[v.Claim] {
			v.Says = ""
		}
		known[v.Claim] = true
		t.Rows = append(t.Rows, lists.Map(fields, func(f field) Cell { return f.of(r, v, l) }))
	}
	return t.filled()
}

// claimed is what a verdict was held against: "≤ 1.25", "= −0.25 ± 0.02".
func claimed(v claims.Verdict) string {
	if !plain.Finite(v.Target) || v.Relation == "" {
		return ""
	}
	return format.RelationSign(v.Relation) + " " + format.Claimed(v) + format.Negatives(v.Factor())
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

// Next is the step that settles most. Of verdicts that lack repeats it is that of the one that lacks
// most.
func (r *Report) Next() Step {
	steps := lists.Where(r.Open(), func(v claims.Verdict) bool { return v.Settle != "" })
	repeats := func(v claims.Verdict) bool { return v.Need > 0 && v.Need <= inference.MaxRepeats }
	var next []claims.Verdict
	for _, same := range lists.By(steps, func(v claims.Verdict) string {
		if repeats(v) {
			return ""
		}
		return v.Settle
	}) {
		if len(same) > len(next) {
			next = same
		}
	}
	if len(next) == 0 {
		return Step{}
	}
	most := slices.MaxFunc(next, func(a, b claims.Verdict) int { return cmp.Compare(a.Need, b.Need) })
	return Step{most.Settle, len(next), len(steps)}
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
