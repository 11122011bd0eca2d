package generate

import (
	"math"
	"math/rand/v2"
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
	Core  float64 `yaml:"-" json:"core"`  // radius of the inner cluster
	Inner float64 `yaml:"-" json:"inner"` // inner radius of the ring
	Outer float64 `yaml:"-" json:"outer"` // outer radius of the ring
	Share float64 `yaml:"-" json:"share"` // probability of the inner cluster, between 0 and 1
	Noise float64 `yaml:"-" json:"noise"` // standard deviation of the Gaussian noise of each coordinate
}

// DefaultRings has two classes of equal share, apart by twice the core's radius.
var DefaultRings = Rings{Core: 1, Inner: 3, Outer: 4, Share: 0.5, Noise: 0.1}

// Dim is 2.
func (Rings) Dim() int { return 2 }

// Classes is 2.
func (Rings) Classes() int { return 2 }

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
