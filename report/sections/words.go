package sections

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
	"mercer/report/page"
	"mercer/results"
)

// Claim is one claim with all its verdicts.
type Claim struct {
	id, says, source string
	check, control   bool // it tests the code; it is known to be false
	verdicts         []claims.Verdict
	single           []figure.Figure // of each verdict; empty path where it has none
	combined         []figure.Figure // of several verdicts
}

// mostApart is how many verdicts of a claim each have a part of its section.
const mostApart = 3

// outcome is the one of the claim's verdicts that asks for most attention.
func (s Claim) outcome() string { return claims.WorstWords(s.verdicts) }

// name is the claim's id, and that it is a check or a control.
func (s Claim) name() string {
	switch {
	case s.check:
		return "check " + page.Code(s.id)
	case s.control:
		return "control " + page.Code(s.id)
	}
	return page.Code(s.id)
}

// described is the claim's name with what it says.
func (s Claim) described() string {
	if s.says == "" {
		return s.name()
	}
	return s.name() + ": " + page.Escape(quoted(s.says))
}

// claimOf is the claim of verdicts.
func claimOf(own ...claims.Verdict) Claim {
	v := own[0]
	return Claim{id: v.Claim, says: v.Says, source: v.Source, check: v.Check, control: v.Control, verdicts: own}
}

// Figures are all that are drawn, in the order in which the report shows them.
func (s Claim) Figures() []figure.Figure {
	return slices.DeleteFunc(slices.Concat(s.combined, s.single), func(f figure.Figure) bool { return f.Path == "" })
}

// Claims groups verdicts by claim, in the order in which the claims first
// occur, and lays out their figures, under names that are not taken. Checks that hold and
// controls that are violated have no section.
func Claims(verdicts []claims.Verdict, taken map[string]bool, labels figure.Labels) []Claim {
	sections := byClaim(verdicts)
	for i := range sections {
		s := &sections[i]
		s.single, s.combined = figure.OfClaim(s.id, s.verdicts, taken, labels)
	}
	return sections
}

