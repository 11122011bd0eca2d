package lloyd

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/linalg/vector"
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

// centres are k centres, and what products need of them.
type centres struct {
	k, d    int
	data    []float64            // k×d
	shifted []float64            // k×d, c_j − shift
	norm2   []float64            // ‖c_j − shift‖²
	offset  []float64            // ‖c_j − shift‖² + 2⟨shift, c_j − shift⟩
	largest float64              // max ‖c_j − shift‖
	single  *vector.PackedSingle // shifted, for products in single precision; nil where these are in double
}

func newCentres(k, d int) *centres {
	return &centres{k: k, d: d, data: make([]float64, k*d), shifted: make([]float64, k*d), norm2: make([]float64, k), offset: make([]float64, k)}
}

func (c *centres) row(j int) []float64 { return c.data[j*c.d:][:c.d] }

// shift computes what products with x need, after data has changed.
func (c *centres) shift(p *points) {
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
		c.norm2[j], c.offset[j] = norm2, norm2+2*cross
		c.largest = max(c.largest, math.Sqrt(norm2))
	}
}

// mostSingle is the magnitude of points and centres up to which products in single
// precision cannot overflow.
const mostSingle = 1e15

// pack makes centres ready for products in single precision with the points, where these
// are so and no product can overflow.
func (c *centres) pack(p *points) {
	c.single = nil
	if p.single != nil && p.d >= leastColumns && p.most <= mostSingle && c.largest <= mostSingle {
		c.single = vector.PackSingle(blas.Trans, blas64.General{Rows: c.k, Cols: c.d, Stride: c.d, Data: c.shifted})
	}
}

// err bounds the absolute error of the squared distances of x_i: that of sums in double
// precision, and of products in single precision their rounding and what underflows.
func (c *centres) err(p *points, i int) float64 {
	err := slack(p.d) * p.reach2(i, c)
	if c.single != nil {
		size := math.Sqrt(p.norm2[i]) + p.shiftNorm // at least ‖x_i‖
		err += 2 * (vector.SingleError(p.d)*size*c.largest + float64(p.d)*(1+size)*0x1p-126)
	}
	return err
}

// scratch is what one goroutine works with.
type scratch struct {
	open     []int     // rows of the chunk that need work
	gathered []float64 // rows×d, where they do not lie together in x, or are single
	distance []float64 // rows×k
	single   []float32 // the same, of products in single precision
	gained   [][]int   // of a chunk: points that came to each cluster
	lost     [][]int   // and left it
	delta    *sums     // points that changed cluster
	counts   counts
}

// counts of an assignment.
type counts struct{ changed, ties, evaluated int }

func newScratch(p *points, k int) *scratch {
	rows, chunk := min(productRows(p.d, k), p.n), min(p.chunkRows(), p.n)
	s := &scratch{open: make([]int, 0, chunk), distance: make([]float64, rows*k),
		gained: make([][]int, k), lost: make([][]int, k), delta: newSums(p.grid, k, p.d)}
	return s
}

// products computes ⟨x_i, c_j − shift⟩ of the given rows into s.distance.
func (s *scratch) products(p *points, c *centres, index []int) {
	if c.single != nil {
		s.singleProducts(p, c, index)
		return
	}
	rows := len(index)
	a := blas64.General{Rows: rows, Cols: p.d, Stride: p.d}
	if first := index[0]; p.single == nil && consecutive(index) {
		a.Stride = p.raw.Stride
		a.Data = p.raw.Data[first*a.Stride : (first+rows-1)*a.Stride+p.d]
	} else {
		if s.gathered == nil {
			s.gathered = make([]float64, min(productRows(p.d, c.k), p.n)*p.d)
		}
		a.Data = s.gathered[:rows*p.d]
		for r, i := range index {
			p.copyRow(a.Data[r*p.d:][:p.d], i)
		}
	}
	b := blas64.General{Rows: c.k, Cols: c.d, Stride: c.d, Data: c.shifted}
	out := blas64.General{Rows: rows, Cols: c.k, Stride: c.k, Data: s.distance[:rows*c.k]}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, out)
}

// singleProducts is products in single precision, of the rows where they lie.
func (s *scratch) singleProducts(p *points, c *centres, index []int) {
	if s.single == nil {
		s.single = make([]float32, len(s.distance))
	}
	rows := make([]int, len(index))
	for r, i := range index {
		rows[r] = i * p.stride
	}
	out := s.single[:len(index)*c.k]
	c.single.Mul(1, p.single, rows, blas32.General{Rows: len(index), Cols: c.k, Stride: c.k, Data: out}, false)
	for i, v := range out {
		s.distance[i] = float64(v)
	}
}

func consecutive(index []int) bool {
	for r, i := range index {
		if i != index[0]+r {
			return false
		}
	}
	return true
}

// evaluate computes all distances of the given rows, at most productRows, and calls
// found with the place of each in index and what is nearest.
func (s *scratch) evaluate(p *points, c *centres, index []int, found func(place int, near nearest)) {
	if p.d >= leastColumns {
		s.products(p, c, index)
	}
	for place, i := range index {
		distance := s.distance[place*c.k:][:c.k]
		if p.d >= leastColumns {
			found(place, byProducts(p, c, i, distance))
		} else {
			found(place, byDifferences(p, c, i, distance))
		}
	}
}

// nearest is what an evaluation finds.
type nearest struct {
	label         int
	tie           bool
	first, second float64 // squared distances to the nearest centre and to the next
	err           float64 // bound on the absolute error of all squared distances
}

// byProducts turns the products of x_i into squared distances, in place, and
// finds the nearest centre. Where rounding leaves more than one that could be
// the nearest, these are computed again by differences, so that the label is
// always the one that differences alone would give, and the lowest of equals.
func byProducts(p *points, c *centres, i int, distance []float64) nearest {
	near := nearest{first: math.Inf(1), second: math.Inf(1), err: c.err(p, i)}
	norm2, offset := p.norm2[i], c.offset[:len(distance)]
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
		direct := p.distance(i, c.row(j))
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

// reach2 is more than any product that the distances of x_i are made of.
func (p *points) reach2(i int, c *centres) float64 {
	reach := math.Sqrt(p.norm2[i]) + c.largest + 2*p.shiftNorm
	return reach * reach
}

// byDifferences computes the squared distances of x_i into distance.
func byDifferences(p *points, c *centres, i int, distance []float64) nearest {
	near := nearest{first: math.Inf(1), second: math.Inf(1)}
	for j := range distance {
		value := p.distance(i, c.row(j))
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
