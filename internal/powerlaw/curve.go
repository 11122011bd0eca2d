package powerlaw

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"mercer/internal/lists"
)

// Curve is a quantity along a variable: K positions, R repeats.
type Curve struct {
	X     []float64   // K, rising
	Y     [][]float64 // R×K
	Floor []float64   // K, geometric mean of the quantity's floor; nil where it is not known
	Log   float64     // of the law that is claimed: the fit is of y/(log x)^log
}

// logs returns log x centred at its mean, that mean, and log y less the claimed
// factor, R×K.
func (c Curve) logs() (lx []float64, centre float64, ly [][]float64) {
	lx = logarithms(c.X)
	centre = stat.Mean(lx, nil)
	for k := range lx {
		lx[k] -= centre
	}
	for _, row := range c.Y {
		ly = append(ly, c.withoutFactor(row))
	}
	return lx, centre, ly
}

// withoutFactor is log y less log·log log x.
func (c Curve) withoutFactor(y []float64) []float64 {
	out := logarithms(y)
	floats.Sub(out, c.Factor())
	return out
}

// Factor is log·log log x, K: the logarithm of the claimed factor.
func (c Curve) Factor() []float64 {
	out := make([]float64, len(c.X))
	if c.Log == 0 {
		return out
	}
	for k, x := range c.X {
		out[k] = c.Log * math.Log(math.Log(x))
	}
	return out
}

func logarithms(values []float64) []float64 {
	return lists.Map(values, math.Log)
}
