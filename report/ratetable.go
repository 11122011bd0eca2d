package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// RateTable prints a row a verdict on a slope: the slope with its interval, what is claimed,
// the law that the points follow, and the range of sizes. It fails only when w does.
func RateTable(w io.Writer, verdicts []claims.Verdict, o TableOptions) error {
	o.Width = max(o.Width, minWidth)
	rows := [][]string{{"claim", "where", "slope [interval]", "claimed", "law of the points", "sizes", "verdict"}}
	for _, v := range verdicts {
		if len(v.Points) == 0 {
			continue
		}
		sizes := fmt.Sprintf("%s %s to %s", v.Over, plain.Number(v.Points[0].X), plain.Number(v.Points[len(v.Points)-1].X))
		rows = append(rows, []string{format.ClaimName(v), o.where(v.Group), plainEstimate(v), plainClaimed(v), plain.Text(strings.TrimPrefix(v.Shape, "it goes ")), sizes, v.Words()})
	}
	if len(rows) == 1 {
		_, err := fmt.Fprintln(w, "no claim is on a slope with a verdict")
		return err
	}
	var out bytes.Buffer
	if err := o.table(&out, rows); err != nil {
		return fmt.Errorf("report: table of rates: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}
