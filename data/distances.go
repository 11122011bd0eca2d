package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// poolDistances answers kernels' options for a pool of points: the mean square
// exactly, over all pairs of different points; quantiles over all pairs of up
// to distanceSample points picked by the data set's own stream, the same for
// every repeat.
type poolDistances struct {
	pool    files.Pool
	streams Streams
	ctx     context.Context // ends the passes over all points

	once   sync.Once
	sorted []float64
}

// RMS is √(mean ‖x_i−x_j‖²) over i ≠ j, in O(N·D).
func (p *poolDistances) RMS() (float64, error) {
	n, d := p.pool.Len(), p.pool.Dim()
	if n < 2 {
		return 0, errors.New("interpoint distances of fewer than two points")
	}
	centre := make([]float64, d)
	sum := 0.0
	err := errors.Join(
		files.Each(p.ctx, p.pool, func(_ int, row []float64) error {
			floats.AddScaled(centre, 1/float64(n), row)
			return nil
		}),
		files.Each(p.ctx, p.pool, func(_ int, row []float64) error {
			for j, v := range row {
				sum += (v - centre[j]) * (v - centre[j])
			}
			return nil
		}))
	if err != nil {
		return 0, err
	}
	if sum == 0 {
		return 0, fmt.Errorf("all %d points are equal, so their distances give no bandwidth: give sigma", n)
	}
	return math.Sqrt(2 * sum / float64(n-1)), nil
}

// Least is the least coordinate, in O(N·D).
func (p *poolDistances) Least() (float64, error) {
	least := math.Inf(1)
	err := files.Each(p.ctx, p.pool, func(_ int, row []float64) error {
		least = min(least, floats.Min(row))
		return nil
	})
	return least, err
}

// Dim is D.
func (p *poolDistances) Dim() int { return p.pool.Dim() }

// Quantile is the q-quantile, by linear interpolation between order statistics. It fails
// where that is 0, since so many points are equal.
func (p *poolDistances) Quantile(q float64) (float64, error) {
	if p.pool.Len() < 2 {
		return 0, errors.New("interpoint distances of fewer than two points")
	}
	p.once.Do(p.measure)
	at := q * float64(len(p.sorted)-1)
	low := int(at)
	high := min(low+1, len(p.sorted)-1)
	v := p.sorted[low] + (at-float64(low))*(p.sorted[high]-p.sorted[low])
	if v == 0 {
		equal := sort.Search(len(p.sorted), func(i int) bool { return p.sorted[i] > 0 })
		if equal == len(p.sorted) {
			return 0, fmt.Errorf("all %d points are equal, so their distances give no bandwidth: give sigma", min(p.pool.Len(), distanceSample))
		}
		share := float64(equal) / float64(len(p.sorted))
		return 0, fmt.Errorf("the %g-quantile of the distances between points is 0, for in %.3g %% of the pairs both points are equal: take {quantile: q} with q above %.3g, {rms: 1} or sigma", q, 100*share, share)
	}
	return v, nil
}

func (p *poolDistances) measure() {
	indices := p.streams.rand("bandwidth").Perm(p.pool.Len())
	indices = indices[:min(len(indices), distanceSample)]
	var x mat.Dense
	p.pool.Rows(indices, &x)
	for i := range indices {
		for j := range i {
			p.sorted = append(p.sorted, floats.Distance(x.RawRowView(i), x.RawRowView(j), 2))
		}
	}
	slices.Sort(p.sorted)
}

// distanceSample is how many generated points a bandwidth rule looks at.
const distanceSample = 2000
