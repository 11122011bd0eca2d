package views

import (
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

// judged are the verdicts of all claims that have a section.
func (r *Report) judged() []claims.Verdict {
	return slices.Concat(lists.Map(r.Claims, func(c Claim) []claims.Verdict { return c.Verdicts })...)
}

// Setting is the data set and the kernel that all verdicts share, of a run with several.
func (r *Report) Setting() string { return r.Names.Where(format.Setting(r.judged())) }

// Verdicts are a row a verdict, those that ask for most attention first.
func (r *Report) Verdicts() Table { return r.verdictTable(r.judged()) }

// Folded are the checks that hold and the controls that are violated.
func (r *Report) Folded() Table {
	open := r.judged()
	return r.verdictTable(lists.Where(r.Judged, func(v claims.Verdict) bool {
		return !slices.ContainsFunc(open, func(o claims.Verdict) bool { return o.Claim == v.Claim })
	}))
}

func (r *Report) verdictTable(verdicts []claims.Verdict) Table {
	common := format.Setting(r.judged())
	t := Table{Columns: columns("Verdict", "Claim", "Where", "Estimate [interval]", "Claimed", "Bound/trivial", ">Wrong in", ">Repeats"), Most: mostVerdicts, File: format.VerdictsTable}
	said := map[string]bool{}
	for _, v := range slices.SortedStableFunc(slices.Values(verdicts), bySeverity) {
		claim := Cell{Text: v.Claim, Mark: Code}
		if v.Says != "" && !said[v.Claim] {
			claim.After = ": “" + r.Names.Says(v.Says) + "”"
		}
		said[v.Claim] = true
		row := Row("", r.Names.Where(format.Without(v.Group, common)), estimate(v), claimed(v), trivial(v), wrong(v), repeats(v))
		t.Rows = append(t.Rows, slices.Concat([]Cell{{Text: v.Words(), Mark: Outcome}, claim}, row[1:]))
	}
	return t.filled()
}

// Brief is Verdicts in few columns, the outcome last.
func (r *Report) Brief() Table {
	common := format.Setting(r.judged())
	t := Table{Columns: columns("Claim", "Where", "Estimate [interval]", "Claimed", "Verdict")}
	for _, c := range r.Claims {
		for _, v := range c.Verdicts {
			target := ""
			if plain.Finite(v.Target) && v.Relation != "" {
				target = format.RelationSign(v.Relation) + " " + format.Claimed(v) + format.Negatives(v.Factor())
			}
			row := Row(format.ClaimName(v), r.Names.Brief(format.Without(v.Group, common)), format.Estimate(v), target)
			t.Rows = append(t.Rows, append(row, Cell{Text: v.Words(), Mark: Outcome}))
		}
	}
	return t.filled()
}

// Slopes has a row a verdict on a slope: the slope, what is claimed, and the range of sizes.
func (r *Report) Slopes() Table {
	t := Table{Columns: columns("Claim", "Where", "Slope [interval]", "Claimed", "Sizes", "Verdict")}
	for _, v := range r.Judged {
		if len(v.Points) == 0 {
			continue
		}
		target := format.RelationSign(v.Relation) + " " + format.Claimed(v) + format.Negatives(v.Factor())
		sizes := v.Over + " " + plain.Number(v.Points[0].X) + " to " + plain.Number(v.Points[len(v.Points)-1].X)
		row := Row(format.ClaimName(v), r.Names.Brief(v.Group), format.Estimate(v), target, sizes)
		t.Rows = append(t.Rows, append(row, Cell{Text: v.Words(), Mark: Outcome}))
	}
	return t
}

// Open are the verdicts that do not hold, in the order of the table.
func (r *Report) Open() []Part {
	var open []Part
	for _, c := range r.Claims {
		open = append(open, r.OpenOf(c)...)
	}
	slices.SortStableFunc(open, func(a, b Part) int { return bySeverity(a.Verdict, b.Verdict) })
	return open
}

// OpenOf are the verdicts of a claim that do not hold.
func (r *Report) OpenOf(c Claim) (open []Part) {
	common := format.Setting(r.judged())
	for _, v := range c.Verdicts {
		if v.Words() != string(claims.Holds) && v.Reason != "" {
			open = append(open, Part{Verdict: v, Where: r.Names.Where(format.Without(v.Group, common))})
		}
	}
	return open
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

// estimate is a verdict's estimate and interval.
func estimate(v claims.Verdict) string {
	text := format.Estimate(v)
	if text != format.None && len(v.Cells) > 1 {
		text += fmt.Sprintf(", worst of %d cells", len(v.Cells))
	}
	return text
}

// claimed is what a verdict was held against, "slope = −0.25 ± 0.02".
func claimed(v claims.Verdict) string {
	if !plain.Finite(v.Target) || v.Relation == "" {
		return ""
	}
	return strings.TrimSpace(v.Noun()+" "+format.RelationSign(v.Relation)+" "+format.Claimed(v)) + format.Negatives(v.Factor())
}

// trivial is how a bound compares with what every estimator satisfies.
func trivial(v claims.Verdict) string {
	if v.Trivial == nil || v.Trivial.Low == nil {
		return ""
	}
	return format.Range("%.4g", *v.Trivial.Low, *v.Trivial.High)
}

// wrong is in what share of runs such a verdict is wrong, over all looks.
func wrong(v claims.Verdict) string {
	rate, calls := v.WrongCall()
	if !calls {
		return ""
	}
	return "≤ " + format.Percent(rate)
}

// repeats are those of a verdict; one on answers has none of its own.
func repeats(v claims.Verdict) string {
	if v.Answers > 0 {
		return ""
	}
	return fmt.Sprint(v.Repeats)
}
