package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// RationalQuadratic is the kernel
//
//	k(x,y) = (1 + ‖x−y‖²/(2·Alpha·Sigma²))^(−Alpha),
//
// a mixture of Gaussians of different widths, which becomes a Gaussian of width Sigma as
// Alpha grows. Spectral measure: the same mixture of N(0, τ·I), τ from the gamma
// distribution of shape Alpha and mean 1/Sigma².
//
// Reference: Rasmussen and Williams (2006), Gaussian processes for machine learning, §4.2.1.
type RationalQuadratic struct{ Alpha, Sigma float64 }

func (r RationalQuadratic) String() string {
	return fmt.Sprintf("rational-quadratic alpha=%.17g sigma=%.17g", r.Alpha, r.Sigma)
}

// Bound is 1.
func (r RationalQuadratic) Bound() float64 { return 1 }

// At is the formula above.
func (r RationalQuadratic) At(x, y []float64) float64 { return r.ofSquared(squared(x, y)) }

func (r RationalQuadratic) ofSquared(d2 float64) float64 {
	return math.Exp(-r.Alpha * math.Log1p(d2/r.scale()))
}

func (r RationalQuadratic) scale() float64 { return 2 * r.Alpha * r.Sigma * r.Sigma }

func (r RationalQuadratic) against(y *mat.Dense) filler {
	return distances(y, eachValue(r.ofSquared))
}

// Frequency draws τ, then ω ~ N(0, τ·I).
func (r RationalQuadratic) Frequency(dst []float64, rng *rand.Rand) {
	tau := distuv.Gamma{Alpha: r.Alpha, Beta: r.Alpha * r.Sigma * r.Sigma, Src: rng}.Rand()
	for j := range dst {
		dst[j] = math.Sqrt(tau) * rng.NormFloat64()
	}
}

// Isotropic is true.
func (r RationalQuadratic) Isotropic() bool { return true }

// RationalQuadraticOptions are the parameters of a rational quadratic kernel.
type RationalQuadraticOptions struct {
	Width
	Alpha float64 `yaml:"alpha" doc:"mixture parameter, positive (default 1)"`
}

// Build returns the rational quadratic kernel.
func (o *RationalQuadraticOptions) Build(d Distances) (Kernel, error) {
	return o.build(d, func(sigma float64) (ShiftInvariant, error) {
		r := RationalQuadratic{Alpha: o.Alpha, Sigma: sigma}
		if scale := r.scale(); !(o.Alpha > 0) || scale == 0 || math.IsInf(scale, 1) {
			return nil, fmt.Errorf("alpha %v, sigma %v: alpha and 2·alpha·sigma² must be positive and finite", o.Alpha, sigma)
		}
		return r, nil
	})
}
