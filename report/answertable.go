package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"mercer/internal/claims"
	"mercer/internal/plain"
)

// AnswerTable prints a row an answer to a target; nothing for none.
func AnswerTable(w io.Writer, answers []claims.Answer, o TableOptions) error {
	if len(answers) == 0 {
		return nil
	}
	rows := [][]string{{"target", "where", "at", "interval", "tested"}}
	for _, a := range answers {
		rows = append(rows, []string{plain.Text(a.Target), o.where(a.Group), a.Over + " = " + plain.Number(a.At), a.Interval(), strconv.Itoa(a.Tested)})
	}
	var out bytes.Buffer
	err := o.rows(&out, rows)
	if err == nil {
		_, err = w.Write(out.Bytes())
	}
	if err != nil {
		return fmt.Errorf("report: answers: %w", err)
	}
	return nil
}
