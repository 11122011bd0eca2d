package sections

import (
	"fmt"
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/report/reporttest"
)

// A claim of many verdicts on cells has one row in a long table of verdicts, and one table with
// each cell, below what the intervals are, said once.
func TestManyVerdictsOfAClaim(t *testing.T) {
	var verdicts []claims.Verdict
	for i := range 9 {
		at := reporttest.At("k", fmt.Sprint(i), "method", "nystrom")
		v := claims.Verdict{Claim: "close", Kind: "ratio", Outcome: claims.Holds, Relation: "<=", Target: 1.1, Estimate: 1 + float64(i)/100, Low: 0.9, High: 1.09, Level: 0.955, Repeats: 5, Group: at}
		if i == 4 {
			v.Outcome, v.Reason = claims.Inconclusive, "too wide"
		}
		for m := range 2 {
			v.Cells = append(v.Cells, claims.CellOutcome{Outcome: v.Outcome, Estimate: v.Estimate, Low: v.Low, High: v.High, Target: 1.1, Repeats: 5, P: 1,
				Cell: at.Join(reporttest.At("m", fmt.Sprint(10+m)))})
		}
		verdicts = append(verdicts, v)
	}
	for _, test := range []struct {
		verdicts       []claims.Verdict
		sure, rows, of int // sentences, rows of cells, rows of the table of all
	}{{verdicts, 1, 18, 1}, {verdicts[:4], 1, 8, 4}, {verdicts[:3], 3, 6, 3}} {
		text := markdownOf(test.verdicts)
		if got := strings.Count(text, "**How sure:**"); got != test.sure {
			t.Errorf("%d verdicts: how sure is said %d times, want %d", len(test.verdicts), got, test.sure)
		}
		_, section, _ := strings.Cut(text, "## Claim")
		if got := strings.Count(section, "* | k = ") + strings.Count(section, "| holds | k = "); got != test.rows {
			t.Errorf("%d verdicts: %d rows of cells, want %d", len(test.verdicts), got, test.rows)
		}
		before, _, _ := strings.Cut(text, "## Claim")
		if got := strings.Count(before, "ratio ≤ 1.1"); got != test.of {
			t.Errorf("%d verdicts: %d rows, want %d in\n%s", len(test.verdicts), got, test.of, before)
		}
	}
	text := markdownOf(verdicts)
	for _, want := range []string{"9 values of k: inconclusive 1, holds 8 | between 1.00 and 1.08, each the worst of 2 cells | ratio ≤ 1.1 | ≤ 5 % | 5 |", "All with method Nyström."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func markdownOf(verdicts []claims.Verdict) string {
	run := reporttest.Empty()
	reporttest.Use(&run, "nystrom")
	page := Report(run, verdicts, nil, Claims(verdicts, map[string]bool{}, nil), nil, Answers{}, nil)
	return string(page.Markdown())
}
