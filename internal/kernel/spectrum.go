package kernel

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spectrum is a kernel with its spectral measure divided by κ(0), which is k's Bound; nil
// where none is known. The measure of a sum is the sum of those of its kernels, that of a
// product or a power their convolution.
//
// Reference: Rasmussen and Williams (2006), Gaussian processes for machine learning, §4.2.4.
func spectrum(k Kernel) ShiftInvariant {
	var of []ShiftInvariant
	for _, part := range parts(k) {
		s := spectrum(part)
		if s == nil {
			return nil
		}
		of = append(of, s)
	}
	switch k := k.(type) {
	case ShiftInvariant:
		return k
	case Sum:
		return mixture{convolution{k, of}}
	case Power:
		return convolution{k, slices.Repeat(of, k.Exponent)}
	}
	if of == nil {
		return nil
	}
	return convolution{k, of}
}

// Stationary says whether k(x,y) is known to be a function of x-y.
func Stationary(k Kernel) bool { return spectrum(Plain(k)) != nil }

// convolution has the sums of a frequency of each kernel as frequencies.
type convolution struct {
	Kernel
	of []ShiftInvariant
}

func (c convolution) Frequency(dst []float64, rng *rand.Rand) {
	clear(dst)
	draw := make([]float64, len(dst))
	for _, k := range c.of {
		k.Frequency(draw, rng)
		floats.Add(dst, draw)
	}
}

// Isotropic says whether all kernels are.
func (c convolution) Isotropic() bool {
	return !slices.ContainsFunc(c.of, func(k ShiftInvariant) bool { return !k.Isotropic() })
}

// mixture has frequencies of one of its kernels, which is drawn in proportion to k_i(x,x).
type mixture struct{ convolution }

func (m mixture) Frequency(dst []float64, rng *rand.Rand) {
	i := 0
	for at := rng.Float64() * m.Bound(); i < len(m.of)-1 && at >= m.of[i].Bound(); i++ {
		at -= m.of[i].Bound()
	}
	m.of[i].Frequency(dst, rng)
}

// louder multiplies features by a factor.
type louder struct {
	FeatureMap
	factor float64
}

func (l louder) Transform(dst, x *mat.Dense) {
	l.FeatureMap.Transform(dst, x)
	dst.Scale(l.factor, dst)
}
