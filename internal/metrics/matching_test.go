package metrics

import (
	"math"
	"testing"
)

// bestByTrying is the largest sum over all one-to-one matchings, by trying each: a row is matched with
// a column that is free, or, where rows are more, with none.
func bestByTrying(values [][]float64, row int, taken []bool, spare int) float64 {
	if row == len(values) {
		return 0
	}
	best := math.Inf(-1)
	if spare > 0 {
		best = bestByTrying(values, row+1, taken, spare-1)
	}
	for j := range taken {
		if !taken[j] {
			taken[j] = true
			best = max(best, values[row][j]+bestByTrying(values, row+1, taken, spare))
			taken[j] = false
		}
	}
	return best
}

// Sums of whole numbers are exact.
func TestBestMatching(t *testing.T) {
	rng := newRand(5)
	for rows := range 6 {
		for columns := 1; columns <= 6; columns++ {
			for range 20 {
				values := make([][]float64, rows)
				for i := range values {
					for range columns {
						values[i] = append(values[i], float64(rng.IntN(9)-2))
					}
				}
				want := bestByTrying(values, 0, make([]bool, columns), max(0, rows-columns))
				if got := bestMatching(values); got != want {
					t.Errorf("%v: %v, want %v", values, got, want)
				}
			}
		}
	}
}

// Accuracy matches clusters with classes one to one, purity gives each cluster its largest class.
func TestAccuracyAndPurity(t *testing.T) {
	for name, tt := range map[string]struct {
		classes, clusters []int
		accuracy, purity  float64
	}{
		"other names":          {[]int{0, 0, 1, 1, 2}, []int{2, 2, 0, 0, 1}, 1, 1},
		"more clusters":        {[]int{0, 0, 0, 1}, []int{0, 1, 2, 3}, 0.5, 1},
		"fewer clusters":       {[]int{0, 1, 2, 2}, []int{0, 0, 1, 1}, 0.75, 0.75},
		"one class for two":    {[]int{0, 0, 0, 0, 1, 1}, []int{0, 0, 1, 1, 1, 1}, 4. / 6, 4. / 6},
		"empty cluster":        {[]int{0, 0, 1}, []int{3, 3, 1}, 1, 1},
		"independent":          {[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, 0.5, 0.5},
		"greedy is not enough": {[]int{0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, []int{0, 0, 0, 0, 1, 1, 1, 0, 0, 0}, 0.6, 0.7},
	} {
		table := newContingency(tt.classes, tt.clusters, nil)
		if got := accuracy(table)["cluster_accuracy"]; math.Abs(got-tt.accuracy) > 1e-15 {
			t.Errorf("%s: accuracy %v, want %v", name, got, tt.accuracy)
		}
		if got := purity(table)["purity"]; math.Abs(got-tt.purity) > 1e-15 {
			t.Errorf("%s: purity %v, want %v", name, got, tt.purity)
		}
	}
}
