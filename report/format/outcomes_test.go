package format

import (
	"testing"

	"mercer/internal/claims"
)

// An estimate has the digits that its interval gives meaning to; what is claimed is written as it is.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		target, within, estimate, low, high float64
		wantTarget, want                    string
	}{
		{1.0005, 0., 1.0000142, 1.00001, 1.0000195, "1.0005", "1.00001 [1.00001, 1.00002]"},
		{1., 0., 1.00001, 0.9, 1.1, "1", "1.00 [0.90, 1.10]"},
		{0.278813, 0.00001, 0.2788137, 0.278811, 0.2788151, "0.278813 ± 1e−05", "0.278814 [0.278811, 0.278815]"},
		{0.278811, 0., 0.278812, 0.278812, 0.278812, "0.278811", "0.278812 [0.278812, 0.278812]"},
		{-0.25, 0.08, -0.262, -0.2743, -0.2497, "−0.25 ± 0.08", "−0.262 [−0.274, −0.250]"},
	} {
		v := claims.Verdict{Target: test.target, Within: test.within, Estimate: test.estimate, Low: test.low, High: test.high}
		if got := Claimed(v); got != test.wantTarget {
			t.Errorf("claimed %s; want %s", got, test.wantTarget)
		}
		if got := Estimate(v); got != test.want {
			t.Errorf("%s; want %s", got, test.want)
		}
	}
}
