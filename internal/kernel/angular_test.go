package kernel

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// angleOf is the angle of two points by the chord of their directions.
func angleOf(x, y []float64) float64 {
	xn, yn := math.Sqrt(inner(x, x)), math.Sqrt(inner(y, y))
	if xn == 0 || yn == 0 {
		return math.Pi / 2
	}
	u, v := make([]float64, len(x)), make([]float64, len(y))
	sign := math.Copysign(1, inner(x, y))
	for j := range x {
		u[j], v[j] = x[j]/xn, sign*y[j]/yn
	}
	if theta := 2 * math.Asin(euclidean(u, v)/2); sign > 0 {
		return theta
	} else {
		return math.Pi - theta
	}
}

// arcCosine is a network's kernel by its definition: twice the mean of the product of two
// ReLUs, of normal weights. In the plane of x and y, the weights' direction is uniform, and
// their squared length is 2 on average. The mean is a smooth integral over the directions
// at which both are active.
func arcCosine(depth int) func(x, y []float64) float64 {
	return func(x, y []float64) float64 {
		theta := angleOf(x, y)
		cos := 0.0
		for range depth {
			cos = 2 / math.Pi * quad.Fixed(func(phi float64) float64 {
				return math.Cos(phi) * math.Cos(phi-theta)
			}, theta-math.Pi/2, math.Pi/2, 24, nil, 0)
			theta = math.Acos(min(cos, 1))
		}
		return math.Sqrt(inner(x, x)) * math.Sqrt(inner(y, y)) * cos
	}
}

func lengths(x, y []float64) float64 { return math.Sqrt(inner(x, x)) * math.Sqrt(inner(y, y)) }
