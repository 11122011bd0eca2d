package lloyd

import (
	"math"

	"mercer/internal/cost"
)

// usualIterations is how many iterations a start is taken to need.
const usualIterations = 30

// Cost is that of Cluster on n points in R^d, beside these: so many starts of 30
// iterations without bounds. For a point it counts its norm, label, bounds, and what
// the choice of the first centres remembers of it for each candidate; and the centres.
func Cost(n, d, k float64, starts int) cost.Cost {
	candidates := 2 + math.Floor(math.Log(max(k, 1)))
	point := 8*(4+candidates) + 8 + 16 + 4
	bytes := n*point + 8*k*d*7
	return cost.Cost{Flops: float64(starts) * usualIterations * 2 * n * d * k, Bytes: bytes}
}

// GramCost is that of Gram on n points, beside their Gram matrix: of an iteration,
// changes of a quarter of the points' clusters.
func GramCost(n, k float64, starts int) cost.Cost {
	return cost.Cost{Flops: float64(starts) * usualIterations * n * (n/4 + k), Bytes: 32*n*k + 100*n}
}
