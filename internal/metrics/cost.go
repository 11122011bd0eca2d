package metrics

import (
	"slices"

	"mercer/internal/cost"
	"mercer/methods"
)

// Cost is that of measuring a model, beside the model, the sample, the population and
// the kernel matrix of held-out points: the functions' values at the population's
// points with their images, coordinates that measures share, and the largest of what
// the measures form themselves.
func Cost(names []string, l Load) cost.Cost {
	var values, shared, own float64
	for _, name := range names {
		m := Registry[name]
		if !slices.Contains(m.Shapes, l.Shape) {
			continue
		}
		if m.has(NeedsPopulation) || m.has(NeedsHeldOut) {
			values = max(values, 4*l.Points*l.Width)
		}
		if m.has(NeedsPopulation) && (l.Shape == methods.ShapeSubspace || l.Shape == methods.ShapeFeatures) {
			// The product of the population's kernel matrix with the values is by Dsymm,
			// which writes out the square.
			values = l.Points*l.Points + 4*l.Points*l.Width
		}
		if m.Uncentred {
			shared = max(shared, l.Columns*l.Points) // in the population's functions
		}
		if m.span {
			shared = max(shared, l.N*l.Columns)
		}
		if m.Matrix {
			own = max(own, featureMoments(l).Bytes)
		}
		if m.forms != nil {
			own = max(own, m.forms(l).Bytes)
		}
	}
	return cost.Numbers(values + shared).Plus(cost.Cost{Bytes: own})
}
