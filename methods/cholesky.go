package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("incomplete-cholesky", Entry{
	Label:     "incomplete Cholesky",
	Doc:       "kernel PCA of the pivoted incomplete Cholesky factor of the Gram matrix, of rank at most m: Nyström on greedy pivots, without forming the matrix",
	Reference: "Fine & Scheinberg 2001 (low-rank kernel representations); Bach & Jordan 2002 (kernel ICA)",
	Cost:      "nm(2D + 20) + 2nm² + O(m²ℓ) flops, 8nm bytes",
	Accuracy:  "approximate: tr(K - K̂) is what the pivots leave of the trace, at most tolerance·tr K where the fit stops before m",
	Version:   "1",
	New:       func() Options { return &IncompleteCholeskyOptions{Center: "u"} },
})

// IncompleteCholeskyOptions are the parameters of kernel PCA by incomplete
// Cholesky factorisation.
type IncompleteCholeskyOptions struct {
	Center    string  `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default), v by n, none does not centre"`
	Tolerance float64 `yaml:"tolerance" min:"0" below:"1" doc:"stop before m pivots when the remaining trace is this share of the Gram matrix's (default 0)"`
}

// Method returns kernel PCA by incomplete Cholesky factorisation.
func (o *IncompleteCholeskyOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		err = errors.Join(err, fmt.Errorf("tolerance %v: must be at least 0 and below 1", o.Tolerance))
	}
	return incompleteCholesky{center: c, tolerance: o.Tolerance}, err
}

// Traits say that pivots are landmarks.
func (*IncompleteCholeskyOptions) Traits() Traits {
	return Traits{Uses: []string{"n", "m", "ell"}, Shape: ShapeSubspace, Space: SpaceSpan, Landmarks: true}
}

// incompleteCholesky factors K ≈ FFᵀ, F n×r, each pivot the point whose diagonal
// element of the remainder is largest, until r = m, or the remainder's trace is
// within the tolerance, or its diagonal is rounding. Row i of F is b(X_i), the
// coordinates L⁻¹k_pivots(X_i) of Nyström kernel PCA with the pivots as
// landmarks: kernel PCA of FFᵀ is that estimate, and costs no second look at
// the kernel.
//
// Reference: Fine & Scheinberg 2001 (Efficient SVM training using low-rank
// kernel representations); Bach & Jordan 2002 (Kernel independent component
// analysis). Deviation: pivots are found in blocks, see round, and the tolerance
// is relative.
type incompleteCholesky struct {
	center    center
	tolerance float64
}

func (c incompleteCholesky) Check(_ kernel.Kernel, s Sizes, _ int) error {
	most := min(s.M, c.center.maxRank(s.N))
	switch {
	case s.M < 1:
		return errors.New("the grid gives no m: incomplete-cholesky needs a number of pivots")
	case s.M > s.N:
		return fmt.Errorf("m = %d pivots out of n = %d points", s.M, s.N)
	case s.Ell > most:
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (m = %d, n = %d)", s.Ell, most, s.M, s.N)
	}
	return nil
}

// Cost counts the factor, its covariance and the solve of order m.
func (c incompleteCholesky) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m := float64(s.N), float64(s.M)
	factor := cost.Values(n*m, dim).Plus(cost.Cost{Flops: 2 * n * m * m}).Plus(cost.Numbers(n*m + m*m))
	return factor.Plus(cost.Symmetric(m)).Plus(linalg.TopCost(m, float64(s.Ell)))
}

