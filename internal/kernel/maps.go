package kernel

import (
	"fmt"
	"math/rand/v2"

	"mercer/internal/kernel/sobol"
)

// MapEntry is a family of feature maps that specs can name.
type MapEntry struct {
	Doc         string // what it draws, in one line
	Coordinates int    // of Φ(x), a feature
	// Check says why there is no such map for a kernel and points in R^dim; nil where
	// there is. 0 stands for a dimension that is not known yet.
	Check func(k Kernel, dim int) error
	// New draws m features for points in R^dim, for a kernel and a dimension that
	// passed Check.
	New func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap
}

// Maps holds every family of feature maps by the name that specs use.
var Maps = map[string]MapEntry{
	"fourier": {
		Doc: "independent frequencies, a cosine and a sine each", Coordinates: 2, Check: anyDim(shiftInvariant("fourier")),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
			return NewFourier(k.(ShiftInvariant), m, dim, rng)
		},
	},
	"offset": {
		Doc: "independent frequencies, one cosine each with a random phase", Coordinates: 1, Check: anyDim(shiftInvariant("offset")),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
			return newOffset(k.(ShiftInvariant), m, dim, rng)
		},
	},
	"orthogonal": {
		Doc: "orthogonal frequencies in blocks of D, for gaussian and matern", Coordinates: 2, Check: anyDim(isotropic),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
			return newOrthogonal(k.(ShiftInvariant), m, dim, rng)
		},
	},
	"sorf": {
		Doc: "structured orthogonal frequencies by Walsh-Hadamard transforms, for gaussian; biased in low dimension", Coordinates: 2, Check: anyDim(gaussianOnly("sorf")),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap { return newSORF(k.(Gaussian), m, dim, rng) },
	},
	"halton": {
		Doc: "frequencies from a scrambled Halton sequence", Coordinates: 2, Check: atMost("halton", haltonLimit),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
			return newHalton(k.(ShiftInvariant), m, dim, rng)
		},
	},
	"sobol": {
		Doc: "frequencies from a shifted Sobol' sequence", Coordinates: 2, Check: atMost("sobol", sobol.MaxDim),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
			return newSobol(k.(ShiftInvariant), m, dim, rng)
		},
	},
	"positive": {
		Doc: "independent frequencies, one exponential each, for gaussian", Coordinates: 1, Check: anyDim(gaussianOnly("positive")),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap { return newPositive(k.(Gaussian), m, dim, rng) },
	},
	"tensorsketch": {
		Doc: "count sketches of tensor products, for polynomial kernels", Coordinates: 1, Check: anyDim(polynomialOnly),
		New: func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
			return newTensorSketch(k.(Polynomial), m, dim, rng)
		},
	},
	"mercer": {
		Doc: "eigenfunctions of a series kernel, drawn by eigenvalue", Coordinates: 1, Check: anyDim(seriesOnly),
		New: func(k Kernel, m, _ int, rng *rand.Rand) FeatureMap { return NewMercer(k.(*Series), m, rng) },
	},
}

// shiftInvariant is the check of maps that take every kernel with a spectral
// measure.
func shiftInvariant(name string) func(Kernel) error {
	return func(k Kernel) error {
		switch k.(type) {
		case ShiftInvariant:
			return nil
		case *Series:
			return fmt.Errorf("%s features need a shift-invariant kernel, not %s; take features: mercer", name, k)
		}
		return fmt.Errorf("%s has no spectral measure; a polynomial kernel has features: tensorsketch", k)
	}
}

func isotropic(k Kernel) error {
	if err := shiftInvariant("orthogonal")(k); err != nil {
		return err
	}
	if !k.(ShiftInvariant).Isotropic() {
		return fmt.Errorf("orthogonal features need a kernel of the Euclidean distance, whose spectral measure every rotation leaves as it is: gaussian or matern, not %s", k)
	}
	return nil
}

// gaussianOnly is the check of maps with normal frequencies.
func gaussianOnly(name string) func(Kernel) error {
	return func(k Kernel) error {
		if err := shiftInvariant(name)(k); err != nil {
			return err
		}
		if _, ok := k.(Gaussian); !ok {
			return fmt.Errorf("%s features have normal frequencies: they need a gaussian kernel, not %s", name, k)
		}
		return nil
	}
}

func polynomialOnly(k Kernel) error {
	if _, ok := k.(Polynomial); !ok {
		return fmt.Errorf("tensorsketch features need a polynomial kernel, not %s", k)
	}
	return nil
}

func seriesOnly(k Kernel) error {
	switch k.(type) {
	case *Series:
		return nil
	case ShiftInvariant:
		return fmt.Errorf("mercer features need a series kernel, not %s", k)
	}
	return fmt.Errorf("no random features are known for %s", k)
}

// anyDim is the check of maps of points of every dimension.
func anyDim(check func(Kernel) error) func(Kernel, int) error {
	return func(k Kernel, _ int) error { return check(k) }
}

// atMost is the check of maps that take every kernel with a spectral measure and need
// a point of a sequence in so many coordinates.
func atMost(name string, limit int) func(Kernel, int) error {
	return func(k Kernel, dim int) error {
		if err := shiftInvariant(name)(k); err != nil {
			return err
		}
		if need := k.(ShiftInvariant).Uniforms(dim); need > limit {
			return fmt.Errorf("%s features of %s in %d dimensions need a sequence in %d coordinates; it has %d: take features: fourier", name, k, dim, need, limit)
		}
		return nil
	}
}
