package views

import (
	"slices"
	"strconv"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// LeastValues are the answers to the targets of the spec, a row each.
type LeastValues struct {
	Table
	Says   []string // of the targets
	Theory bool
	Wrong  []string // in what shares of runs an end is
}

func (r *Report) LeastValues() LeastValues {
	v := LeastValues{
		Table:  Table{Columns: columns("Target", "Where", "At", ">Interval", ">Values tested", ">Theory, up to a factor")},
		Says:   lists.Once(lists.Map(r.Answers, func(a claims.Answer) string { return r.Names.Says(a.Says) })),
		Wrong:  lists.Once(lists.Map(r.Answers, func(a claims.Answer) string { return format.Percent(a.Wrong) })),
		Theory: slices.ContainsFunc(r.Answers, func(a claims.Answer) bool { return a.Theory != nil }),
	}
	for _, a := range r.Answers {
		theory := ""
		if a.Theory != nil {
			theory = format.Number(*a.Theory)
		}
		row := Row("", r.Names.Where(a.Group), r.Names.labels.Variable(a.Over)+" = "+plain.Six(a.At), strings.ReplaceAll(a.Interval(), "<=", "≤"), strconv.Itoa(a.Tested), theory)
		row[0] = r.Names.Called(a.Target)
		v.Rows = append(v.Rows, row)
	}
	v.Table = v.Table.filled()
	return v
}
