package lloyd

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// gramSums are Σ_{r∈j} K_ri of each centre j and point i, exact as in sums: what
// changes is what the points that change cluster contribute.
type gramSums struct {
	*gramMatrix
	k      int
	owner  []int     // the centre that each point belongs to, −1 for none
	hi, lo []float64 // k×n
	count  []int
	total  []float64 // Σ_{r,s∈j} K_rs
}

func newGramSums(m *gramMatrix, k int) *gramSums {
	s := &gramSums{gramMatrix: m, k: k, owner: make([]int, m.n), hi: make([]float64, k*m.n), lo: make([]float64, k*m.n), count: make([]int, k), total: make([]float64, k)}
	for i := range s.owner {
		s.owner[i] = -1
	}
	return s
}

// sum is Σ_{r∈j} K_ri.
func (s *gramSums) sum(j, i int) float64 { return s.hi[j*s.n+i] + s.lo[j*s.n+i] }

// move is a point that changes its centre, from −1 if it had none.
type move struct{ point, from, to int }

// set makes the centres the means of the points of each label. Cost: n for each
// point whose label has changed, or n² where these are many.
func (s *gramSums) set(ctx context.Context, labels []int) error {
	var moves []move
	anew := false
	for i, label := range labels {
		if label != s.owner[i] {
			moves = append(moves, move{i, s.owner[i], label})
			anew = anew || label < 0
		}
	}
	if anew || len(moves) > s.n/2 {
		clear(s.hi)
		clear(s.lo)
		moves = moves[:0]
		for i, label := range labels {
			if label >= 0 {
				moves = append(moves, move{i, -1, label})
			}
		}
	}
	const width = 256
	tasks := (s.n + width - 1) / width
	err := parallel(ctx, tasks, workers(tasks), func(_, task int) {
		s.apply(moves, task*width, min(s.n, (task+1)*width))
	})
	copy(s.owner, labels)
	s.totals()
	return err
}

// apply brings the sums of the points in [from, to) up to date.
func (s *gramSums) apply(moves []move, from, to int) {
	for _, m := range moves { // K_ri, r ≤ i, along row r
		if m.point >= to {
			break
		}
		first := max(from, m.point)
		row := s.data[m.point*s.stride:][first:to]
		s.shift(m.to, first, row, 1)
		if m.from >= 0 {
			s.shift(m.from, first, row, -1)
		}
	}
	a, b := s.grid.hi[0], s.grid.lo[0]
	hi, lo := make([]float64, s.k+1), make([]float64, s.k+1) // the last for those from nowhere
	next := 0
	for i := from; i < to; i++ { // K_ir, i < r, along row i
		for next < len(moves) && moves[next].point <= i {
			next++
		}
		clear(hi)
		clear(lo)
		row := s.data[i*s.stride:][:s.n]
		for _, m := range moves[next:] {
			v := row[m.point]
			h := (v + a) - a
			l := ((v - h) + b) - b
			out := m.from
			if out < 0 {
				out = s.k
			}
			hi[out] -= h
			lo[out] -= l
			hi[m.to] += h
			lo[m.to] += l
		}
		for j := range s.k {
			s.hi[j*s.n+i] += hi[j]
			s.lo[j*s.n+i] += lo[j]
		}
	}
}

// shift adds sign times a row to the sums of centre j from point first on.
func (s *gramSums) shift(j, first int, row []float64, sign float64) {
	a, b := s.grid.hi[0], s.grid.lo[0]
	hi, lo := s.hi[j*s.n+first:][:len(row)], s.lo[j*s.n+first:][:len(row)]
	for c, v := range row {
		v *= sign
		h := (v + a) - a
		hi[c] += h
		lo[c] += ((v - h) + b) - b
	}
}

func (s *gramSums) totals() {
	clear(s.count)
	within := make([]compensated, s.k)
	for i, j := range s.owner {
		if j >= 0 {
			s.count[j]++
			within[j].add(s.sum(j, i))
		}
	}
	for j := range within {
		s.total[j] = within[j].value()
	}
}

// compensated is a sum whose rounding is carried along (Neumaier).
type compensated struct{ sum, rest float64 }

func (c *compensated) add(v float64) {
	sum := c.sum + v
	if math.Abs(c.sum) >= math.Abs(v) {
		c.rest += (c.sum - sum) + v
	} else {
		c.rest += (v - sum) + c.sum
	}
	c.sum = sum
}

func (c compensated) value() float64 { return c.sum + c.rest }

// gramMatrix is the matrix and what is known of it.
type gramMatrix struct {
	data      []float64
	stride, n int
	diagonal  []float64
	size      float64 // largest K_ii
	variance  float64 // Σ_i K_ii/n − Σ_ij K_ij/n², found with the first sums
	grid      grid    // for any sum of a row
}

const largestKernel = 1e290

func newGramMatrix(gram *mat.SymDense) (*gramMatrix, error) {
	raw := gram.RawSymmetric()
	m := &gramMatrix{data: raw.Data, stride: raw.Stride, n: raw.N, diagonal: make([]float64, raw.N), variance: math.NaN()}
	largest := 0.0
	for i := range m.n {
		for offset, v := range m.row(i) {
			if !(math.Abs(v) <= largestKernel) {
				return nil, fmt.Errorf("k-means: the Gram matrix has %v at [%d, %d]: must be finite and below %g", v, i, i+offset, largestKernel)
			}
			largest = max(largest, math.Abs(v))
		}
		m.diagonal[i] = m.at(i, i)
		if m.diagonal[i] < 0 {
			return nil, fmt.Errorf("k-means: the Gram matrix has %v at [%d, %d]: a kernel's diagonal is not negative", m.diagonal[i], i, i)
		}
		m.size = max(m.size, m.diagonal[i])
	}
	m.grid = newGrid([]float64{largest}, m.n)
	return m, nil
}

// row is row i from the diagonal on.
func (m *gramMatrix) row(i int) []float64 { return m.data[i*m.stride+i : i*m.stride+m.n] }

func (m *gramMatrix) at(i, j int) float64 {
	if i > j {
		i, j = j, i
	}
	return m.data[i*m.stride+j]
}

// squaredDistance is ‖φ(x_i) − φ(x_j)‖², 0 where it is not above rounding.
func (m *gramMatrix) squaredDistance(i, j int) float64 {
	if v := m.diagonal[i] + m.diagonal[j] - 2*m.at(i, j); i != j && v > 0x1p-49*m.size {
		return v
	}
	return 0
}
