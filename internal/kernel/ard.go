package kernel

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ARD is the kernel Of at points whose coordinates are divided by D length scales
// ("automatic relevance determination"): the longer a scale, the less its coordinate
// matters. Matrices hold a divided copy of the points, 8·m·D bytes. Division moves a
// coordinate by 1e-16 of itself, which is 1e-10 length scales a million of them from 0.
//
// Reference: Rasmussen and Williams (2006), Gaussian processes for machine learning, §5.1;
// scikit-learn's RBF, Matern and RationalQuadratic of an array of length scales.
type ARD struct {
	Of     ShiftInvariant
	Scales []float64 // D, positive
}

func (a ARD) String() string { return fmt.Sprintf("lengthscales(%v, %s)", a.Scales, a.Of) }

// Bound is that of the kernel.
func (a ARD) Bound() float64 { return a.Of.Bound() }

// At is the kernel of the divided points.
func (a ARD) At(x, y []float64) float64 {
	u, v := make([]float64, len(x)), make([]float64, len(x))
	return a.Of.At(floats.DivTo(u, x, a.Scales), floats.DivTo(v, y, a.Scales))
}

func (a ARD) against(y *mat.Dense) filler {
	fill := against(a.Of, a.divided(y))
	return func(dst, x *mat.Dense, from int) { fill(dst, a.divided(x), from) }
}

func (a ARD) divided(x *mat.Dense) *mat.Dense {
	s := mat.DenseCopyOf(x)
	eachRow(s, func(row []float64) { floats.Div(row, a.Scales) })
	return s
}

// Frequency is a draw of the kernel's spectral measure, divided by the scales.
func (a ARD) Frequency(dst []float64, rng *rand.Rand) {
	a.Of.Frequency(dst, rng)
	floats.Div(dst, a.Scales)
}

// Isotropic is false.
func (a ARD) Isotropic() bool { return false }
