package report_test

import (
	"strings"
	"testing"

	"mercer/internal/claims"
	"mercer/report"
)

// A row a slope that was fitted, with what its points follow; none for other verdicts.
func TestRateTable(t *testing.T) {
	slope := claims.Verdict{Claim: "rate", Kind: "slope", Over: "n", Estimate: -0.251, Low: -0.253, High: -0.249, Target: -0.25,
		Relation: "=", Within: 0.02, Outcome: claims.Holds, Shape: "a power times (log n)^-1", Law: &claims.Law{Power: -0.25, Log: -1}, Points: []claims.Point{{X: 915}, {X: 1e8}}}
	out := report.RateTable([]claims.Verdict{slope, {Claim: "near", Kind: "value"}, {Claim: "skipped", Kind: "slope"}}, report.TableOptions{Width: 160})
	for _, want := range []string{"rate", "−0.2510 [−0.2530, −0.2490]", "= −0.25 +/- 0.02, times (log n)^−1", "a power times (log n)^−1", "n 915 to 100000000", "holds"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	if strings.Contains(out, "near") || strings.Contains(out, "skipped") {
		t.Errorf("verdicts without a slope have rows:\n%s", out)
	}
	if out := report.RateTable(nil, report.TableOptions{}); !strings.Contains(out, "no claim") {
		t.Errorf("%q", out)
	}
}