func (c incompleteCholesky) Fit(ctx context.Context, p Sample, _ *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e, err := newElimination(p, c.tolerance)
	if err != nil {
		return nil, err
	}
	for !e.done() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.round(p); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	basis := e.basis(p.X)
	moment := newSecondMoment(c.center, basis.rank())
	stop := p.phase("embed")
	moment.add(e.factor.Slice(0, p.n(), 0, basis.rank()).(*mat.Dense), p.weights())
	stop()
	defer p.phase("solve")()
	u, spectrum, err := moment.components(p.Sizes.Ell)
	if err != nil {
		return nil, err
	}
	spectrum.Rank = basis.rank()
	if spectrum.Rank < p.Sizes.M && e.largest() <= e.rounding {
		spectrum.Warnings = append(spectrum.Warnings, fmt.Sprintf("numerical rank of the kernel matrix is %d, below m = %d", spectrum.Rank, p.Sizes.M))
	}
	coef := basis.coefficients(u)
	spectrum.warnOfRounding(coef, basis.size)
	return &Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: basis.points, Coef: coef}, Spectrum: spectrum, Landmarks: true}, nil
}

// elimination is a pivoted Cholesky factorisation of the Gram matrix under way.
type elimination struct {
	factor   *mat.Dense // F, n×m, of which as many columns as pivots are done
	diagonal []float64  // of K − FFᵀ
	times    weights    // of the rows
	pivots   []int
	size     float64 // largest k(X_i, X_i)
	rounding float64 // diagonal elements up to it are 0
	enough   float64 // trace of K − FFᵀ at which it ends
}

func newElimination(p Sample, tolerance float64) (*elimination, error) {
	defer p.phase("gram")()
	n := p.n()
	m := min(p.Sizes.M, n)
	e := &elimination{factor: mat.NewDense(n, m, nil), diagonal: make([]float64, n), times: p.weights()}
	for i := range n {
		e.diagonal[i] = p.Kernel.At(p.X.RawRowView(i), p.X.RawRowView(i))
	}
	e.size = e.largest()
	e.rounding = linalg.DefaultPivotTolerance(m) * e.size
	e.enough = tolerance * e.trace()
	if err := e.check(); err != nil {
		return nil, err
	}
	if e.size <= 0 {
		return nil, errors.New("the kernel is 0 on all points: they all look the same to it")
	}
	return e, nil
}

func (e *elimination) largest() float64 { return floats.Max(e.diagonal) }

// trace is that of K − FFᵀ over all points, without elements that rounding left below 0.
func (e *elimination) trace() float64 {
	sum := 0.0
	for i, d := range e.diagonal {
		sum += max(0, d*e.times.at(i))
	}
	return sum
}

func (e *elimination) done() bool {
	_, m := e.factor.Dims()
	return len(e.pivots) == m || !(e.largest() > e.rounding) || e.trace() <= e.enough
}

// check finds what no positive semidefinite matrix leaves on the diagonal.
func (e *elimination) check() error {
	for i, d := range e.diagonal {
		switch {
		case math.IsNaN(d) || math.IsInf(d, 0):
			return fmt.Errorf("the Cholesky factorisation of the kernel matrix: diagonal element %d is %v after %d pivots: %w", i, d, len(e.pivots), linalg.ErrNotFinite)
		case d < -math.Sqrt(epsilon)*e.size:
			return fmt.Errorf("the Cholesky factorisation of the kernel matrix: diagonal element %d is %.3g after %d pivots: %w", i, d, len(e.pivots), linalg.ErrIndefinite)
		}
	}
	return nil
}

// round eliminates the next pivots: as many as a look at the points of largest
// diagonal shows to be the greedy ones. Cost: at most n kernel values and 2nr
// flops for that, n and 2nr a pivot after r of them.
func (e *elimination) round(p Sample) error {
	pool, next := e.pool()
	points := linalg.SelectRows(p.X, pool)
	stop := p.phase("gram")
	among := kernel.Cross(p.Kernel, points, points)
	stop()
	stop = p.phase("factor")
	kept, l := e.greedy(pool, next, among)
	stop()
	n, rank := p.n(), len(e.pivots)
	block := e.factor.Slice(0, n, rank, rank+len(kept)).(*mat.Dense)
	stop = p.phase("gram")
	kernel.CrossTo(block, p.Kernel, p.X, linalg.SelectRows(points, kept))
	stop()
	defer p.phase("factor")()
	if rank > 0 {
		done := e.factor.Slice(0, n, 0, rank).(*mat.Dense)
		rows := linalg.SelectRows(linalg.SelectRows(done, pool), kept)
		linalg.Gemm(blas.NoTrans, blas.Trans, -1, done.RawMatrix(), rows.RawMatrix(), 1, block.RawMatrix())
	}
	linalg.SolveRight(block, l)
	for j, at := range kept {
		for i := range e.diagonal {
			f := block.At(i, j)
			e.diagonal[i] -= f * f
		}
		e.diagonal[pool[at]] = 0
		e.pivots = append(e.pivots, pool[at])
		if e.trace() <= e.enough {
			break
		}
	}
	return e.check()
}

