package methods

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// NormalSketch is the Ω that randomized-kpca draws first.
func NormalSketch(n, m int, rng *rand.Rand) *mat.Dense {
	return randomized{}.omega(Sample{X: mat.NewDense(n, 1, nil), Sizes: Sizes{N: n, M: m}}, rng)
}

// NormalSums are the weights of a Gaussian sketch of points that stand for several.
func NormalSums(times []float64, m int, rng *rand.Rand) *mat.Dense {
	return weights(times).normal(len(times), nil, m, rng)
}
