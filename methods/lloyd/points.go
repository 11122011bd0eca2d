package lloyd

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// points is the space of rows of coordinates, n×d, that are kept in double or in single
// precision. All that is computed of them is in double precision.
type points struct {
	items
	raw    blas64.General
	single blas32.General // the points, where they are in single precision; raw is then empty
	d      int

	// What one pass tells, by look:
	shift        []float64 // about the mean of the rows: the origin from which norms and centres are measured
	shiftNorm    float64
	norm2        []float64 // ‖x_i − shift‖²
	grid         grid
	meanVariance float64 // of the columns

	now     *centres
	sums    *clusterSums // nil with weights
	scratch []*scratch   // of goroutines
}

// Magnitudes whose squares and their sums are safe from overflow and underflow.
const (
	largestMagnitude  = 1e145
	smallestMagnitude = 1e-145
)

// Rows are taken in chunks, one to a goroutine at a time, and within a chunk
// the rows that need work are gathered in blocks for one product each. Both
// sizes depend on the shapes alone.
const (
	blockFloats   = 1 << 17 // of x in a block: 1 MB, so that it stays in cache
	leastRows     = 64      // of a block
	mostRows      = 1024
	blocksOfChunk = 4
)

func blockRows(d int) int { return max(leastRows, min(mostRows, blockFloats/max(1, d))) }

// dense are the rows of x.
func dense(x *mat.Dense, weights []float64) *points {
	raw := x.RawMatrix()
	return &points{items: newItems(min(raw.Rows, raw.Cols*raw.Rows), weights, blocksOfChunk*blockRows(raw.Cols)), raw: raw, d: raw.Cols}
}

// singles are the rows of x.
func singles(x blas32.General) *points {
	return &points{items: newItems(min(x.Rows, x.Cols*x.Rows), nil, blocksOfChunk*blockRows(x.Cols)), single: x, d: x.Cols}
}

func (p *points) isSingle() bool { return p.single.Data != nil }

// row is x_i: where it lies, or made of single precision in the buffer.
func (p *points) row(i int, buffer []float64) []float64 {
	if !p.isSingle() {
		return p.raw.Data[i*p.raw.Stride:][:p.d]
	}
	buffer = buffer[:p.d]
	for c, v := range p.singleRow(i) {
		buffer[c] = float64(v)
	}
	return buffer
}

func (p *points) singleRow(i int) []float32 { return p.single.Data[i*p.single.Stride:][:p.d] }

// buffer is what row needs beside the points, nil for nothing.
func (p *points) buffer() []float64 {
	if !p.isSingle() {
		return nil
	}
	return make([]float64, p.d)
}

// sample is a copy of some rows.
func (p *points) sample(rows []int) *points {
	if p.isSingle() {
		few := blas32.General{Rows: len(rows), Cols: p.d, Stride: p.d, Data: make([]float32, len(rows)*p.d)}
		for place, i := range rows {
			copy(few.Data[place*p.d:][:p.d], p.singleRow(i))
		}
		return singles(few)
	}
	few := mat.NewDense(len(rows), p.d, nil)
	for place, i := range rows {
		few.SetRow(place, p.row(i, nil))
	}
	return dense(few, nil)
}

// statisticParts is into how many runs of rows the statistics are divided; a
// constant, so that they do not depend on the number of goroutines.
const statisticParts = 64

// statistics are sums over some rows, for each column.
type statistics struct {
	sum, largest []float64 // of x − shift, weighted, and of |x|
	norm2        float64   // of all rows, weighted
	bad          int       // a row with NaN or Inf, −1 if there is none
}

// look makes the pass. Cost: one pass over x, 8(n + 200d) bytes.
func (p *points) look(ctx context.Context) error {
	p.norm2 = make([]float64, p.n)
	p.setShift()
	p.scratch = make([]*scratch, p.workers())
	for w := range p.scratch {
		p.scratch[w] = &scratch{}
	}
	parts := make([]statistics, min(statisticParts, p.n))
	err := parallel(ctx, len(parts), workers(len(parts)), func(_, part int) {
		parts[part] = p.statistics(part*p.n/len(parts), (part+1)*p.n/len(parts))
	})
	if err != nil {
		return err
	}
	sum, largest, norm2 := make([]float64, p.d), make([]float64, p.d), 0.0
	for _, part := range parts {
		if part.bad >= 0 {
			return p.badValue(part.bad)
		}
		norm2 += part.norm2
		floats.Add(sum, part.sum)
		for c, v := range part.largest {
			largest[c] = max(largest[c], v)
		}
	}
	if most := slices.Max(largest); most > largestMagnitude || most > 0 && most < smallestMagnitude {
		return fmt.Errorf("k-means: the largest magnitude of the data is %.3g, whose square is out of range: scale the data", most)
	}
	between := 0.0
	for _, v := range sum {
		between += v / p.total * v
	}
	p.meanVariance = max(0, norm2-between) / p.total / float64(p.d)
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
func (p *points) statistics(from, to int) statistics {
	s := statistics{sum: make([]float64, p.d), largest: make([]float64, p.d), bad: -1}
	buffer, y := p.buffer(), make([]float64, p.d)
	for i := from; i < to; i++ {
		x := p.row(i, buffer)
		shift, largest, y := p.shift[:len(x)], s.largest[:len(x)], y[:len(x)]
		for c, v := range x {
			y[c] = v - shift[c]
			if v = math.Abs(v); v > largest[c] {
				largest[c] = v
			}
		}
		p.norm2[i] = floats.Dot(y, y)
		s.norm2 += p.weight(i) * p.norm2[i]
		floats.AddScaled(s.sum, p.weight(i), y)
		if s.bad < 0 && (math.IsNaN(p.norm2[i]) || math.IsInf(p.norm2[i], 0)) {
			s.bad = i
		}
	}
	return s
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

// to is SquaredDistance of x_i and y.
func (p *points) to(i int, y []float64) float64 {
	if p.isSingle() {
		return squaredDistance(p.singleRow(i), y)
	}
	return squaredDistance(p.row(i, nil), y)
}

func squaredDistance[T float32 | float64](x []T, y []float64) float64 {
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

func (p *points) distance(i, j int) float64 { return p.to(i, p.now.row(j)) }

func (p *points) toItem(b int) func(a int) float64 {
	y := p.row(b, p.buffer())
	return func(a int) float64 { return p.to(a, y) }
}

func (p *points) variance() float64 { return p.meanVariance }

// cost is by differences: sums of chunks, added in order.
func (p *points) cost(ctx context.Context, c *clusters) (float64, error) {
	parts := make([]float64, p.chunks())
	err := p.eachChunk(ctx, func(_, chunk, from, to int) {
		for i := from; i < to; i++ {
			parts[chunk] += p.weight(i) * p.distance(i, c.labels[i])
		}
	})
	return sum(parts), err
}

func (p *points) centres() *mat.Dense { return mat.NewDense(p.now.k, p.d, p.now.data) }
