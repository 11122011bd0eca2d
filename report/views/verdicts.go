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
	return r.allOf(lists.Where(r.Judged, func(v claims.Verdict) bool {
		return !slices.ContainsFunc(r.open, func(o claims.Verdict) bool { return o.Claim == v.Claim })
	}))
}

func (r *Report) allOf(verdicts []claims.Verdict) Table {
	t := r.verdictTable(bySeverity(verdicts), long, "Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Bound/trivial", ">Wrong in", ">Repeats")
	t.Most = mostVerdicts
	return t
}

// Brief is Verdicts in few columns, the outcome last, in the order of the spec.
func (r *Report) Brief() Table {
	return r.verdictTable(r.open, brief, "Claim", "Where", "Estimate [interval]", "Claimed", "Verdict")
}

// Slopes has a row a verdict on a slope: the slope, what is claimed, and the range of sizes.
func (r *Report) Slopes() Table {
	slopes := lists.Where(r.Judged, func(v claims.Verdict) bool { return len(v.Points) > 0 })
	return r.verdictTable(slopes, brief, "Claim", "Where", "Slope [interval]", "Claimed", "Sizes", "Verdict")
}

// length is how much a cell of a table of verdicts says: a terminal has room for little.
type length bool

const (
	long  length = true
	brief length = false
)

// verdictTable has a row a verdict. The heads of its columns say what is in them, see about.
func (r *Report) verdictTable(verdicts []claims.Verdict, l length, heads ...string) Table {
	t := Table{Columns: columns(heads...), File: format.VerdictsTable}
	known := map[string]bool{} // claims whose text is in an earlier row
	for _, v := range verdicts {
		if known[v.Claim] {
			v.Says = ""
		}
		known[v.Claim] = true
		t.Rows = append(t.Rows, lists.Map(t.Columns, func(c Column) Cell { return r.about(v, c.Head.Text, l) }))
	}
	return t.filled()
}

// about is what a table says of a verdict in the column with a head.
func (r *Report) about(v claims.Verdict, head string, l length) Cell {
	switch {
	case head == "Verdict":
		return Cell{Text: v.Words(), Mark: Outcome}
	case head == "Claim" && l == long && v.Says != "":
		return Cell{Text: v.Claim, Mark: Code, After: ": “" + r.Names.Says(v.Says) + "”"}
	case head == "Claim" && l == long:
		return Cell{Text: v.Claim, Mark: Code}
	}

	text := ""
	switch head {
	case "Claim":
		text = format.ClaimName(v)
	case "Where":
		if text = r.Place(v); l == brief {
			text = r.Names.Brief(format.Without(v.Group, r.setting))
		}
	case "Estimate [interval]", "Slope [interval]", "Coverage [interval]":
		if text = format.Estimate(v); text != format.None && len(v.Cells) > 1 && l == long {
			text += fmt.Sprintf(", worst of %d cells", len(v.Cells))
		}
	case "Claimed":
		if text = claimed(v); l == long && text != "" {
			text = strings.TrimSpace(v.Noun() + " " + text)
		}
	case "Wrong in":
		if rate := Wrong(v); rate != "" {
			text = "≤ " + rate
		}
	case "Repeats":
		if v.Answers == 0 {
			text = fmt.Sprint(v.Repeats)
		}
	case "p (Holm)":
		if v.P != nil {
			text = format.Number(*v.P)
		}
	case "Rejected with 80 % power":
		text = format.Rejects(v)
	case "Bound/trivial":
		if v.Trivial != nil && v.Trivial.Low != nil {
			text = format.Range("%.4g", *v.Trivial.Low, *v.Trivial.High)
		}
	case "measured/bound", "bound/measured":
		text = optional(v.Tightness)
	case "Sizes":
		text = v.Over + " " + plain.Number(v.Points[0].X) + " to " + plain.Number(v.Points[len(v.Points)-1].X)
	}
	return Cell{Text: cmp.Or(text, format.None)}
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
func (r *Report) Open() []claims.Verdict { return bySeverity(r.OpenOf(r.open)) }

// OpenOf are the verdicts of some that do not hold.
func (r *Report) OpenOf(verdicts []claims.Verdict) []claims.Verdict {
	return lists.Where(verdicts, func(v claims.Verdict) bool { return v.Words() != string(claims.Holds) && v.Reason != "" })
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
