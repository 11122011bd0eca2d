package lloyd

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// points is the data and what is known of it after one pass.
type points struct {
	raw          blas64.General
	n, d         int
	shift        []float64 // about the mean of the rows: the origin from which norms and centres are measured
	shiftNorm    float64
	norm2        []float64 // ‖x_i − shift‖²
	grid         grid
	meanVariance float64   // of the columns
	leading      *subspace // nil where bounds do not need it
}

// Magnitudes whose squares and their sums are safe from overflow and underflow.
const (
	largestMagnitude  = 1e145
	smallestMagnitude = 1e-145
)

// row is x_i.
func (p *points) row(i int) []float64 { return p.raw.Data[i*p.raw.Stride:][:p.d] }

// statisticParts is into how many runs of rows the statistics are divided; a
// constant, so that they do not depend on the number of goroutines.
const statisticParts = 64

// columnStatistics are sums over some rows, for each column.
type columnStatistics struct {
	sum, largest []float64 // of x − shift, and of |x|
	norm2        float64   // of all rows
	bad          int       // a row with NaN or Inf, −1 if there is none
}

// newPoints makes the pass, and finds coordinates in the leading subspace if told
// so. Cost: one pass over x, 8(n + 200d) bytes; with the subspace, 2ndr flops and
// 8n(r + 1) bytes, r at most mostDirections.
func newPoints(ctx context.Context, x *mat.Dense, subspace bool) (*points, error) {
	raw := x.RawMatrix()
	p := &points{raw: raw, n: raw.Rows, d: raw.Cols, norm2: make([]float64, raw.Rows)}
	p.setShift()
	if subspace {
		var err error
		if p.leading, err = newSubspace(ctx, p); err != nil {
			return nil, err
		}
	}
	parts := make([]columnStatistics, min(statisticParts, p.n))
	err := parallel(ctx, len(parts), workers(len(parts)), func(_, part int) {
		parts[part] = p.statistics(part*p.n/len(parts), (part+1)*p.n/len(parts))
	})
	if err != nil {
		return nil, err
	}
	return p, p.gather(parts)
}

// gather puts the statistics of all parts together.
func (p *points) gather(parts []columnStatistics) error {
	sum, largest, norm2 := make([]float64, p.d), make([]float64, p.d), 0.0
	for _, part := range parts {
		if part.bad >= 0 {
			return p.badValue(part.bad)
		}
		norm2 += part.norm2
		for c := range p.d {
			sum[c] += part.sum[c]
			largest[c] = max(largest[c], part.largest[c])
		}
	}
	most := slices.Max(largest)
	if most > largestMagnitude || most > 0 && most < smallestMagnitude {
		return fmt.Errorf("k-means: the largest magnitude of the data is %.3g, whose square is out of range: scale the data", most)
	}
	between := 0.0
	for _, v := range sum {
		between += v / float64(p.n) * v
	}
	p.meanVariance = max(0, norm2-between) / float64(p.n) / float64(p.d)
	p.grid = newGrid(largest, p.n)
	return nil
}

// setShift takes the mean of up to 256 rows spread evenly: near enough to the
// mean of all to keep sums of squares from cancelling, and no pass over x.
func (p *points) setShift() {
	p.shift = make([]float64, p.d)
	rows := min(p.n, 256)
	for r := range rows {
		for c, v := range p.row(r * p.n / rows) {
			p.shift[c] += v / float64(rows)
		}
	}
	for c, v := range p.shift {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			p.shift[c] = 0 // the pass will find the bad value
		}
		p.shiftNorm = math.Hypot(p.shiftNorm, p.shift[c])
	}
}

// statistics looks at the rows [from, to), block by block, so that what else is
// made of a block finds it in cache.
func (p *points) statistics(from, to int) columnStatistics {
	s := columnStatistics{sum: make([]float64, p.d), largest: make([]float64, p.d), bad: -1}
	size := blockRows(p.d)
	for ; from < to; from += size {
		end := min(to, from+size)
		for i := from; i < end; i++ {
			norm2 := s.add(p.row(i), p.shift)
			p.norm2[i] = norm2
			s.norm2 += norm2
			if (math.IsNaN(norm2) || math.IsInf(norm2, 0)) && s.bad < 0 {
				s.bad = i
			}
		}
		if p.leading != nil {
			p.leading.project(p, from, end)
		}
	}
	return s
}

// add takes a row in and returns its ‖x − shift‖².
func (s *columnStatistics) add(row, shift []float64) float64 {
	var n0, n1 float64
	sum, largest := s.sum, s.largest
	for len(row) >= 2 && len(shift) >= 2 && len(sum) >= 2 && len(largest) >= 2 {
		v0, v1 := row[0], row[1]
		y0, y1 := v0-shift[0], v1-shift[1]
		n0 += y0 * y0
		n1 += y1 * y1
		sum[0] += y0
		sum[1] += y1
		if v0 = math.Abs(v0); v0 > largest[0] {
			largest[0] = v0
		}
		if v1 = math.Abs(v1); v1 > largest[1] {
			largest[1] = v1
		}
		row, shift, sum, largest = row[2:], shift[2:], sum[2:], largest[2:]
	}
	if len(row) > 0 {
		y := row[0] - shift[0]
		n0 += y * y
		sum[0] += y
		largest[0] = max(largest[0], math.Abs(row[0]))
	}
	return n0 + n1
}

// badValue names the first bad value of row i.
func (p *points) badValue(i int) error {
	for c, v := range p.row(i) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("k-means: x[%d, %d] is %v: remove the row or fill the value in", i, c, v)
		}
	}
	return fmt.Errorf("k-means: the squares of row %d overflow: scale the data", i)
}

// squaredDistance is ‖x − y‖² by differences, in one fixed order: the number
// that decides labels. Its relative error is below (d+2)·2^-53.
func squaredDistance(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		d0, d1, d2, d3 := x[0]-y[0], x[1]-y[1], x[2]-y[2], x[3]-y[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		x, y = x[4:], y[4:]
	}
	for c, v := range x {
		d := v - y[c]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}
