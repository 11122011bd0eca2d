package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// MapEntry is a family of feature maps that specs can name.
type MapEntry struct {
	Doc         string // what it draws, in one line
	Coordinates int    // of Φ(x), a feature
	// Check says why there is no such map for a kernel; nil where there is.
	Check func(k Kernel) error
	// New draws m features for points in R^dim, for a kernel that passed Check.
	New func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap
}

// Maps holds every family of feature maps by the name that specs use.
var Maps = map[string]MapEntry{
	"fourier": {
		Doc: "independent frequencies, a cosine and a sine each", Coordinates: 2, Check: shiftInvariant("fourier"),
		New: drawnFrom(NewFourier),
	},
	"offset": {
		Doc: "independent frequencies, one cosine each with a random phase", Coordinates: 1, Check: shiftInvariant("offset"),
		New: drawnFrom(newOffset),
	},
	"orthogonal": {
		Doc: "orthogonal frequencies in blocks of D, for gaussian, matern and rational-quadratic", Coordinates: 2, Check: isotropic,
		New: drawnFrom(newOrthogonal),
	},
	"mercer": {
		Doc: "eigenfunctions of a series kernel, drawn by eigenvalue", Coordinates: 1, Check: seriesOnly,
		New: func(k Kernel, m, _ int, rng *rand.Rand) FeatureMap { return NewMercer(k.(*Series), m, rng) },
	},
}

// drawnFrom are features of spectrum(k), times √κ(0).
func drawnFrom[F FeatureMap](draw func(k ShiftInvariant, m, dim int, rng *rand.Rand) F) func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
	return func(k Kernel, m, dim int, rng *rand.Rand) FeatureMap {
		f := draw(spectrum(k), m, dim, rng)
		if k.Bound() == 1 {
			return f
		}
		return louder{f, math.Sqrt(k.Bound())}
	}
}

// shiftInvariant is the check of maps that take every kernel with a spectral
// measure.
func shiftInvariant(name string) func(Kernel) error {
	return func(k Kernel) error {
		if spectrum(k) != nil {
			return nil
		}
		if _, ok := k.(*Series); ok {
			return fmt.Errorf("%s features need a shift-invariant kernel, not %s; take features: mercer", name, k)
		}
		return fmt.Errorf("%s has no spectral measure, from which random features are drawn; take nystrom", k)
	}
}

func isotropic(k Kernel) error {
	if err := shiftInvariant("orthogonal")(k); err != nil {
		return err
	}
	if !spectrum(k).Isotropic() {
		return fmt.Errorf("orthogonal features need a kernel of the Euclidean distance, whose spectral measure every rotation leaves as it is: gaussian, matern or rational-quadratic, not %s", k)
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
