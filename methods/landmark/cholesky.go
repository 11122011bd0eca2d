package landmark

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// proposals is how many points are proposed at once, where m is not less.
const proposals = 64

// pivotedCholesky draws the pivots of a randomly pivoted Cholesky factorisation
// of K.
//
// Reference: [RPC, Algorithm 2.1], by the rejection sampling of Epperly, Tropp &
// Webber 2024, Algorithm 2.
func (p *problem) pivotedCholesky() (Set, error) {
	return p.pivoted(pivoting{block: min(proposals, p.m)})
}

// greedy picks the pivots of greedily pivoted Cholesky: each time the point whose diagonal
// element of the remainder is largest, of equals the first.
//
// Reference: Fine & Scheinberg 2001 (Efficient SVM training using low-rank kernel
// representations); Bach & Jordan 2002 (Kernel independent component analysis).
func (p *problem) greedy() (Set, error) {
	return p.pivoted(pivoting{block: 1, blocks: true, largest: true})
}

// pivoted is the set of the pivots of a factorisation.
func (p *problem) pivoted(c pivoting) (Set, error) {
	largest, err := p.setDiagonal()
	if err != nil {
		return Set{}, err
	}
	c.problem, c.tolerance = p, linalg.DefaultPivotTolerance(min(p.m, p.n))*largest
	indices, err := c.pivots(slices.Clone(p.diag))
	if err != nil {
		return Set{}, err
	}
	return p.short(Set{Indices: indices}, "the others lie in their span to rounding"), nil
}

// pivoting is a partial Cholesky factorisation of the kernel matrix K.
type pivoting struct {
	*problem
	block     int     // points proposed at once: 1 is the plain algorithm, more have the same law
	tolerance float64 // diagonal elements of the remainder up to it are 0
	// blocks says that a block is drawn without replacement and its greedy pivots are
	// kept, until a share of its trace is left: another law.
	blocks  bool
	share   float64
	largest bool // proposes the point of largest diagonal element, and draws none
}

// pivots draws up to m indices one after another, each with probability
// proportional to the diagonal d of what the pivots before leave of the matrix,
// K − FFᵀ, which it is given for K and overwrites. It ends early when nothing is left.
//
// In a round, points are proposed by the diagonal d of its start. A proposal i is
// kept with probability r_i/d_i, r_i what is left at i after those kept before
// it: its law is then that of r. Repeats of a point are refused, as r_i is 0.
// Columns of the matrix are formed for those kept only, in one block.
//
// In blocks, see keepGreedy, the law is another.
//
// Cost: nm entries, nm² flops in matrix products, 8nm bytes.
func (c pivoting) pivots(d []float64) ([]int, error) {
	n, m := len(d), min(c.m, c.n)
	f := mat.NewDense(n, m, nil)
	var chosen []int
	for len(chosen) < m {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		for i, v := range d {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("point %d: after %d pivots the remainder of the kernel matrix has the diagonal element %v", i, len(chosen), v)
			}
			if v <= c.tolerance {
				d[i] = 0
			}
		}
		weights := times(c.times, d)
		if floats.Sum(weights) == 0 {
			break
		}
		proposed := c.propose(weights, d, m-len(chosen))
		kept, l := c.keep(proposed, d, f, len(chosen), m)
		c.eliminate(f, d, len(chosen), kept, l)
		chosen = append(chosen, kept...)
	}
	return chosen, nil
}

// times is the product of numbers of points and weights, the weights where there are
// no numbers.
func times(numbers, weights []float64) []float64 {
	if numbers == nil {
		return weights
	}
	return floats.MulTo(make([]float64, len(weights)), numbers, weights)
}

// propose draws a block by weights of positive sum, for up to most pivots.
func (c pivoting) propose(weights, d []float64, most int) []int {
	switch {
	case c.largest:
		return []int{floats.MaxIdx(d)}
	case c.blocks:
		return withoutReplacement(weights, min(c.block, most), c.rng)
	}
	sums, proposed := cumulative(weights), make([]int, c.block)
	for i := range proposed {
		proposed[i] = drawFrom(sums, c.rng)
	}
	return proposed
}

// remainderOn is the remainder of the matrix on the proposed points.
func (c pivoting) remainderOn(proposed []int, d []float64, f *mat.Dense, rank int) *mat.Dense {
	points := linalg.SelectRows(c.x, proposed)
	h := kernel.Cross(c.kernel, points, points)
	if rank > 0 {
		rows := rowsOf(f, proposed, rank)
		linalg.Gemm(blas.NoTrans, blas.Trans, -1, rows.RawMatrix(), rows.RawMatrix(), 1, h.RawMatrix())
	}
	for i, index := range proposed {
		h.Set(i, i, d[index])
	}
	return h
}

// keep decides which of the proposed points become pivots rank, rank+1, …, up to
// m, and returns them with the Cholesky factor of the remainder on them.
func (c pivoting) keep(proposed []int, d []float64, f *mat.Dense, rank, m int) ([]int, *mat.TriDense) {
	h := c.remainderOn(proposed, d, f, rank)
	if c.blocks {
		return c.keepGreedy(proposed, h)
	}
	var kept, at []int
	for i, index := range proposed {
		u := c.rng.Float64()
		left := h.At(i, i)
		if rank+len(kept) == m || left <= c.tolerance || u*d[index] >= left {
			continue
		}
		kept, at = append(kept, index), append(at, i)
		row := h.RawRowView(i)
		floats.Scale(1/math.Sqrt(left), row[i:])
		for j := i + 1; j < len(proposed); j++ {
			floats.AddScaled(h.RawRowView(j)[j:], -row[j], row[j:])
			if proposed[j] == index {
				h.Set(j, j, 0)
			}
		}
	}
	return kept, factorOf(h, at)
}

// factorOf is the Cholesky factor that an elimination by rows at left in h.
func factorOf(h *mat.Dense, at []int) *mat.TriDense {
	l := mat.NewTriDense(len(at), mat.Lower, nil)
	for a := range at {
		for b := range a + 1 {
			l.SetTri(a, b, h.At(at[b], at[a]))
		}
	}
	return l
}

// eliminate fills columns rank, rank+1, … of F from the matrix's columns kept,
// and takes their squares off the diagonal d.
func (c pivoting) eliminate(f *mat.Dense, d []float64, rank int, kept []int, l *mat.TriDense) {
	fresh := f.Slice(0, len(d), rank, rank+len(kept)).(*mat.Dense)
	kernel.CrossTo(fresh, c.kernel, c.x, linalg.SelectRows(c.x, kept))
	if rank > 0 {
		before := f.Slice(0, len(d), 0, rank).(*mat.Dense)
		linalg.Gemm(blas.NoTrans, blas.Trans, -1, before.RawMatrix(), rowsOf(f, kept, rank).RawMatrix(), 1, fresh.RawMatrix())
	}
	linalg.SolveRight(fresh, l)
	for i := range d {
		row := fresh.RawRowView(i)
		d[i] -= floats.Dot(row, row)
	}
	for _, index := range kept {
		d[index] = 0
	}
}

// rowsOf copies the leading columns of rows of f.
func rowsOf(f *mat.Dense, at []int, columns int) *mat.Dense {
	n, _ := f.Dims()
	return linalg.SelectRows(f.Slice(0, n, 0, columns).(*mat.Dense), at)
}
