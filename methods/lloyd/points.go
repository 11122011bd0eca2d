package lloyd

import (
	"context"
	"fmt"
	"math"

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
	meanVariance float64 // of the columns
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
	sum, sum2, largest []float64
	bad                int // a row with NaN or Inf, −1 if there is none
}

// newPoints makes the pass. Cost: one pass over x, 8(n + 200d) bytes.
func newPoints(ctx context.Context, x *mat.Dense) (*points, error) {
	raw := x.RawMatrix()
	p := &points{raw: raw, n: raw.Rows, d: raw.Cols, norm2: make([]float64, raw.Rows)}
	p.setShift()
	parts := make([]columnStatistics, min(statisticParts, p.n))
	err := parallel(ctx, len(parts), workers(len(parts)), func(_, part int) {
		parts[part] = p.statistics(part*p.n/len(parts), (part+1)*p.n/len(parts))
	})
	if err != nil {
		return nil, err
	}
	total := columnStatistics{make([]float64, p.d), make([]float64, p.d), make([]float64, p.d), -1}
	for _, part := range parts {
		if part.bad >= 0 {
			return nil, p.badValue(part.bad)
		}
		for c := range p.d {
			total.sum[c] += part.sum[c]
			total.sum2[c] += part.sum2[c]
			total.largest[c] = max(total.largest[c], part.largest[c])
		}
	}
	largest := 0.0
	for c := range p.d {
		largest = max(largest, total.largest[c])
		mean := total.sum[c] / float64(p.n)
		p.meanVariance += max(0, total.sum2[c]/float64(p.n)-mean*mean) / float64(p.d)
	}
	if largest > largestMagnitude || largest > 0 && largest < smallestMagnitude {
		return nil, fmt.Errorf("k-means: the largest magnitude of the data is %.3g, whose square is out of range: scale the data", largest)
	}
	p.grid = newGrid(total.largest, p.n)
	return p, nil
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

func (p *points) statistics(from, to int) columnStatistics {
	s := columnStatistics{make([]float64, p.d), make([]float64, p.d), make([]float64, p.d), -1}
	shift := p.shift
	for i := from; i < to; i++ {
		row := p.row(i)
		sum, sum2, largest := s.sum[:len(row)], s.sum2[:len(row)], s.largest[:len(row)]
		norm2 := 0.0
		for c, v := range row {
			y := v - shift[c]
			square := y * y
			sum[c] += y
			sum2[c] += square
			norm2 += square
			if v = math.Abs(v); v > largest[c] {
				largest[c] = v
			}
		}
		p.norm2[i] = norm2
		if (math.IsNaN(norm2) || math.IsInf(norm2, 0)) && s.bad < 0 {
			s.bad = i
		}
	}
	return s
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
