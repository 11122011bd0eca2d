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
	single       []float32 // the points, where they are in single precision; raw is then empty
	stride       int       // of single
	n, d         int
	shift        []float64 // about the mean of the rows: the origin from which norms and centres are measured
	shiftNorm    float64
	norm2        []float64 // ‖x_i − shift‖²
	grid         grid
	meanVariance float64 // of the columns
	most         float64 // largest magnitude
}

// Magnitudes whose squares and their sums are safe from overflow and underflow.
const (
	largestMagnitude  = 1e145
	smallestMagnitude = 1e-145
)

// dense are the rows of x.
func dense(x *mat.Dense) *points {
	raw := x.RawMatrix()
	return &points{raw: raw, n: raw.Rows, d: raw.Cols}
}

// row is x_i: where it lies, or made of single precision in the buffer.
func (p *points) row(i int, buffer []float64) []float64 {
	if p.single == nil {
		return p.raw.Data[i*p.raw.Stride:][:p.d]
	}
	return p.widen(i, buffer)
}

// buffer is what row needs beside the points, nil for nothing.
func (p *points) buffer() []float64 {
	if p.single == nil {
		return nil
	}
	return make([]float64, p.d)
}

// widen is row of single precision.
func (p *points) widen(i int, buffer []float64) []float64 {
	x := p.single[i*p.stride:][:p.d]
	buffer = buffer[:len(x)]
	for c, v := range x {
		buffer[c] = float64(v)
	}
	return buffer
}

// copyRow copies x_i.
func (p *points) copyRow(dst []float64, i int) {
	if p.single != nil {
		p.widen(i, dst)
		return
	}
	copy(dst, p.row(i, nil))
}

// statisticParts is into how many runs of rows the statistics are divided; a
// constant, so that they do not depend on the number of goroutines.
const statisticParts = 64

// columnStatistics are sums over some rows, for each column.
type columnStatistics struct {
	sum, largest []float64 // of x − shift, and of |x|
	norm2        float64   // of all rows
	bad          int       // a row with NaN or Inf, −1 if there is none
}

// newPoints makes the pass. Cost: one pass over x, 8(n + 200d) bytes.
func newPoints(ctx context.Context, p *points) (*points, error) {
	p.norm2 = make([]float64, p.n)
	p.setShift()
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
	p.most = most
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
	rows, x := min(p.n, 256), p.buffer()
	for r := range rows {
		for c, v := range p.row(r*p.n/rows, x) {
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

// statistics looks at the rows [from, to).
func (p *points) statistics(from, to int) columnStatistics {
	s := columnStatistics{sum: make([]float64, p.d), largest: make([]float64, p.d), bad: -1}
	for i := from; i < to; i += 4 {
		rows := [4]int{i, min(i+1, to-1), min(i+2, to-1), min(i+3, to-1)}
		if p.single != nil {
			addStatistics(&s, p, rows, func(i int) []float32 { return p.single[i*p.stride:] })
		} else {
			addStatistics(&s, p, rows, func(i int) []float64 { return p.raw.Data[i*p.raw.Stride:] })
		}
	}
	return s
}

// addStatistics takes in four rows, of which the last may be repeated where there are fewer.
func addStatistics[T float](s *columnStatistics, p *points, rows [4]int, row func(i int) []T) {
	shift := p.shift
	i0, i1, i2, i3 := rows[0], rows[1], rows[2], rows[3]
	x0, x1, x2, x3 := row(i0)[:len(shift)], row(i1)[:len(shift)], row(i2)[:len(shift)], row(i3)[:len(shift)]
	sum, largest := s.sum[:len(shift)], s.largest[:len(shift)]
	w1, w2, w3 := float64(i1-i0), float64(i2-i1), float64(i3-i2) // 0 for a repeated row
	var n0, n1, n2, n3 float64
	for c, shifted := range shift {
		v0, v1, v2, v3 := float64(x0[c]), float64(x1[c]), float64(x2[c]), float64(x3[c])
		y0, y1, y2, y3 := v0-shifted, v1-shifted, v2-shifted, v3-shifted
		n0 += y0 * y0
		n1 += y1 * y1
		n2 += y2 * y2
		n3 += y3 * y3
		sum[c] += (y0 + w1*y1) + (w2*y2 + w3*y3)
		most := largest[c]
		if v0 = math.Abs(v0); v0 > most {
			most = v0
		}
		if v1 = math.Abs(v1); v1 > most {
			most = v1
		}
		if v2 = math.Abs(v2); v2 > most {
			most = v2
		}
		if v3 = math.Abs(v3); v3 > most {
			most = v3
		}
		largest[c] = most
	}
	p.norm2[i0], p.norm2[i1], p.norm2[i2], p.norm2[i3] = n0, n1, n2, n3
	s.norm2 += (n0 + w1*n1) + (w2*n2 + w3*n3)
	if all := n0 + n1 + n2 + n3; s.bad < 0 && (math.IsNaN(all) || math.IsInf(all, 0)) {
		for _, i := range []int{i3, i2, i1, i0} {
			if n := p.norm2[i]; math.IsNaN(n) || math.IsInf(n, 0) {
				s.bad = i
			}
		}
	}
}

// badValue names the first bad value of row i.
func (p *points) badValue(i int) error {
	for c, v := range p.row(i, p.buffer()) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("k-means: x[%d, %d] is %v: remove the row or fill the value in", i, c, v)
		}
	}
	return fmt.Errorf("k-means: the squares of row %d overflow: scale the data", i)
}

// SquaredDistance is ‖x − y‖² by differences, in one fixed order: the number
// that decides labels. Its relative error is below (d+2)·2^-53.
func SquaredDistance(x, y []float64) float64 { return squaredDistance(x, y) }

// distance is SquaredDistance of x_i and y.
func (p *points) distance(i int, y []float64) float64 {
	if p.single != nil {
		return squaredDistance(p.single[i*p.stride:][:p.d], y)
	}
	return squaredDistance(p.row(i, nil), y)
}

// float is a number of a point.
type float interface{ float32 | float64 }

func squaredDistance[T float](x []T, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		d0, d1, d2, d3 := float64(x[0])-y[0], float64(x[1])-y[1], float64(x[2])-y[2], float64(x[3])-y[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
		x, y = x[4:], y[4:]
	}
	for c, v := range x {
		d := float64(v) - y[c]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}

// Rows are taken in chunks, one to a goroutine at a time, and within a chunk
// the rows that need work are gathered in blocks for one product each. Both
// sizes depend on the shapes alone.
const (
	blockFloats   = 1 << 17 // of x in a block: 1 MB, so that it stays in cache
	leastRows     = 64      // of a block
	mostRows      = 1024
	blocksOfChunk = 4
)

// chunkRows is the number of rows of a chunk.
func (p *points) chunkRows() int { return blocksOfChunk * blockRows(p.d) }

func (p *points) chunks() int { return (p.n + p.chunkRows() - 1) / p.chunkRows() }

// eachChunk calls do for each chunk of rows [from, to).
func (p *points) eachChunk(ctx context.Context, workers int, do func(worker, chunk, from, to int)) error {
	size := p.chunkRows()
	return parallel(ctx, p.chunks(), workers, func(worker, chunk int) {
		do(worker, chunk, chunk*size, min(p.n, (chunk+1)*size))
	})
}

func blockRows(d int) int { return max(leastRows, min(mostRows, blockFloats/d)) }
