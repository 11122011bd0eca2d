package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Laplace is the kernel
//
//	k(x,y) = exp(−‖x−y‖₁/Sigma),
//
// a product over coordinates. (The exponential of the Euclidean distance is
// Matern with Half = 1.) Spectral measure: independent Cauchy(0, 1/Sigma)
// coordinates.
type Laplace struct{ Sigma float64 }

func (l Laplace) String() string { return fmt.Sprintf("laplace exp(-|d|_1/%.17g)", l.Sigma) }

// Bound is 1.
func (l Laplace) Bound() float64 { return 1 }

// At is exp(−‖x−y‖₁/Sigma).
func (l Laplace) At(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += math.Abs(v - y[j])
	}
	return math.Exp(-sum / l.Sigma)
}

// Frequency draws independent Cauchy(0, 1/Sigma) coordinates.
func (l Laplace) Frequency(dst []float64, rng *rand.Rand) {
	for j := range dst {
		dst[j] = math.Tan(math.Pi*(rng.Float64()-0.5)) / l.Sigma
	}
}

// Isotropic is false: coordinates are independent and not normal.
func (l Laplace) Isotropic() bool { return false }

// Cauchy is the kernel
//
//	k(x,y) = Π_j 1/(1 + (x_j−y_j)²/Sigma²).
//
// Spectral measure: independent Laplace(0, 1/Sigma) coordinates.
type Cauchy struct{ Sigma float64 }

func (c Cauchy) String() string { return fmt.Sprintf("cauchy prod 1/(1+d_j^2/%.17g^2)", c.Sigma) }

// Bound is 1.
func (c Cauchy) Bound() float64 { return 1 }

// At is the product above.
func (c Cauchy) At(x, y []float64) float64 {
	product := 1.0
	for j, v := range x {
		d := (v - y[j]) / c.Sigma
		product *= 1 + d*d
	}
	return 1 / product
}

// Frequency draws independent Laplace(0, 1/Sigma) coordinates.
func (c Cauchy) Frequency(dst []float64, rng *rand.Rand) {
	for j := range dst {
		magnitude := rng.ExpFloat64() / c.Sigma
		if rng.Uint64()&1 == 0 {
			magnitude = -magnitude
		}
		dst[j] = magnitude
	}
}

// Isotropic is false: coordinates are independent and not normal.
func (c Cauchy) Isotropic() bool { return false }

// pairwise evaluates pair by pair: for kernels that no matrix product serves.
func pairwise(y *mat.Dense, at func(x, y []float64) float64) filler {
	return func(dst, x *mat.Dense, from int) {
		n, m := dst.Dims()
		for i := range n {
			xi, row := x.RawRowView(i), dst.RawRowView(i)
			for j := range m {
				row[j] = at(xi, y.RawRowView(from+j))
			}
		}
	}
}
