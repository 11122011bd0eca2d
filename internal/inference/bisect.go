package inference

// Bisect is where, between low and high, reached turns from false at low to true at
// high, to a rounding error of their distance.
func Bisect(low, high float64, reached func(float64) bool) float64 {
	for range 50 {
		if middle := (low + high) / 2; reached(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}
