package metrics

import (
	"slices"

	"mercer/internal/cost"
	"mercer/internal/linalg"
	"mercer/methods"
)

// Load is the size of what a model is measured on.
type Load struct {
	Shape   string  // of the model
	N, Dim  float64 // points of the sample, in R^Dim
	Support float64 // points or random features that the model's functions are sums over
	Width   float64 // functions of the model
	// Points are those of an empirical population, 0 where there is none. Closed says
	// that it has a closed form instead, under a kernel of so high a rank, 0 for none
	// that is finite.
	Points, Rank float64
	Closed       bool
}

// coordinates are what the model's functions are sums over: of random features two
// each at most.
func (l Load) coordinates() float64 {
	if l.Shape == methods.ShapeFeatures {
		return 2 * l.Support
	}
	return l.Support
}

// has says whether measures of a need are defined.
func (m Measure) has(need string) bool { return slices.Contains(m.Needs, need) }

// Cost is that of measuring a model, beside the model, the sample, the population and
// the kernel matrix of held-out points: the functions' values at the population's
// points with their images, coordinates that measures share, and the largest of what
// the measures form themselves.
func Cost(names []string, l Load) cost.Cost {
	var values, shared, own float64
	for _, name := range names {
		m := Registry[name]
		if m.Shapes != nil && !slices.Contains(m.Shapes, l.Shape) {
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
			shared = max(shared, l.coordinates()*l.Points) // in the population's functions
		}
		if m.span {
			shared = max(shared, l.N*l.coordinates())
		}
		if m.forms != nil {
			own = max(own, m.forms(l).Bytes)
		}
	}
	return evaluating(names, l).Plus(cost.Numbers(values + shared)).Plus(cost.Cost{Bytes: own})
}

// evaluating are the flops of the functions' moments: their values on an empirical
// population and products with its kernel matrix, or the iterated kernels of a closed
// form.
func evaluating(names []string, l Load) cost.Cost {
	needs := func(what func(m Measure) bool) bool {
		return slices.ContainsFunc(names, func(name string) bool { return what(Registry[name]) })
	}
	switch {
	case l.Closed && l.Rank > 0:
		return cost.Cost{Flops: l.Support * l.Rank * (50 + 4*l.Width)}
	case l.Closed:
		return cost.Cost{Flops: l.Support * l.Support * (50 + 4*l.Width)}
	}
	flops := 2 * l.Points * l.Support * (l.Dim + l.Width)
	if needs(func(m Measure) bool { return m.has(NeedsPopulation) }) {
		flops += 2 * l.Points * l.Points * l.Width
	}
	if l.Shape == methods.ShapeFeatures && needs(func(m Measure) bool { return m.Matrix }) {
		flops += l.Points * l.Points * (l.Dim + l.Width)
	}
	return cost.Cost{Flops: flops}
}

// ofSketchOperators is the remainder of the kernel matrix of the points, its factor,
// and both with the population's functions side by side.
func ofSketchOperators(l Load) cost.Cost {
	return linalg.PivotedCost(l.Support).Plus(cost.Numbers(l.Support * (2*l.Points + l.Support)))
}

// ofSketchPoints is the kernel matrix of the points, with its factor.
func ofSketchPoints(l Load) cost.Cost { return linalg.PivotedCost(l.Support) }

// ofSpan is the factor of the kernel matrix of a model's points; embeddings have
// theirs already.
func ofSpan(l Load) cost.Cost {
	if l.Shape != methods.ShapeSubspace {
		return cost.Cost{}
	}
	return linalg.PivotedCost(l.Support)
}

// ofResidual is also the kernel matrix of the sample.
func ofResidual(l Load) cost.Cost { return ofSpan(l).Then(cost.Symmetric(min(l.N, maxStored))) }

// ofSpectrum is also its eigenpairs.
func ofSpectrum(l Load) cost.Cost {
	return ofSpan(l).Then(cost.Symmetric(min(l.N, maxStored)).Plus(linalg.EigenCost(l.N)))
}

// ofMeans is also three tiles of kernel values.
func ofMeans(l Load) cost.Cost { return ofSpan(l).Then(cost.Numbers(3 * tileRows * tileRows)) }

// ofPairs are images of the sample, and tiles of their distances.
func ofPairs(l Load) cost.Cost {
	return cost.Numbers(l.N*l.Width + 2*tileRows*tileRows)
}

// ofFeatures is a square in the coordinates of random features.
func ofFeatures(l Load) cost.Cost {
	if l.Shape != methods.ShapeFeatures {
		return cost.Cost{}
	}
	return cost.Symmetric(l.coordinates()).Plus(cost.Numbers(streamedRows * l.coordinates()))
}
