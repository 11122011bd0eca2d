package generate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Rings is cluster-in-cluster in the plane: label 0 is uniform in area on the
// disc of radius Core about 0, label 1 on the annulus from Inner to Outer;
// Gaussian noise is added to both.
//
// With noise τ: mean 0; covariance (Core²/4 + τ²)I of label 0 and
// ((Inner²+Outer²)/4 + τ²)I of label 1.
//
// Reference: [KJL, Fig 1]. Deviation: the paper does not give its radii; the
// default keeps its picture's look, a compact cluster inside a ring.
type Rings struct {
	Core  float64 `yaml:"core" json:"core" doc:"Radius of the inner cluster, in units of the data."`
	Inner float64 `yaml:"inner" json:"inner" doc:"Inner radius of the ring, in units of the data."`
	Outer float64 `yaml:"outer" json:"outer" doc:"Outer radius of the ring, in units of the data."`
	Share float64 `yaml:"share" json:"share" doc:"Probability of the inner cluster, between 0 and 1."`
	Noise float64 `yaml:"noise" json:"noise" doc:"Standard deviation of the Gaussian noise of each coordinate, in units of the data."`
}

// DefaultRings has two classes of equal share, apart by twice the core's radius.
var DefaultRings = Rings{Core: 1, Inner: 3, Outer: 4, Share: 0.5, Noise: 0.1}

// Dim is 2.
func (Rings) Dim() int { return 2 }

// Classes is 2.
func (Rings) Classes() int { return 2 }

// Validate says what is wrong with the options, all of it.
func (g Rings) Validate() error {
	var p problems
	p.check(g.Core > 0 && finite(g.Core*g.Core), "core: %v; want a positive radius", g.Core)
	p.check(g.Inner >= 0, "inner: %v; want a radius, not negative", g.Inner)
	p.check(g.Outer > g.Inner && finite(g.Outer*g.Outer), "outer: %v; want a radius above inner, %v", g.Outer, g.Inner)
	p.check(share(g.Share), "share: %v; want a number between 0 and 1, both excluded", g.Share)
	p.check(g.Noise >= 0 && finite(g.Noise), "noise: %v; want a finite number, not negative", g.Noise)
	return p.err()
}

// Draw returns n points, n×2, and their labels, each drawn on its own: the
// number of points of a class is binomial.
func (g Rings) Draw(n int, rng *rand.Rand) (*mat.Dense, []int) {
	return draw(g, n, rng)
}

// Points draws one point after another.
func (g Rings) Points() func(rng *rand.Rand, x []float64) int {
	return func(rng *rand.Rand, x []float64) int {
		label, inner, outer := 0, 0.0, g.Core
		if rng.Float64() >= g.Share {
			label, inner, outer = 1, g.Inner, g.Outer
		}
		annulus(x, rng, inner, outer, 0, 2*math.Pi)
		jitter(x, rng, g.Noise)
		return label
	}
}
