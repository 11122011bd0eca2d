package lloyd

// Where half the gaps between centres cost more than 1/halfGapShare of an
// assignment, they are not computed.
const halfGapShare = 32

// chooseBounds picks by the measurements of BenchmarkBounds.
func chooseBounds(n, k, d int) Bounds {
	if d < 16 || n*k > 1<<28 {
		return Hamerly
	}
	return Elkan
}
