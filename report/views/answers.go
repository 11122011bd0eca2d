package views

import (
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// LeastValues are the answers to the targets of the spec, a row each.
func (r *Report) LeastValues() Table {
	t := Table{Columns: columns("Target", "Where", "At", ">Interval", ">Tested", ">Theory, if its constant is 1", ">Wrong in")}
	for _, a := range r.Answers {
		row := Row("", r.Names.Where(a.Group), r.Names.labels.Variable(a.Over)+" = "+plain.Six(a.At), strings.ReplaceAll(a.Interval(), "<=", "≤"), strconv.Itoa(a.Tested), theory(a), "≤ "+format.Percent(a.Wrong))
		row[0] = r.Names.Called(a.Target)
		t.Rows = append(t.Rows, row)
	}
	return t.filled()
}

// theory is what a theorem has for an answer, with 1 for the constant that it leaves open.
func theory(a claims.Answer) string {
	if a.Theory == nil {
		return ""
	}
	return format.Number(*a.Theory)
}
