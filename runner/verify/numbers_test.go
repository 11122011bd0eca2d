package verify

import (
	"fmt"
	"math"
	"testing"

	"mercer/internal/crate"
	"mercer/results"
)

// TestMostTipped: its number is exceeded with a probability of 1e-3 at most, one less
// with more. The probabilities are sums of C(n, k)·59^(n-k)/60^n.
func TestMostTipped(t *testing.T) {
	exceeded := func(n, most int) float64 {
		p, sum := math.Pow(59./60, float64(n)), 1.0
		for k := range most + 1 {
			sum -= p
			p *= float64(n-k) / float64(k+1) / 59
		}
		return sum
	}
	for _, n := range []int{2, 5, 20, 100, 1000} {
		most := mostTipped(n)
		if exceeded(n, most) > 1e-3 || exceeded(n, most-1) <= 1e-3 {
			t.Errorf("of %d: %d is exceeded with probability %v, one less with %v", n, most, exceeded(n, most), exceeded(n, most-1))
		}
	}
}

// TestTipped: on another back end the Rand index of a few records may be another, but
// not of many, even where each group of records has only one; on the same one, of none.
func TestTipped(t *testing.T) {
	for _, c := range []struct {
		changed int
		exact   bool
		passes  bool
	}{{0, true, true}, {1, true, false}, {3, false, true}, {4, false, false}, {20, false, false}} {
		record := func(i int, value float64) results.Record {
			return results.Record{Key: fmt.Sprint(i), Dataset: fmt.Sprint("data", i), Method: "kkmeans", Status: results.OK,
				Metrics: results.NewMetrics(map[string]results.Metric{"adjusted_rand": {Value: value}})}
		}
		var drawn []results.Record
		again := results.Run{Manifest: results.Manifest{Versions: map[string]string{"blas": "a library"}}}
		for i := range 20 {
			value := 0.5
			if i < c.changed {
				value = 0.9
			}
			drawn, again.Records = append(drawn, record(i, value)), append(again.Records, record(i, 0.5))
		}
		v := &verifier{Crate: &crate.Crate{}, exact: c.exact}
		v.Run.Manifest.Profile, v.result.Sample = "paper", new(Sample)
		if err := v.compareNumbers(drawn, again); err != nil || (len(v.Findings) == 0) != c.passes {
			t.Errorf("%+v: %v, %v", c, v.Findings, err)
		}
	}
}
