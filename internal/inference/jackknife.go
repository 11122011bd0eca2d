package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// LogSpreads are the pseudo-values n·θ − (n−1)·θ_(i) of θ = log sd, θ_(i) without value i.
func LogSpreads(values []float64) []float64 {
	n, unit := float64(len(values)), unitOf(values)
	scaled := floats.ScaleTo(make([]float64, len(values)), 1/unit, values)
	mean, squares := stat.Mean(scaled, nil), 0.0
	for _, v := range scaled {
		squares += (v - mean) * (v - mean)
	}
	pseudo := make([]float64, len(values))
	for i, v := range scaled {
		rest := squares - (v-mean)*(v-mean)*n/(n-1)
		if rest <= 1e-6*squares { // rounding: all others are nearly the same
			others := slices.Delete(slices.Clone(scaled), i, i+1)
			rest = stat.Variance(others, nil) * (n - 2)
		}
		pseudo[i] = (n*math.Log(squares/(n-1))-(n-1)*math.Log(rest/(n-2)))/2 + math.Log(unit)
	}
	return pseudo
}
