package format

import (
	"testing"

	"mercer/internal/claims"
)

// TestRejects leaves out ends that are farther from the claim than any effect of practical size.
func TestRejects(t *testing.T) {
	end := func(v float64) *float64 { return &v }
	for _, test := range []struct {
		kind           string
		target, within float64
		low, high      *float64
		want           string
	}{
		{"ratio", 1.1, 0, nil, end(1.4), "> 1.4"},
		{"ratio", 1.1, 0, nil, end(1.111e7), "nothing within a factor of 10 of the claim"},
		{"ratio", 2, 0, end(2.505e-30), nil, "nothing within a factor of 10 of the claim"},
		{"ratio", 1, 0.1, end(0.01), end(1.5), "> 1.5"},
		{"slope", 0.125, 0.1, end(-0.05), end(0.3), "< −0.05 or > 0.3"},
		{"slope", 0, 0, end(-40), nil, "< −40"},
		{"ratio", 1.1, 0, nil, nil, ""},
	} {
		v := claims.Verdict{Kind: test.kind, Target: test.target, Within: test.within, Repeats: 3, Detectable: &claims.Detectable{Low: test.low, High: test.high}}
		if got := Rejects(v); got != test.want {
			t.Errorf("%q; want %q", got, test.want)
		}
	}
}

// No claimed number is rounded until it equals an estimate that differs from it.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		target, within, estimate, low, high float64
		wantTarget, want                    string
	}{
		{1.0005, 0., 1.0000142, 1.00001, 1.0000195, "1.0005", "1.0000 [1.0000, 1.0000]"},
		{1., 0., 1.00001, 0.9, 1.1, "1", "1.00001 [0.90000, 1.10000]"},
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
