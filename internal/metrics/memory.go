package metrics

import (
	"slices"
	"strings"

	"mercer/internal/linalg"
	"mercer/methods"
)

// Load is the size of what a model is measured on.
type Load struct {
	Shape   string  // of the model
	N       float64 // points of the sample
	Support float64 // points or coordinates that the model's functions are sums over
	Width   float64 // functions of the model
	Points  float64 // of an empirical population; 0 for others
}

// Bytes estimates what measuring a model holds at its peak, beside the model, the
// sample, the population and the kernel matrix of held-out points: the functions'
// values at the population's points with their images, and the largest of what
// the measures form themselves.
func Bytes(names []string, l Load) float64 {
	values, largest, span := 0.0, 0.0, 0.0
	for _, name := range names {
		m := Registry[name]
		if m.Shapes != nil && !slices.Contains(m.Shapes, l.Shape) {
			continue
		}
		if slices.Contains(m.Needs, NeedsPopulation) || slices.Contains(m.Needs, NeedsHeldOut) {
			values = max(values, 32*l.Points*l.Width)
		}
		if slices.Contains(m.Needs, NeedsPopulation) && (l.Shape == methods.ShapeSubspace || l.Shape == methods.ShapeFeatures) {
			// The product of the population's kernel matrix with the values is by Dsymm,
			// which writes out the square.
			values = 8*l.Points*l.Points + 32*l.Points*l.Width
		}
		if Uncentred(name) {
			span = max(span, 8*l.Support*l.Points) // coordinates in the population's functions
		}
		if slices.Contains(spanned, name) {
			span = 8 * l.N * l.Support
		}
		if own := ownBytes[name]; own != nil {
			largest = max(largest, own(l))
		}
	}
	return values + span + largest
}

// Uncentred says whether a measure works on the population's uncentred operator.
func Uncentred(name string) bool {
	return strings.HasPrefix(name, "kjl_") && slices.Contains(Registry[name].Needs, NeedsPopulation)
}

// spanned are measures of the sample's coordinates in the model's span.
var spanned = []string{"nystrom_residual", "effective_dimension", "centroid_residual"}

// ownBytes are what measures form that is larger than a few times n·ℓ.
var ownBytes = map[string]func(l Load) float64{
	// The remainder of the kernel matrix of the points, its factor, and both with
	// the population's functions side by side.
	"kjl_operator": func(l Load) float64 {
		return 2*linalg.SymBytes(l.Support) + 8*l.Support*l.Support + 8*l.Support*(2*l.Points+l.Support)
	},
	"kjl_sample":          func(l Load) float64 { return 2*linalg.SymBytes(l.Support) + 8*l.Support*l.Support },
	"nystrom_residual":    func(l Load) float64 { return max(pivotedBytes(l), sampleGram(l)) },
	"effective_dimension": func(l Load) float64 { return max(pivotedBytes(l), sampleGram(l)+linalg.EigenBytes(l.N)) },
	"centroid_residual":   func(l Load) float64 { return max(pivotedBytes(l), 24*tileRows*tileRows) },
	"separation":          func(l Load) float64 { return 8*l.N*l.Width + 40*tileRows*tileRows }, // most of the tiles are garbage
	"skp_objective":       featureSquare,
	"skp_excess":          featureSquare,
	"skp_gram_distance":   featureSquare,
	"skp_features":        featureSquare,
}

// pivotedBytes are those of the factor of the kernel matrix of a model's points.
func pivotedBytes(l Load) float64 {
	if l.Shape != methods.ShapeSubspace {
		return 0
	}
	return 2*linalg.SymBytes(l.Support) + 8*l.Support*l.Support
}

// sampleGram are those of the kernel matrix of the sample.
func sampleGram(l Load) float64 { return linalg.SymBytes(min(l.N, MaxStored)) }

// featureSquare are those of a square in the coordinates of random features.
func featureSquare(l Load) float64 {
	if l.Shape != methods.ShapeFeatures {
		return 0
	}
	return linalg.SymBytes(l.Support) + 8*streamedRows*l.Support
}
