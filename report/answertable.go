package report

import (
	"strconv"

	"mercer/internal/claims"
	"mercer/internal/plain"
)

// AnswerTable is a row an answer to a target; nothing for none.
func AnswerTable(answers []claims.Answer, o TableOptions) string {
	if len(answers) == 0 {
		return ""
	}
	rows := [][]string{{"target", "where", "at", "interval", "tested"}}
	for _, a := range answers {
		rows = append(rows, []string{plain.Text(a.Target), o.where(a.Group), a.Over + " = " + plain.Number(a.At), a.Full(), strconv.Itoa(a.Tested)})
	}
	return o.rows(rows)
}
