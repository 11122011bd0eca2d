package results

import "testing"

// TestClip: an interval ends where the metric does, but still holds the mean of values that the metric cannot have.
func TestClip(t *testing.T) {
	least, most := 0.0, 1.0
	m := MetricInfo{Least: &least, Most: &most}
	for _, test := range []struct{ given, want [3]float64 }{ // low, mean, high
		{[3]float64{-0.1, 0.5, 1.1}, [3]float64{0, 0.5, 1}},
		{[3]float64{-16, -7.6, 0.7}, [3]float64{-16, -7.6, 0.7}},
		{[3]float64{-0.5, 1.25, 3}, [3]float64{0, 1.25, 3}},
	} {
		low, high := m.Clip(test.given[0], test.given[1], test.given[2])
		if got := [3]float64{low, test.given[1], high}; got != test.want {
			t.Errorf("%v: %v, want %v", test.given, got, test.want)
		}
	}
}
