package generate

import (
	"math"
	"math/rand/v2"
)

// Smile is a face in the plane: label 0, the outline, is uniform on the circle of radius 10
// about 0; label 1, the mouth, has x uniform from −5 to 5 and y = x²/16 − 5; label 2, the
// eyes, is uniform on discs of radius 1 about (±4, 4).
//
// The outline has mean 0 and covariance 50 I; the mouth E x = 0, E y = 25/48 − 5, and the
// eyes mean (0, 4).
//
// Reference: Chen, Epperly, Tropp & Webber 2023, Fig 1, by the code that they published,
// which places ⌈√N⌉ of N points in each eye and ⌈N/10⌉ on the mouth. Deviation: points are
// drawn one by one and not in equal steps, and shares do not depend on N; those of the
// default are the paper's at N = 10⁴.
type Smile struct {
	Mouth float64 `yaml:"-" json:"mouth"` // probability of the mouth
	Eyes  float64 `yaml:"-" json:"eyes"`  // probability of the two eyes together
}

// DefaultSmile has the shares of 10⁴ points.
var DefaultSmile = Smile{Mouth: 0.1, Eyes: 0.02}

// Dim is 2.
func (Smile) Dim() int { return 2 }

// Classes is 3.
func (Smile) Classes() int { return 3 }

// Points draws one point after another.
func (g Smile) Points() func(rng *rand.Rand, x []float64) int {
	return func(rng *rand.Rand, x []float64) int {
		switch u := rng.Float64(); {
		case u < g.Mouth:
			x[0] = 10*rng.Float64() - 5
			x[1] = x[0]*x[0]/16 - 5
			return 1
		case u < g.Mouth+g.Eyes:
			annulus(x, rng, 0, 1, 0, 2*math.Pi)
			x[0] += 4 - 8*float64(rng.IntN(2))
			x[1] += 4
			return 2
		}
		annulus(x, rng, 10, 10, 0, 2*math.Pi)
		return 0
	}
}
