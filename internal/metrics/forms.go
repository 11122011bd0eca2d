package metrics

import (
	"mercer/internal/cost"
	"mercer/internal/linalg"
	"mercer/methods"
)

// ofSketchOperators is the remainder of the kernel matrix of the points, its factor,
// and both with the population's functions side by side. Functions that carry the whole
// kernel leave no remainder: there are their values, weighed too, and the sketch's.
func ofSketchOperators(l Load) cost.Cost {
	if l.exhausted() {
		return cost.Numbers(l.Rank * (2*l.Support + l.Width))
	}
	return linalg.PivotedCost(l.Support).Plus(cost.Numbers(l.Support * (2*l.Points + l.Support)))
}

// ofSpan is the factor of the kernel matrix of a model's points; embeddings and sketches
// have theirs already.
func ofSpan(l Load) cost.Cost {
	if l.Shape != methods.ShapeSubspace || l.Columns < l.Support {
		return cost.Cost{}
	}
	return linalg.PivotedCost(l.Support)
}

// ofResidual is also the kernel matrix of the sample, or tiles of it.
func ofResidual(l Load) cost.Cost { return ofSpan(l).Then(cost.Symmetric(min(l.N, maxStored))) }

// ofTrace is nothing more than the span, but of features all of the matrix with its
// eigenpairs.
func ofTrace(l Load) cost.Cost {
	if !l.Span {
		return ofSpectrum(l)
	}
	return ofSpan(l)
}

// ofBest is also the leading eigenpairs, as many as K̂ has columns, beside the matrix.
func ofBest(l Load) cost.Cost {
	rank := min(l.N-1, l.Columns)
	return ofTrace(l).Then(cost.Symmetric(min(l.N, maxStored)).Plus(linalg.TopCost(l.N, rank)).Plus(cost.Numbers(l.N * rank)))
}

// ofSpectrum is also its eigenpairs.
func ofSpectrum(l Load) cost.Cost {
	return ofSpan(l).Then(cost.Symmetric(min(l.N, maxStored)).Plus(linalg.EigenCost(l.N)))
}

// ofPairs are images of the sample, and tiles of their distances.
func ofPairs(l Load) cost.Cost {
	return cost.Numbers(l.N*l.Width + 2*tileRows*tileRows)
}

// featureMoments is a square in the coordinates of random features, or those of fewer points.
func featureMoments(l Load) cost.Cost {
	if l.Shape != methods.ShapeFeatures {
		return cost.Cost{}
	}
	rows, order := float64(streamedRows), l.Columns
	if l.Points < order {
		rows, order = l.Points, l.Points
	}
	return cost.Symmetric(order).Plus(cost.Numbers(rows * l.Columns))
}
