package kernel

import (
	"fmt"
	"math"

	"mercer/internal/linalg"
)

// Drawn is a map of features that are drawn from those of a pool, independently: feature j
// with probability p_j, and weighed so that the expectation of its ⟨Φ(x),Φ(y)⟩ is that of
// the pool. A coordinate Φ_j(x) of a pool becomes (m·p_j)^(−1/2)·Φ_j(x) each time that it
// is drawn, m times in all. The pool is a [Fourier] map, or a [Mercer] map whose features
// are its coordinates. It panics for other maps and where nothing is drawn.
//
// Reference: Bach 2017 (On the equivalence between kernel quadrature rules and random
// feature expansions).
func Drawn(pool FeatureMap, indices []int, probabilities []float64) FeatureMap {
	if len(indices) == 0 {
		panic("kernel: no features are drawn")
	}
	weights := make([]float64, len(indices))
	switch pool := pool.(type) {
	case *Fourier:
		for a, j := range indices {
			weights[a] = 1 / math.Sqrt(float64(pool.Features())*probabilities[j])
		}
		return &Fourier{Frequencies: linalg.SelectRows(pool.Frequencies, indices), Weights: weights}
	case *Mercer:
		drawn := &Mercer{Series: pool.Series, Indices: make([]int, len(indices)), Weights: weights}
		for a, j := range indices {
			drawn.Indices[a] = pool.Indices[j]
			weights[a] = math.Sqrt(float64(pool.count(j)) / (float64(pool.Features()) * probabilities[j]))
		}
		return drawn
	}
	panic(fmt.Sprintf("kernel: no rule to draw from a map of type %T", pool))
}
