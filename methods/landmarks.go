package methods

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// landmarks names a rule that picks m of the n sample points.
type landmarks string

func checkLandmarks(name string) (landmarks, error) {
	switch name {
	case "uniform", "first":
		return landmarks(name), nil
	}
	return "", fmt.Errorf("landmarks %q: must be uniform (without replacement) or first (the first m points)", name)
}

// pick returns the indices of m landmarks among n points: those of a smaller m
// are the first of a larger one. Uniform landmarks are the points with the m
// smallest of n independent uniform marks.
func (l landmarks) pick(n, m int, rng *rand.Rand) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	if l == "first" {
		return indices[:m]
	}
	marks := make([]float64, n)
	for i := range marks {
		marks[i] = rng.Float64()
	}
	slices.SortStableFunc(indices, func(i, j int) int {
		switch {
		case marks[i] < marks[j]:
			return -1
		case marks[i] > marks[j]:
			return 1
		}
		return 0
	})
	return indices[:m]
}
