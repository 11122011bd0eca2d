package metrics

import (
	"math"
	"testing"
)

// TestRanges: what has a range exists, and intervals are cut there alone.
func TestRanges(t *testing.T) {
	outputs := map[string]bool{}
	for _, m := range Registry {
		for _, name := range m.Outputs {
			outputs[name] = true
		}
	}
	for name := range ranges {
		if _, measure := Registry[name]; !measure && !outputs[name] {
			t.Errorf("%s is neither a measure nor an output", name)
		}
	}
	for _, test := range []struct {
		metric                     string
		low, high, least, greatest float64
	}{
		{"silhouette", -1.5, 1.2, -1, 1},
		{"separation", -1.5, 1.2, -1.5, 1.2},
		{"rand_test", -0.1, 1.1, 0, 1},
		{"recon_l2", -3, 7, 0, 7},
		{"skp_excess", -3, 7, -3, 7},
	} {
		if low, high := Clip(test.metric, test.low, test.high); low != test.least || high != test.greatest {
			t.Errorf("%s: [%g, %g] is cut to [%g, %g]", test.metric, test.low, test.high, low, high)
		}
	}
	if low, _ := Clip("silhouette", math.NaN(), 1); !math.IsNaN(low) {
		t.Errorf("an end that is not known becomes %g", low)
	}
}
