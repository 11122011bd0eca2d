package data

import (
	"mercer/internal/cost"
	"mercer/internal/linalg"
)

// OperatorsCost is that of the operators of an empirical population of points in R^dim,
// beside these: what is kept of them, the kernel matrix and ell eigenfunctions, and what is
// held while these are found. Those of the uncentred operator take a pivoted factor of
// the matrix, and its square.
func OperatorsCost(points, dim, ell float64, uncentred bool) (kept, spectrum cost.Cost) {
	kept = cost.Gram(points, dim).Plus(cost.Numbers(points * ell))
	kept.Flops += 50 * points * points // centring and traces, which wait for memory
	spectrum = linalg.TopCost(points, ell)
	if uncentred {
		square := cost.Symmetric(points)
		kept.Flops += linalg.PivotedCost(points).Flops
		kept = kept.Plus(cost.Numbers(points * points)).Plus(square)
		spectrum = spectrum.Then(square.Plus(square))
	}
	return kept, spectrum
}
