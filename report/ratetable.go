package report

import (
	"fmt"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// RateTable is a row a verdict on a slope: the slope with its interval, what is claimed,
// the law that the points follow, and the range of sizes.
func RateTable(verdicts []claims.Verdict, o TableOptions) string {
	o.Width = max(o.Width, minWidth)
	rows := [][]string{{"claim", "where", "slope [interval]", "claimed", "law of the points", "sizes", "verdict"}}
	for _, v := range verdicts {
		if len(v.Points) == 0 {
			continue
		}
		sizes := fmt.Sprintf("%s %s to %s", v.Over, plain.Number(v.Points[0].X), plain.Number(v.Points[len(v.Points)-1].X))
		rows = append(rows, []string{format.ClaimName(v), o.where(v.Group), plainEstimate(v), plainClaimed(v), plain.Text(format.Negatives(strings.TrimPrefix(v.Shape, "it goes "))), sizes, v.Words()})
	}
	if len(rows) == 1 {
		return "no claim is on a slope with a verdict\n"
	}
	return o.table(rows)
}
