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
		{"ratio", 1.1, 0, nil, end(1.111e7), "nothing of practical size (3 repeats)"},
		{"ratio", 2, 0, end(2.505e-30), nil, "nothing of practical size (3 repeats)"},
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
