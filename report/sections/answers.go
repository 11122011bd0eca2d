package sections

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/internal/selection"
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
	var said []string
	for _, one := range a.List {
		if text := page.Escape(one.Says); text != "" && !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	for _, text := range said {
		p.Para("%s.", text)
	}
	for _, f := range a.Figures {
		p.Figure(f)
	}
	p.Para("Each row is an interval: from the largest value at which the statement fails to the least at which it holds. %s %s.", sureAnswers(a.List), page.Link(format.AnswersTable, "Numbers"))
	theory := slices.ContainsFunc(a.List, func(one claims.Answer) bool { return one.Theory != nil })
	header := []string{"Target", "Where", "At", "Interval", "Values tested"}
	if theory {
		header = append(header, "Theory")
	}
	var rows [][]string
	for _, one := range a.List {
		row := []string{p.called(one.Target), p.where(one.Group), p.called(one.Over) + " = " + plain.Number(one.At), page.Escape(strings.ReplaceAll(one.Interval(), "<=", "≤")), strconv.Itoa(one.Tested)}
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

// sureAnswers says how sure the ends of answers are.
func sureAnswers(answers []claims.Answer) string {
	var rates []string
	for _, a := range answers {
		if text := format.Percent(a.Wrong); !slices.Contains(rates, text) {
			rates = append(rates, text)
		}
	}
	return fmt.Sprintf("Each end is wrong in at most %s of runs.", strings.Join(rates, " or "))
}

// AnswersCSV has a row for each answer.
func AnswersCSV(answers []claims.Answer) []byte {
	rows := [][]string{{"target", "group", "over", "at", "find", "fails", "holds", "least", "most", "tested", "wrong", "theory", "open"}}
	for _, a := range answers {
		rows = append(rows, []string{a.Target, selection.Describe(a.Group), a.Over, format.Value(a.At), a.Find, format.OptionalValue(a.Fails), format.OptionalValue(a.Holds),
			format.Value(a.Least), format.Value(a.Most), strconv.Itoa(a.Tested), format.Value(a.Wrong), format.OptionalValue(a.Theory), strconv.FormatBool(a.Open)})
	}
	return CSVText(rows)
}
