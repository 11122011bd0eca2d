package lloyd

import "math"

// Bytes estimates what Cluster takes beside n points in R^d: for a point its norm,
// label, bounds, and what the choice of the first centres remembers of it for each
// candidate; in high dimension coordinates in the leading directions, and the
// sample that these are found on; the centres of past iterations.
func Bytes(n, d, k float64) float64 {
	candidates := 2 + math.Floor(math.Log(max(k, 1)))
	point := 8*(4+candidates) + 8 + 20 + 4
	bytes := n*point + 8*k*d*6
	if d >= leastSubspace {
		r := math.Min(mostDirections, (d+3)/4)
		rows := math.Min(n, subspaceRows)
		bytes += 8*n*(r+1) + 8*rows*d + 8*r*d*rows/256
	}
	return bytes + 8*k*d*min(mostHistory, max(2, historyFloats/(2*k*max(d, 1))))/2
}
