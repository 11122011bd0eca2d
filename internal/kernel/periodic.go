package kernel

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Periodic is the kernel
//
//	k(x,y) = Π_j exp(−2·sin²(π(x_j−y_j)/Period)/Sigma²),
//
// a product over coordinates. Spectral measure: independent coordinates (2π/Period)·(N−N′)
// with N and N′ Poisson of mean 1/(2·Sigma²).
//
// Deviation: scikit-learn's ExpSineSquared has sin² of the Euclidean distance, which is the same
// in one dimension and indefinite in more: a positive semidefinite κ with κ(δ) = κ(0) has the
// period δ, and if every δ of one length is a period, κ is constant.
//
// Reference: MacKay (1998), Introduction to Gaussian processes, §5.
type Periodic struct{ Period, Sigma float64 }

func (p Periodic) String() string {
	return fmt.Sprintf("periodic prod exp(-2 sin(pi d_j/%.17g)^2/%.17g^2)", p.Period, p.Sigma)
}

// Bound is 1.
func (p Periodic) Bound() float64 { return 1 }

// At is the formula above.
func (p Periodic) At(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		s := math.Sin(math.Pi*math.Remainder(v-y[j], p.Period)/p.Period) / p.Sigma
		sum += s * s
	}
	return math.Exp(-2 * sum)
}

// Frequency draws differences of Poisson numbers.
func (p Periodic) Frequency(dst []float64, rng *rand.Rand) {
	poisson := distuv.Poisson{Lambda: 1 / (2 * p.Sigma * p.Sigma), Src: rng}
	for j := range dst {
		dst[j] = 2 * math.Pi / p.Period * (poisson.Rand() - poisson.Rand())
	}
}

// Isotropic is false: coordinates are independent and not normal.
func (p Periodic) Isotropic() bool { return false }

// PeriodicOptions are the parameters of a periodic kernel.
type PeriodicOptions struct {
	Period float64 `yaml:"period" required:"true" doc:"period of each coordinate, in the units of the data"`
	Sigma  float64 `yaml:"sigma" doc:"length scale σ, relative to the period, at least 1e-6 (default 1)"`
}

// Build returns the periodic kernel.
func (o *PeriodicOptions) Build(Distances) (Kernel, error) {
	if err := errors.Join(positive("period", o.Period), positive("sigma", o.Sigma)); err != nil {
		return nil, err
	}
	if o.Sigma < 1e-6 {
		return nil, fmt.Errorf("sigma is %v: must be at least 1e-6, since it is relative to the period", o.Sigma)
	}
	return Periodic{o.Period, o.Sigma}, nil
}
