package metrics

import (
	"fmt"
	"math"
	"testing"
)

// TestRanges: what has a range exists, and what has none has no end.
func TestRanges(t *testing.T) {
	outputs := map[string]bool{}
	for _, m := range Registry {
		for _, name := range m.Metrics() {
			outputs[name] = true
		}
	}
	for name := range ranges {
		if _, measure := Registry[name]; !measure && !outputs[name] {
			t.Errorf("%s is neither a measure nor an output", name)
		}
	}
	at := func(x *float64) float64 {
		if x == nil {
			return math.NaN()
		}
		return *x
	}
	none := math.NaN()
	for metric, want := range map[string][2]float64{
		"silhouette": {-1, 1}, "rand_test": {0, 1}, "recon_l2": {0, none}, "time_total": {0, none}, "separation": {none, none}, "skp_excess": {none, none},
	} {
		least, most := Range(metric)
		if got := [2]float64{at(least), at(most)}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is in %v, want %v", metric, got, want)
		}
	}
}
