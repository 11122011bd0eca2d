package linalg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// WeighSym replaces the n×n matrix a by W^(1/2)·A·W^(1/2), W the diagonal of
// weights, in n² flops. If A holds the kernel values of points that stand for w_i
// points each, this has the eigenvalues of the kernel matrix of all of these, but for
// zeros.
func WeighSym(a *mat.SymDense, weights []float64) {
	s, roots := a.RawSymmetric(), Roots(weights)
	checkWeights(s.N, weights)
	for i, root := range roots {
		row := s.Data[i*s.Stride : i*s.Stride+s.N]
		for j := i; j < s.N; j++ {
			row[j] *= root * roots[j]
		}
	}
}

// CentreSymBy replaces the n×n matrix a by C·A·Cᵀ, C = I − 1wᵀ/Σw: what is centred
// has mean 0 under the weights. 3n² flops.
func CentreSymBy(a *mat.SymDense, weights []float64) {
	s := a.RawSymmetric()
	checkWeights(s.N, weights)
	means, total := make([]float64, s.N), 0.0
	for i, w := range weights {
		row := s.Data[i*s.Stride : i*s.Stride+s.N]
		means[i] += w * row[i]
		for j := i + 1; j < s.N; j++ {
			means[i] += weights[j] * row[j]
			means[j] += w * row[j]
		}
		total += w
	}
	grand := 0.0
	for i, w := range weights {
		means[i] /= total
		grand += w * means[i]
	}
	grand /= total
	for i := range s.N {
		row := s.Data[i*s.Stride : i*s.Stride+s.N]
		for j := i; j < s.N; j++ {
			row[j] += grand - means[i] - means[j]
		}
	}
}

// Roots are the square roots of weights.
func Roots(weights []float64) []float64 {
	roots := make([]float64, len(weights))
	for i, w := range weights {
		roots[i] = math.Sqrt(w)
	}
	return roots
}

// ScaleRows multiplies row i by factors[i]; without factors by 1.
func ScaleRows(a *mat.Dense, factors []float64) {
	for i, factor := range factors {
		floats.Scale(factor, a.RawRowView(i))
	}
}

// ScaledRows is that of a copy; without factors it is a itself.
func ScaledRows(a *mat.Dense, factors []float64) *mat.Dense {
	if len(factors) == 0 {
		return a
	}
	own := mat.DenseCopyOf(a)
	ScaleRows(own, factors)
	return own
}

func checkWeights(n int, weights []float64) {
	if len(weights) != n {
		panic(fmt.Sprintf("linalg: %d weights for a matrix of order %d", len(weights), n))
	}
}
