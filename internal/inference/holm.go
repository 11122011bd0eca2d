package inference

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts p-values for being many: the result, compared with a level,
// keeps the chance of any false rejection below it under every dependence.
//
// Reference: Holm, A simple sequentially rejective multiple test procedure,
// Scand. J. Statist. 6 (1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = math.Max(highest, math.Min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = highest
	}
	return adjusted
}
