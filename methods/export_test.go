package methods

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// NormalSketch is the S that gaussian-sketch draws first.
func NormalSketch(n, m int, rng *rand.Rand) *mat.Dense {
	return Sketched{}.draw(Sample{Sizes: Sizes{N: n, M: m}}, rng)
}

// NormalSums are the weights of a Gaussian sketch of points that stand for several.
func NormalSums(times []float64, m int, rng *rand.Rand) *mat.Dense {
	return weights(times).normal(len(times), nil, m, rng)
}

// SparseSigns is the S that sparse-sign-sketch draws first, and AddSumOfSigns a row of it
// that stands for many points.
func SparseSigns(n, m, q int, rng *rand.Rand) *mat.Dense {
	return signs(Sample{Sizes: Sizes{N: n, M: m}}, q, rng)
}

// SketchOf is the S of that name, n×m; not the normal one.
func SketchOf(name string, n, m int, rng *rand.Rand) *mat.Dense {
	return Sketched{name}.draw(Sample{Sizes: Sizes{N: n, M: m}}, rng)
}

var AddSumOfSigns = addSumOfSigns