// byClaim are the claims without their figures.
func byClaim(verdicts []claims.Verdict) []Claim {
	verdicts, _ = claims.Fold(verdicts)
	return lists.Map(lists.By(verdicts, func(v claims.Verdict) string { return v.Claim }), func(own []claims.Verdict) Claim { return claimOf(own...) })
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

// sentence is one of the spec's with the numbers of its claims, as far as they are known; ""
// where none is.
func (p *document) sentence(text string, verdicts []claims.Verdict) string {
	known := 0
	said := configs.Placeholder.ReplaceAllStringFunc(text, func(placeholder string) string {
		id, whether := configs.Placed(placeholder)
		text := ""
		if whether {
			text = p.whetherSo(id, verdicts)
		} else {
			text = p.estimates(id, verdicts)
		}
		if text != "" {
			known++
		}
		return cmp.Or(text, "(not measured here)")
	})
	if known == 0 && said != text {
		return ""
	}
	return format.Negatives(said)
}

// estimates are those of a claim where it applies: of one group with the interval, of few
// groups each with its group, of more the least and the greatest, worded so that nobody takes
// them for an interval. They are "" where one is not known.
func (p *document) estimates(id string, verdicts []claims.Verdict) string {
	own := lists.Where(verdicts, func(v claims.Verdict) bool { return v.Claim == id && v.Outcome != claims.NotApplicable })
	least, greatest := extremes(own)
	switch {
	case len(own) == 1 && least != "" && own[0].Noun() != "coverage":
		return format.Estimate(own[0])
	case least == greatest:
		return least
	}
	shared, numbers := format.SharedBy(own), format.Even(lists.Map(own, estimated))
	places := lists.Map(own, func(v claims.Verdict) string {
		return format.BesideWhere(p.labels.Where(format.Without(v.Group, shared)))
	})
	var texts []string
	for i, v := range own {
		switch {
		case len(own) <= mostApart && !slices.Contains(places, ""):
			texts = append(texts, fmt.Sprintf("%s (%s)", numbers[i], places[i]))
		case len(own) <= mostTargets && apartTargets(own):
			inside := strings.TrimPrefix(places[i]+", claimed ", ", ") + format.Minus(format.Number(v.Target))
			texts = append(texts, fmt.Sprintf("%s (%s)", estimated(v), inside))
		}
	}
	if len(texts) > 0 {
		return format.Joined(texts)
	}
	return fmt.Sprintf("between %s and %s (%d %s)", least, greatest, len(own), p.apart(own, shared))
}

// mostTargets is how many estimates an answer lists with group and what is claimed of each.
const mostTargets = 6

// apartTargets says that claims of equality differ in what they claim: their estimates
// have no range together.
func apartTargets(verdicts []claims.Verdict) bool {
	return slices.ContainsFunc(verdicts, func(v claims.Verdict) bool { return v.Relation == "=" && v.Target != verdicts[0].Target })
}

// apart says what tells verdicts apart, where that is one coordinate: "methods".
func (p *document) apart(verdicts []claims.Verdict, shared results.Key) string {
	differ := map[string]bool{}
	for _, v := range verdicts {
		for name := range format.Without(v.Group, shared).All() {
			differ[name] = true
		}
	}
	for name := range differ {
		switch {
		case len(differ) > 1:
		case name == "dataset":
			return "data sets"
		case name == "kernel" || name == "method":
			return name + "s"
		default:
			return "values of " + p.labels.Variable(name)
		}
	}
	return "settings"
}

// extremes are the least and the greatest estimate of verdicts, "" where one is not known.
func extremes(verdicts []claims.Verdict) (least, greatest string) {
	if len(verdicts) == 0 || slices.ContainsFunc(verdicts, func(v claims.Verdict) bool { return !plain.Finite(v.Estimate) }) {
		return "", ""
	}
	by := func(a, b claims.Verdict) int { return cmp.Compare(a.Estimate, b.Estimate) }
	return estimated(slices.MinFunc(verdicts, by)), estimated(slices.MaxFunc(verdicts, by))
}

// estimated is the estimate of a verdict in at most the digits that its table shows, a
// coverage as a percentage.
func estimated(v claims.Verdict) string {
	if v.Noun() == "coverage" {
		return format.Percent(v.Estimate)
	}
	short := format.Minus(format.Number(v.Estimate))
	if v.Low < v.High {
		short = format.Minus(format.Padded(v.Estimate))
	}
	if known, _, _ := strings.Cut(format.Estimate(v), " ["); len(known) < len(short) {
		return known
	}
	return short
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
		return fmt.Sprintf("%s hold; the first: %s.", plain.Capital(allClaims(len(holding))), quotes(holding[:1]))
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
	return strings.Join(parts, "; ") + "."
}

// allClaims are several, by their number.
func allClaims(count int) string {
	return cmp.Or(map[int]string{2: "both"}[count], fmt.Sprintf("all %d", count)) + " claims"
}

// heldControls names the controls that hold, in a sentence; none where none does.
func heldControls(sections []Claim) []string {
	held := ofOutcome(sections, claims.ControlHolds)
	if len(held) == 0 {
		return nil
	}
	text := plain.Count(len(held), "control holds", "controls hold") + ": " + quotes(held)
	return []string{text + "; known to be false, this experiment cannot tell " + map[bool]string{true: "it", false: "them"}[len(held) == 1] + " from what is true."}
}

// quotes are what the first of some claims say.
func quotes(list []Claim) string {
	said := lists.Map(list[:min(len(list), mostNamed)], func(s Claim) string { return quoted(cmp.Or(s.says, s.id)) })
	text := strings.Join(said, ", ")
	if more := len(list) - len(said); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
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

// said is a sentence of a verdict or a record without its full stop, with true minus signs and
// the letters of sizes.
func (p *document) said(text string) string {
	return strings.TrimSuffix(page.Escape(p.labels.Letters(format.Negatives(text))), ".")
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
	text := format.Estimate(v)
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
	text := page.Escape(strings.TrimSpace(v.Noun()+" "+format.RelationSign(v.Relation)+" "+format.Claimed(v)) + format.Negatives(v.Factor()))
	if trivial := trivialText(v); trivial != "" {
		text += "; " + trivial
	}
	return text
}

func urgentFirst(v claims.Verdict) []claims.CellOutcome {
	return slices.SortedStableFunc(slices.Values(v.Cells), func(a, b claims.CellOutcome) int {
		return format.MoreUrgent(a, b, v.Relation)
	})
}

// cell is the row of one cell of a verdict.
func (p *document) cell(c claims.CellOutcome, relation string, where results.Key) []string {
	claimed, interval := format.None, format.Interval(c.Estimate, c.Low, c.High)
	if relation != "=" {
		interval = format.Interval(c.Estimate, c.Low, c.High, c.Target)
	}
	if plain.Finite(c.Target) {
		claimed = strings.TrimSpace(format.RelationSign(relation) + " " + format.Minus(plain.Claimed(c.Target, c.Estimate, c.Low, c.High)))
	}
	return []string{page.Outcome(c.Words()), cmp.Or(p.where(where), format.None), interval,
		claimed, fmt.Sprint(c.Repeats), format.Number(c.P)}
}
