package generate

import (
	"math"
	"math/rand/v2"
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
	Full  float64 `yaml:"-" json:"full"`  // radius of the full moon
	Inner float64 `yaml:"-" json:"inner"` // inner radius of the crescent
	Outer float64 `yaml:"-" json:"outer"` // outer radius of the crescent
	Share float64 `yaml:"-" json:"share"` // probability of the full moon, between 0 and 1
	Noise float64 `yaml:"-" json:"noise"` // standard deviation of the Gaussian noise of each coordinate
}

// DefaultMoons is the usual form, without noise.
var DefaultMoons = Moons{Full: 5, Inner: 10, Outer: 15, Share: 0.25, Noise: 0}

// Dim is 2.
func (Moons) Dim() int { return 2 }

// Classes is 2.
func (Moons) Classes() int { return 2 }

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
