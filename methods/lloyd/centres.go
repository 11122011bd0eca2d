package lloyd

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// centres are k centres, and what products need of them.
type centres struct {
	k, d    int
	data    []float64 // k×d
	shifted []float64 // k×d, c_j − shift
	offset  []float64 // ‖c_j − shift‖² + 2⟨shift, c_j − shift⟩
	largest float64   // max ‖c_j − shift‖
}

func newCentres(k, d int) *centres {
	return &centres{k: k, d: d, data: make([]float64, k*d), shifted: make([]float64, k*d), offset: make([]float64, k)}
}

func (c *centres) row(j int) []float64 { return c.data[j*c.d:][:c.d] }

// itemsAsCentres are centres at rows.
func (p *points) itemsAsCentres(chosen []int) *centres {
	c := newCentres(len(chosen), p.d)
	buffer := p.buffer()
	for j, i := range chosen {
		copy(c.row(j), p.row(i, buffer))
	}
	c.prepare(p)
	return c
}

// prepare computes what products with x need, after data has changed.
func (c *centres) prepare(p *points) {
	c.largest = 0
	for j := range c.k {
		row, shifted := c.row(j), c.shifted[j*c.d:][:c.d]
		norm2, cross := 0.0, 0.0
		for i, v := range row {
			y := v - p.shift[i]
			shifted[i] = y
			norm2 += y * y
			cross += p.shift[i] * y
		}
		c.offset[j] = norm2 + 2*cross
		c.largest = max(c.largest, math.Sqrt(norm2))
	}
}

// seed makes rows the centres.
func (p *points) seed(_ context.Context, chosen []int) error {
	p.begin(p.itemsAsCentres(chosen))
	return nil
}

// begin starts from centres.
func (p *points) begin(c *centres) {
	p.now, p.sums = c, nil
	p.now.prepare(p)
	if p.weights == nil {
		p.sums = newClusterSums(p, c.k)
	}
}

func (p *points) follow(worker, from, to int, labels []int) {
	if p.sums != nil {
		p.sums.follow(&p.sums.parts[worker], labels, from, to)
	}
}

func (p *points) means(_ context.Context, c *clusters) (shift float64, err error) {
	means := make([]float64, len(p.now.data))
	if p.sums != nil {
		p.sums.means(c, means)
	} else {
		for _, m := range c.members(&p.items) {
			floats.AddScaled(means[m.cluster*p.d:][:p.d], m.weight/c.count[m.cluster], p.row(m.item, nil))
		}
	}
	for j, count := range c.count {
		if count > 0 {
			mean := means[j*p.d:][:p.d]
			shift += SquaredDistance(mean, p.now.row(j))
			copy(p.now.row(j), mean)
		}
	}
	p.now.prepare(p)
	return shift, nil
}

// clusterSums are exact sums of the rows of each cluster, kept up to date by the rows that
// change cluster.
type clusterSums struct {
	points *points
	owner  []int // the cluster of each row, −1 for none
	sums   *sums
	parts  []clusterChanges // of goroutines
}

// clusterChanges are what a goroutine has found since the last means.
type clusterChanges struct {
	sums   *sums
	buffer []float64 // for a row
}

func newClusterSums(p *points, k int) *clusterSums {
	s := &clusterSums{p, slices.Repeat([]int{-1}, p.n), newSums(p.grid, k), make([]clusterChanges, p.workers())}
	for w := range s.parts {
		s.parts[w] = clusterChanges{newSums(p.grid, k), p.buffer()}
	}
	return s
}

// means writes the means of clusters, k×d.
func (s *clusterSums) means(c *clusters, means []float64) {
	for _, part := range s.parts {
		s.sums.absorb(part.sums)
	}
	for at := range means {
		means[at] = (s.sums.hi[at] + s.sums.lo[at]) / c.count[at/s.points.d]
	}
}

// follow takes in the rows [from, to) whose label has changed.
func (s *clusterSums) follow(part *clusterChanges, labels []int, from, to int) {
	for i := from; i < to; i++ {
		old, label := s.owner[i], labels[i]
		if old == label {
			continue
		}
		x := s.points.row(i, part.buffer)
		part.sums.add(label, 1, x)
		if old >= 0 {
			part.sums.add(old, -1, x)
		}
		s.owner[i] = label
	}
}
