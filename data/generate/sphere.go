package generate

import (
	"math"
	"math/rand/v2"
)

// Sphere is uniform on the sphere of the given radius r about 0 in R^D, that is
// r·S^{D−1}. All labels are 0.
//
// Mean 0, covariance (r²/D)I, E x_i⁴ = 3r⁴/(D(D+2)).
type Sphere struct {
	D      int     `yaml:"d" json:"d" doc:"Dimension of the space; the sphere has one less. 1: the two points ±radius."`
	Radius float64 `yaml:"-" json:"radius"`
}

// DefaultSphere is S² in R³.
var DefaultSphere = Sphere{D: 3, Radius: 1}

// Dim is D.
func (g Sphere) Dim() int { return g.D }

// Classes is 1.
func (Sphere) Classes() int { return 1 }

// Validate says what is wrong with the options, all of it.
func (g Sphere) Validate() error {
	var p problems
	p.check(g.D >= 1 && g.D <= maxSize, "d: %d; want 1 … %d", g.D, maxSize)
	p.check(g.Radius > 0 && finite(g.Radius), "radius: %v; want a positive number", g.Radius)
	return p.err()
}

// Points draws one point after another.
func (g Sphere) Points() func(rng *rand.Rand, x []float64) int {
	return func(rng *rand.Rand, x []float64) int {
		for {
			sum := 0.0
			for i := range x {
				x[i] = rng.NormFloat64()
				sum += x[i] * x[i]
			}
			if sum == 0 {
				continue
			}
			norm := math.Sqrt(sum)
			for i := range x {
				x[i] *= g.Radius / norm
			}
			return 0
		}
	}
}