// before orders points by their diagonal elements, of equal ones the first.
func (e *elimination) before(i, j int) int {
	switch {
	case e.diagonal[i] > e.diagonal[j]:
		return -1
	case e.diagonal[i] < e.diagonal[j]:
		return 1
	}
	return i - j
}

// pool are up to √n points of largest diagonal, largest first, and the next
// after them; −1 where there is none.
func (e *elimination) pool() (pool []int, next int) {
	n, m := e.factor.Dims()
	count := max(1, min(int(math.Sqrt(float64(n))), m-len(e.pivots)))
	for i := range n {
		if len(pool) > count && e.before(i, pool[count]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(pool, i, e.before)
		pool = slices.Insert(pool, at, i)
		pool = pool[:min(len(pool), count+1)]
	}
	if len(pool) <= count {
		return pool, -1
	}
	return pool[:count], pool[count]
}

// greedy picks pivots among the pool, whose kernel matrix it is given and
// overwrites, and returns their places and the Cholesky factor of what is left of
// K on them. Diagonal elements only fall: while the largest of the pool stays
// ahead of the next point's, no other point is the greedy choice.
func (e *elimination) greedy(pool []int, next int, left *mat.Dense) ([]int, *mat.TriDense) {
	if rank := len(e.pivots); rank > 0 {
		n, _ := e.factor.Dims()
		rows := linalg.SelectRows(e.factor.Slice(0, n, 0, rank).(*mat.Dense), pool).RawMatrix()
		linalg.Gemm(blas.NoTrans, blas.Trans, -1, rows, rows, 1, left.RawMatrix())
	}
	diagonal := make([]float64, len(pool))
	for i, at := range pool {
		diagonal[i] = e.diagonal[at]
	}
	var kept []int
	var columns []*mat.VecDense
	for len(kept) < len(pool) {
		best := 0
		for i, d := range diagonal {
			if d > diagonal[best] || d == diagonal[best] && pool[i] < pool[best] {
				best = i
			}
		}
		d := diagonal[best]
		if len(kept) > 0 && (d <= e.rounding || next >= 0 && d < e.diagonal[next]) {
			break
		}
		column := mat.VecDenseCopyOf(left.ColView(best))
		column.SetVec(best, d)
		column.ScaleVec(1/math.Sqrt(d), column)
		left.RankOne(left, -1, column, column)
		for i := range diagonal {
			diagonal[i] -= column.AtVec(i) * column.AtVec(i)
		}
		diagonal[best] = math.Inf(-1)
		kept, columns = append(kept, best), append(columns, column)
	}
	l := mat.NewTriDense(len(kept), mat.Lower, nil)
	for j, column := range columns {
		for i := j; i < len(kept); i++ {
			l.SetTri(i, j, column.AtVec(kept[i]))
		}
	}
	return kept, l
}

// basis is that of the pivots' span: their rows of F are its factor.
func (e *elimination) basis(x *mat.Dense) *landmarkBasis {
	rank := len(e.pivots)
	l, order := mat.NewTriDense(rank, mat.Lower, nil), make([]int, rank)
	for i, at := range e.pivots {
		order[i] = i
		for j := range i + 1 {
			l.SetTri(i, j, e.factor.At(at, j))
		}
	}
	points := linalg.SelectRows(x, e.pivots)
	factor := linalg.PivotedCholesky{L: l, Piv: order, Rank: rank}
	return &landmarkBasis{points: points, factor: factor, size: e.size}
}
