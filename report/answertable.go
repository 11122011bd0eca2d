package report

import (
	"strconv"
	"strings"

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
		rows = append(rows, []string{plain.Text(a.Target), o.where(a.Group), a.Over + " = " + plain.Six(a.At), a.Full(), strconv.Itoa(a.Tested)})
	}
	var out strings.Builder
	out.WriteString(o.rows(rows))
	writeWrapped(&out, "", claims.TakenForGranted, o.Width)
	return out.String()
}
