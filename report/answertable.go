package report

import (
	"fmt"
	"io"
	"strconv"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// AnswerTable prints a row an answer to a target; nothing for none.
func AnswerTable(w io.Writer, answers []claims.Answer) error {
	if len(answers) == 0 {
		return nil
	}
	var rows [][]string
	for _, a := range answers {
		rows = append(rows, []string{plain.Text(a.Target), format.ShortWhere(a.Group), a.Over + " = " + plain.Number(a.At), a.Interval(), strconv.Itoa(a.Tested)})
	}
	if err := plain.Table(w, []string{"target", "where", "at", "interval", "tested"}, rows); err != nil {
		return fmt.Errorf("report: answers: %w", err)
	}
	return nil
}
