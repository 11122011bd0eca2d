package lloyd

import "math"

// outsideBounds is what bounds remember of the products ⟨x_i, c_j⟩ outside the leading
// subspace: their values at the last evaluation of a point, and how far the
// centres' parts outside have moved since. A product there is that value, or 0,
// within the length of x_i outside times the drift since, or the length of c_j.
//
// So the squared distances of a point are known, to within a bound, by its few
// coordinates inside, without looking at the point.
type outsideBounds struct {
	*subspace
	k      int
	value  []float64 // n×k
	seen   []int32   // when: which of past; −1 never
	stale  []float64 // drift before that, which folding has added
	drift  []float64 // window×k
	most   []float64 // of the drifts, for each stamp
	length []float64 // k, of the centres now
	least  float64   // of the drifts for which 0 is the worse value: the largest length
}

func newOutsideBounds(p *points, k, window int) *outsideBounds {
	b := &outsideBounds{subspace: p.leading, k: k, value: make([]float64, p.n*k), seen: make([]int32, p.n), stale: make([]float64, p.n)}
	b.drift, b.most, b.length = make([]float64, window*k), make([]float64, window), make([]float64, k)
	for i := range b.seen {
		b.seen[i] = -1
	}
	return b
}

// measure computes the drifts since a stamp.
func (b *outsideBounds) measure(stamp int, now *centres, then []float64) {
	widen := 1 + 4*slack(now.d)
	b.most[stamp] = 0
	for j := range b.k {
		moved := math.Sqrt(SquaredDistance(now.outside[j*now.d:][:now.d], then[j*now.d:][:now.d])) * widen
		b.drift[stamp*b.k+j] = moved
		b.most[stamp] = max(b.most[stamp], moved)
	}
}

// now takes over the centres of the next assignment.
func (b *outsideBounds) now(c *centres) {
	b.least = 0
	for j := range b.k {
		length := 0.0
		for _, v := range c.outside[j*c.d:][:c.d] {
			length += v * v
		}
		b.length[j] = math.Sqrt(length) * (1 + 4*slack(c.d))
		b.least = max(b.least, b.length[j])
	}
}

// tighten bounds the squared distances of point i, of which inside are those that
// products inside alone give, each known to within rough: the label that must be
// right if sure, with bounds on the squared distances to it and to the next.
func (b *outsideBounds) tighten(i int, inside []float64, rough float64) (label int, atMost, atLeast float64, sure bool) {
	radius, value, stale := b.length, []float64(nil), 0.0
	if t := int(b.seen[i]); t >= 0 && b.most[t]+b.stale[i] < b.least {
		radius, value, stale = b.drift[t*b.k:][:b.k], b.value[i*b.k:][:b.k], b.stale[i]
	}
	outside := 2 * b.outside[i]
	rough += outside * stale
	atMost, atLeast = math.Inf(1), math.Inf(1)
	second, lowest := math.Inf(1), 0
	for j, v := range inside {
		if value != nil {
			v -= 2 * value[j]
		}
		room := outside*radius[j] + rough
		if v+room < atMost {
			atMost, label = v+room, j
		}
		if v -= room; v < atLeast {
			atLeast, second, lowest = v, atLeast, j
		} else if v < second {
			second = v
		}
	}
	if lowest == label {
		atLeast = second
	}
	return label, atMost, atLeast, atMost < atLeast
}

// record keeps the products of point i that were found with all coordinates.
func (b *outsideBounds) record(i, stamp int, inside, distance []float64) {
	b.seen[i], b.stale[i] = int32(stamp), 0
	value := b.value[i*b.k:][:b.k]
	for j := range value {
		value[j] = (inside[j] - distance[j]) / 2
	}
}

// fold makes what is remembered of point i that of the first of past.
func (b *outsideBounds) fold(i int) {
	if t := b.seen[i]; t >= 0 {
		b.stale[i] = (b.stale[i] + b.most[t]) * (1 + 0x1p-50)
		b.seen[i] = 0
	}
}
