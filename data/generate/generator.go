package generate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Generator is a distribution of labelled points.
type Generator interface {
	// Points draws one point at a call: it fills x (Dim) and returns the label. Calls
	// one after another give the points of Draw. It keeps no state between them, and
	// is safe for concurrent use. The options must be valid.
	Points() func(rng *rand.Rand, x []float64) int
	// Dim is the dimension D.
	Dim() int
	// Classes is the number of labels; 1 where there is nothing to tell apart.
	Classes() int
}

var (
	_ Generator = Mixture{}
	_ Generator = Rings{}
	_ Generator = Moons{}
	_ Generator = Sphere{}
	_ Generator = Smile{}
)

// Draw returns n points, n×Dim, and their labels, in the stream's order, each drawn on its
// own: the number of points of a class is binomial.
func Draw(g Generator, n int, rng *rand.Rand) (*mat.Dense, []int) {
	x, point := mat.NewDense(n, g.Dim(), nil), g.Points()
	labels := make([]int, n)
	for i := range labels {
		labels[i] = point(rng, x.RawRowView(i))
	}
	return x, labels
}

// problems collects what is wrong.
type problems []error

// check notes a field's problem unless ok.
func (p *problems) check(ok bool, format string, args ...any) {
	if !ok {
		*p = append(*p, fmt.Errorf(format, args...))
	}
}

func (p problems) err() error { return errors.Join(p...) }

func finite(v float64) bool { return v-v == 0 }

// annulus puts a point uniform in area between two radii, at an angle uniform in
// [from, to), into x.
func annulus(x []float64, rng *rand.Rand, inner, outer, from, to float64) {
	r := math.Sqrt(inner*inner + rng.Float64()*(outer*outer-inner*inner))
	sin, cos := math.Sincos(from + rng.Float64()*(to-from))
	x[0], x[1] = r*cos, r*sin
}

// jitter adds Gaussian noise of the given standard deviation to each coordinate.
func jitter(x []float64, rng *rand.Rand, sd float64) {
	if sd == 0 {
		return
	}
	for i := range x {
		x[i] += sd * rng.NormFloat64()
	}
}
