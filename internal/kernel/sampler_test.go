package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestFiniteSampler: the table finds the index that a search of the cumulative sums does, for
// every draw.
func TestFiniteSampler(t *testing.T) {
	slow := make([]float64, 1000)
	for i := range slow {
		slow[i] = math.Pow(float64(i+1), -1.5)
	}
	for name, lambda := range map[string][]float64{
		"one":        {3},
		"two":        {0.7, 0.3},
		"ties":       slices.Repeat([]float64{0.1}, 33),
		"fast decay": {1, 1e-3, 1e-9, 1e-17, 1e-17, 1e-30},
		"slow decay": slow,
		"with zeros": {0, 0, 2, 0, 1, 0},
	} {
		cumulative := floats.CumSum(make([]float64, len(lambda)), lambda)
		draw := finiteDecay(lambda).sampler(rand.New(rand.NewPCG(1, 2)))
		uniform := rand.New(rand.NewPCG(1, 2))
		for range 20000 {
			want := 1 + min(sort.SearchFloat64s(cumulative, uniform.Float64()*cumulative[len(lambda)-1]), len(lambda)-1)
			if got := draw(); got != want {
				t.Fatalf("%s: drew %d, want %d", name, got, want)
			}
		}
	}
}
