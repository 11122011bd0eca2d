package sections

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/figure"
	"mercer/report/format"
	"mercer/report/page"
)

// Answers are those to the targets of a spec, and their figures.
type Answers struct {
	List    []claims.Answer
	Figures []figure.Figure
}

// answers writes a figure for each pair of variables, and a row for each answer.
func (p *document) answers(a Answers) {
	if len(a.List) == 0 {
		return
	}
	p.Heading(2, "Least values")
	for _, text := range lists.Once(lists.Map(a.List, func(one claims.Answer) string { return page.Escape(p.labels.Sentence(one.Says)) })) {
		if text != "" {
			p.Para("%s.", text)
		}
	}
	for _, f := range a.Figures {
		p.Figure(f)
	}
	p.Para("Each row is an interval: from the largest value at which the statement fails to the least at which it holds; %s. %s %s.", claims.TakenForGranted, sureAnswers(a.List), page.Link(format.AnswersTable, "Numbers"))
	theory := slices.ContainsFunc(a.List, func(one claims.Answer) bool { return one.Theory != nil })
	header := []string{"Target", "Where", "At", "Interval", "Values tested"}
	if theory {
		header = append(header, "Theory, up to a factor")
		p.Para("The theory leaves a constant factor open; the last column and the dashed curve take 1 for it. Compare growth, not size.")
	}
	alone := len(lists.Once(lists.Map(a.List, func(one claims.Answer) string { return one.Target }))) == 1
	var rows [][]string
	for _, one := range a.List {
		target := p.called(one.Target)
		if alone { // what is sought is said above
			target = ""
		}
		row := []string{target, p.where(one.Group), p.called(one.Over) + " = " + plain.Six(one.At), page.Escape(strings.ReplaceAll(one.Full(), "<=", "≤")), strconv.Itoa(one.Tested)}
		if theory {
			text := format.None
			if one.Theory != nil {
				text = format.Number(*one.Theory)
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	p.CutTable(page.Table{Align: "llllrr"[:len(header)], Header: header, Rows: rows, Cards: true})
}

// leastValues say of each target what was found where the variable that it is sought over is
// largest, in each group: a target and group alone with what its numbers count, if the label
// of the variable has words for that, several with their names.
func (p *document) leastValues(answers []claims.Answer) (said []string) {
	groups := lists.By(answers, func(a claims.Answer) string { return a.Target + " " + a.Group.String() })
	for _, group := range groups[:min(len(groups), mostWinners)] {
		a := slices.MaxFunc(group, func(a, b claims.Answer) int { return cmp.Compare(a.At, b.At) })
		text := plain.Capital(strings.TrimSpace(between(a) + " " + p.labels.Counts(a.Find)))
		if len(groups) > 1 {
			name := p.plainly(a.Target)
			if name != a.Target { // no id
				name = plain.Capital(name)
			}
			where := name + ", " + format.ShortWhere(p.labels.Where(format.Told(a.Group, p.several)))
			text = strings.TrimSuffix(where, ", ") + ": " + between(a)
		}
		said = append(said, fmt.Sprintf("%s at %s = %s.", text, p.labels.Variable(a.Over), large(a.At)))
	}
	if more := len(groups) - len(said); more > 0 {
		said = append(said, plain.Count(more, "further answer is", "further answers are")+" below.")
	}
	return said
}

// between is the interval of an answer in words.
func between(a claims.Answer) string {
	switch {
	case a.Open || len(a.Against) > 0 || a.Fails == nil && a.Holds == nil:
		return a.Interval()
	case a.Fails == nil:
		return "at most " + large(*a.Holds)
	case a.Holds == nil:
		return "more than " + large(*a.Fails)
	}
	low, high := large(*a.Fails), large(*a.Holds)
	if low == high {
		low, high = format.Number(*a.Fails), format.Number(*a.Holds)
	}
	if number, is := strings.CutSuffix(low, million); is && strings.HasSuffix(high, million) {
		low = number
	}
	return fmt.Sprintf("between %s and %s", low, high)
}

const million = " million"

// large is a number of two digits as people say it, if it is a large one.
func large(v float64) string {
	switch {
	case v >= 1e9:
		digits, power, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e+")
		return strings.TrimPrefix(strings.TrimSuffix(digits, ".0")+"·10^", "1·") + strings.TrimLeft(power, "0")
	case v >= 1e6:
		return plain.Number(format.RoundedTo(v/1e6, 2)) + million
	}
	return plain.Six(v)
}

// sureAnswers says how sure the ends of answers are.
func sureAnswers(answers []claims.Answer) string {
	rates := lists.Once(lists.Map(answers, func(a claims.Answer) string { return format.Percent(a.Wrong) }))
	return fmt.Sprintf("Each end is wrong in at most %s of runs.", strings.Join(rates, " or "))
}

// AnswersCSV has a row for each answer.
func AnswersCSV(answers []claims.Answer) []byte {
	rows := [][]string{{"target", "group", "over", "at", "find", "fails", "holds", "least", "most", "tested", "wrong", "theory", "open", "against"}}
	for _, a := range answers {
		rows = append(rows, []string{a.Target, a.Group.String(), a.Over, format.Value(a.At), a.Find, format.OptionalValue(a.Fails), format.OptionalValue(a.Holds),
			format.Value(a.Least), format.Value(a.Most), strconv.Itoa(a.Tested), format.Value(a.Wrong), format.OptionalValue(a.Theory), strconv.FormatBool(a.Open), strings.Join(lists.Map(a.Against, format.Value), " ")})
	}
	return CSVText(rows)
}
