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
	population, matrix := false, false
	for _, name := range names {
		m := Registry[name]
		population, matrix = population || m.has(NeedsPopulation), matrix || m.Matrix
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
	return evaluating(l, population, matrix).Plus(cost.Numbers(values + shared)).Plus(cost.Cost{Bytes: own})
}

// symmetricFlops is how long a product by Dsymm takes for an element of its matrix, which
// it writes out first: measured on 12,000 points, 13 ns with 5 functions.
const symmetricFlops = 100

// evaluating are the flops of the functions' moments: their values on an empirical
// population and products with its kernel matrix, or the iterated kernels of a closed
// form.
func evaluating(l Load, population, matrix bool) cost.Cost {
	switch {
	case l.Closed && l.Terms > 0:
		return cost.Cost{Flops: l.Support * l.Terms * (50 + 4*l.Width)}
	case l.Closed:
		return cost.Cost{Flops: l.Support * l.Support * (50 + 4*l.Width)}
	}
	flops := 2 * l.Points * l.Support * (l.Dim + l.Width)
	if population {
		flops += l.Points * l.Points * (symmetricFlops + 2*l.Width)
	}
	if l.Shape == methods.ShapeFeatures && matrix {
		flops += l.Points * l.Points * l.Width
		if l.Streamed {
			flops += cost.Values(l.Points*l.Points, l.Dim).Flops
		}
	}
	return cost.Cost{Flops: flops}
}
