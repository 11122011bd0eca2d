package lloyd

// Where half the gaps between centres cost more than 1/halfGapShare of an
// assignment, they are not computed.
const halfGapShare = 32

// bounds are those to use: Auto picks by the measurements of BenchmarkBounds.
func (o Options) bounds(n, k, d int) Bounds {
	switch {
	case o.MiniBatch > 0 || k == 1:
		return None
	case o.Bounds != Auto:
		return o.Bounds
	case d < leastSubspace || n < 16*mostDirections || n*k > 1<<28:
		return Hamerly
	}
	return Subspace
}
