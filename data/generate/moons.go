package generate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Moons is crescent & full moon in the plane: label 0, the full moon, is uniform
// in area on the disc of radius Full about 0; label 1, the crescent, on the lower
// half (y ≤ 0) of the annulus from Inner to Outer; Gaussian noise is added to
// both.
//
// With noise τ: the moon has mean 0 and covariance (Full²/4 + τ²)I; the crescent
// has mean (0, −2ρ/π) with ρ = (2/3)(Outer³−Inner³)/(Outer²−Inner²) and second
// moments E x² = E y² = (Inner²+Outer²)/4 + τ².
//
// Reference: [KJL, Fig 1]. Deviation: the paper does not give its radii; the
// default has the common 5, 10, 15 of this example, and a quarter of the points
// on the moon.
type Moons struct {
	Full  float64 `yaml:"full" json:"full" doc:"Radius of the full moon, in units of the data."`
	Inner float64 `yaml:"inner" json:"inner" doc:"Inner radius of the crescent, in units of the data."`
	Outer float64 `yaml:"outer" json:"outer" doc:"Outer radius of the crescent, in units of the data."`
	Share float64 `yaml:"share" json:"share" doc:"Probability of the full moon, between 0 and 1."`
	Noise float64 `yaml:"noise" json:"noise" doc:"Standard deviation of the Gaussian noise of each coordinate, in units of the data."`
}

// DefaultMoons is the usual form, without noise.
var DefaultMoons = Moons{Full: 5, Inner: 10, Outer: 15, Share: 0.25, Noise: 0}

// Dim is 2.
func (Moons) Dim() int { return 2 }

// Classes is 2.
func (Moons) Classes() int { return 2 }

// Validate says what is wrong with the options, all of it.
func (g Moons) Validate() error {
	var p problems
	p.check(g.Full > 0 && finite(g.Full*g.Full), "full: %v; want a positive radius", g.Full)
	p.check(g.Inner >= 0, "inner: %v; want a radius, not negative", g.Inner)
	p.check(g.Outer > g.Inner && finite(g.Outer*g.Outer), "outer: %v; want a radius above inner, %v", g.Outer, g.Inner)
	p.check(share(g.Share), "share: %v; want a number between 0 and 1, both excluded", g.Share)
	p.check(g.Noise >= 0 && finite(g.Noise), "noise: %v; want a finite number, not negative", g.Noise)
	return p.err()
}

// Draw returns n points, n×2, and their labels, each drawn on its own: the
// number of points of a class is binomial.
func (g Moons) Draw(n int, rng *rand.Rand) (*mat.Dense, []int) {
	return draw(g, n, rng)
}

// Points draws one point after another.
func (g Moons) Points() func(rng *rand.Rand, x []float64) int {
	return func(rng *rand.Rand, x []float64) int {
		label := 0
		if rng.Float64() < g.Share {
			annulus(x, rng, 0, g.Full, 0, 2*math.Pi)
		} else {
			label = 1
			annulus(x, rng, g.Inner, g.Outer, math.Pi, 2*math.Pi)
		}
		jitter(x, rng, g.Noise)
		return label
	}
}
