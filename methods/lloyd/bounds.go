package lloyd

import (
	"math"
	"slices"
)

// bounds remember of each point an upper bound on the distance to its own centre and a
// lower one on those to the others. They are widened by what the centres move in each
// iteration, until the point is evaluated again.
//
// A point whose upper bound is below the lower one keeps its label: by the triangle
// inequality no other centre can be nearer. Every bound is widened by more than its
// rounding, so that this holds of computed distances too.
//
// Reference: Hamerly, Making k-means even faster, SDM 2010.
type bounds struct {
	points *points
	widen  float64
	upper  []float64
	near   []float64 // to the nearest of the other centres
	before []float64 // the centres of the last assignment; nil before the first
	moved  []float64 // how far each centre is from there

	first, second float64 // the largest two of these
	whose         int     // the centre that moved farthest
}

// newBounds is nil where there is no other centre.
func newBounds(p *points, k int) *bounds {
	if k == 1 {
		return nil
	}
	b := &bounds{points: p, widen: 4 * slack(p.d), moved: make([]float64, k)}
	b.upper, b.near = make([]float64, p.n), make([]float64, p.n)
	for i := range b.upper {
		b.forget(i)
	}
	return b
}

// forget makes point i be evaluated next time.
func (b *bounds) forget(i int) { b.upper[i] = math.Inf(1) }

// holds brings the bounds of point i up to the centres now, and says whether it certainly
// keeps its label.
func (b *bounds) holds(i, label int) bool {
	others := b.first
	if b.whose == label {
		others = b.second
	}
	b.upper[i] = (b.upper[i] + b.moved[label]) * (1 + 0x1p-50)
	b.near[i] = (b.near[i] - others) - 0x1p-50*(math.Abs(b.near[i])+others)
	return b.upper[i] < b.near[i]
}

// record keeps bounds on the squared distances to the own and to the next centre.
func (b *bounds) record(i int, atMost, atLeast float64) {
	b.upper[i] = math.Sqrt(max(0, atMost)) * (1 + b.widen)
	b.near[i] = math.Sqrt(max(0, atLeast)) * (1 - b.widen)
}

// advance takes over the centres of the next assignment: k·d differences.
func (b *bounds) advance() {
	now := b.points.now
	b.first, b.second, b.whose = 0, 0, -1
	for j := range b.moved {
		if b.before != nil {
			b.moved[j] = math.Sqrt(SquaredDistance(now.row(j), b.before[j*now.d:][:now.d])) * (1 + b.widen)
		}
		if b.moved[j] > b.first {
			b.first, b.second, b.whose = b.moved[j], b.first, j
		} else {
			b.second = max(b.second, b.moved[j])
		}
	}
	b.before = slices.Clone(now.data)
}
