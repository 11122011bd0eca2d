package lloyd

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// leastColumns is the fewest columns for which a product pays; below, distances
// are differences at once.
const leastColumns = 8

// leastPacked is the work of a product, in multiplications, from which OpenBLAS
// copies its operands first: for few columns that costs twice the product.
const leastPacked = 1000 * 1000

// productRows is how many rows one product with k centres takes.
func productRows(d, k int) int { return max(leastRows/4, min(blockRows(d), leastPacked/(d*k))) }

// slack is a relative bound, with room, on the rounding of the sums of d
// squares and products: more than 2(d+30) roundings.
func slack(d int) float64 { return float64(d+32) * 0x1p-52 }

// err bounds the absolute error of the squared distances of x_i.
func (c *centres) err(p *points, i int) float64 {
	reach := math.Sqrt(p.norm2[i]) + c.largest + 2*p.shiftNorm
	return slack(p.d) * reach * reach // reach² is more than any product that the distances are made of
}

// scratch is what one goroutine works with.
type scratch struct {
	index    []int     // rows of a chunk
	gathered []float64 // rows×d, where they do not lie together in x, or are single
	distance []float64 // rows×k
}

// block calls do for the rows in index, as many at a time as a product takes, with the
// products ⟨x_i, c_j − shift⟩ where the points have enough columns for these to pay.
func (p *points) block(worker int, c *centres, index []int, do func(i int, products []float64)) {
	s := p.scratch[worker]
	for block := range slices.Chunk(index, productRows(p.d, c.k)) {
		s.distance = sized(s.distance, len(block)*c.k)
		if p.d >= leastColumns {
			s.products(p, c, block)
		}
		for place, i := range block {
			do(i, s.distance[place*c.k:][:c.k])
		}
	}
}

// sized is a buffer of so many numbers.
func sized[T any](buffer []T, count int) []T { return slices.Grow(buffer[:0], count)[:count] }

// products computes ⟨x_i, c_j − shift⟩ of the given rows into s.distance.
func (s *scratch) products(p *points, c *centres, index []int) {
	a := blas64.General{Rows: len(index), Cols: p.d, Stride: p.d}
	if first, last := index[0], index[len(index)-1]; !p.isSingle() && last-first == len(index)-1 && slices.IsSorted(index) {
		a.Stride = p.raw.Stride
		a.Data = p.raw.Data[first*a.Stride : last*a.Stride+p.d]
	} else {
		s.gathered = sized(s.gathered, len(index)*p.d)
		a.Data = s.gathered
		for r, i := range index {
			row := a.Data[r*p.d:][:p.d]
			copy(row, p.row(i, row))
		}
	}
	b := blas64.General{Rows: c.k, Cols: c.d, Stride: c.d, Data: c.shifted}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, blas64.General{Rows: len(index), Cols: c.k, Stride: c.k, Data: s.distance})
}

// nearest has labels that differences alone would give, and the lowest of equals.
func (p *points) nearest(worker int, index []int, found func(item int, near nearest)) {
	p.block(worker, p.now, index, func(i int, distance []float64) {
		if p.d >= leastColumns {
			found(i, p.byProducts(i, distance))
		} else {
			found(i, p.byDifferences(i, distance))
		}
	})
}

// byProducts turns the products of x_i into squared distances, in place, and
// finds the nearest centre. Where rounding leaves more than one that could be
// the nearest, these are computed again by differences.
func (p *points) byProducts(i int, distance []float64) nearest {
	near := nearest{first: math.Inf(1), second: math.Inf(1), err: p.now.err(p, i)}
	norm2, offset := p.norm2[i], p.now.offset[:len(distance)]
	for j, product := range distance {
		value := norm2 + offset[j] - 2*product
		distance[j] = value
		if value < near.first {
			near.first, near.second, near.label = value, near.first, j
		} else if value < near.second {
			near.second = value
		}
	}
	limit := near.first + 2*near.err
	if near.second > limit {
		return near
	}
	best := math.Inf(1)
	for j, value := range distance {
		if value > limit {
			continue
		}
		direct := p.distance(i, j)
		if direct < best {
			best, near.label, near.tie = direct, j, false
		} else if direct == best {
			near.tie = true
		}
	}
	near.first = distance[near.label]
	near.second = math.Inf(1)
	for j, value := range distance {
		if j != near.label {
			near.second = min(near.second, value)
		}
	}
	return near
}

// byDifferences computes the squared distances of x_i into distance.
func (p *points) byDifferences(i int, distance []float64) nearest {
	near := nearest{first: math.Inf(1), second: math.Inf(1)}
	for j := range distance {
		value := p.distance(i, j)
		distance[j] = value
		switch {
		case value < near.first:
			near.first, near.second, near.label, near.tie = value, near.first, j, false
		case value < near.second:
			near.tie = near.tie || value == near.first
			near.second = value
		}
	}
	return near
}

// toItems has squared distances by products, rounded to 27 bits; where the error of a
// product could change these bits, differences decide: the draws are the same
// whatever computes the products.
func (p *points) toItems(chosen []int) func(worker, from, to int, distance [][]float64) {
	c := p.itemsAsCentres(chosen)
	return func(worker, from, to int, distance [][]float64) {
		s := p.scratch[worker]
		s.index = s.index[:0]
		for i := from; i < to; i++ {
			s.index = append(s.index, i)
		}
		p.block(worker, c, s.index, func(i int, products []float64) {
			for t, product := range products {
				distance[t][i] = p.coarse(c, i, t, product)
			}
		})
	}
}

// coarse is the squared distance of x_i to a centre, rounded to 27 bits.
func (p *points) coarse(c *centres, i, j int, product float64) float64 {
	if p.d >= leastColumns {
		value, err := p.norm2[i]+c.offset[j]-2*product, c.err(p, i)
		if low := coarse(value - err); value > err && low == coarse(value+err) {
			return low
		}
	}
	return coarse(p.to(i, c.row(j)))
}

// coarse rounds to 27 bits.
func coarse(v float64) float64 {
	return math.Float64frombits((math.Float64bits(v) + 1<<25) &^ (1<<26 - 1))
}
