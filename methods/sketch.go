package methods

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// factorAbove is the rank-revealing factor of the Gram matrix of functions, an
// error where nothing of it is above rounding, which cause explains.
func factorAbove(gram *mat.SymDense, rounding float64, cause string) (linalg.PivotedCholesky, error) {
	remains := linalg.LargestDiagonal(gram)
	if remains <= rounding {
		return linalg.PivotedCholesky{}, errors.New("rank 0: " + cause)
	}
	return linalg.FactorPivoted(gram, rounding/remains)
}

// onFunctions turns coordinates u (rank×ℓ) in the basis L⁻¹f_pivots of the span
// of m functions f into coefficients on these (m×ℓ).
func onFunctions(factor linalg.PivotedCholesky, u *mat.Dense, m int) *mat.Dense {
	solved := mat.DenseCopyOf(u)
	linalg.SolveLowerTrans(factor.L, solved)
	_, ell := u.Dims()
	coef := mat.NewDense(m, ell, nil)
	for j := range factor.Rank {
		coef.SetRow(factor.Piv[j], solved.RawRowView(j))
	}
	return coef
}

// sketchIsZero is why a sketch may have rank 0: SᵀKS may vanish where K does not.
const sketchIsZero = "the kernel functions that the sketch combines add up to 0: the kernel is 0 on their points, or all points look the same to it and the weights cancel"

// noVarianceIn says of which span errNoVariance is true; other errors pass.
func noVarianceIn(span string, err error) error {
	if errors.Is(err, errNoVariance) {
		return fmt.Errorf("the sample has no variance in the span of %s: all points look the same there", span)
	}
	return err
}

// denseSketch are the functions f_j = Σ_i S_ij k(·, X_i) by S and by their values
// at the sample, KS, both n×c.
type denseSketch struct{ weights, values *mat.Dense }

// compression is the cost of the work of order c in subspace, products with the
// sketch apart: SᵀKS and its factor, or the factor, its copy that solves, a block of
// coordinates, the moment and the solve.
func compression(c, ell float64) cost.Cost {
	factor := cost.Cost{Bytes: linalg.PivotedCost(c).Bytes}.Plus(cost.Numbers(c * c))
	solve := cost.Symmetric(c).Plus(cost.Numbers(1.5 * c * c)).Plus(linalg.TopCost(c, ell))
	return cost.Numbers(rowsPerBlock * c).Plus(factor.Then(solve))
}

// compressed is SᵀKS, the Gram matrix of the functions: 2nc² flops.
func (d denseSketch) compressed() *mat.SymDense {
	_, c := d.weights.Dims()
	gram := mat.NewDense(c, c, nil)
	linalg.Gemm(blas.Trans, blas.NoTrans, 1, d.weights.RawMatrix(), d.values.RawMatrix(), 0, gram.RawMatrix())
	return mat.NewSymDense(c, gram.RawMatrix().Data)
}

// rounding is what an element of SᵀKS may be off by, where kernel values of the
// given size are: as if K itself were off by that times n·ε.
func (d denseSketch) rounding(size float64) float64 {
	n, c := d.weights.Dims()
	squares := make([]float64, c)
	for i := range n {
		for j, v := range d.weights.RawRowView(i) {
			squares[j] += v * v
		}
	}
	return float64(n) * epsilon * size * floats.Max(squares)
}

// subspace is kernel PCA over the span of the functions: the directions of
// largest empirical variance, orthonormal in H. It returns their coefficients on
// the functions too. Where the estimate is centred the columns of S are: kernel values
// less their means carry more rounding. Cost: 4nc² flops and a solve of order c.
func (d denseSketch) subspace(p Sample, c center, size float64) (*Subspace, *mat.Dense, error) {
	n, columns := d.weights.Dims()
	roundings := 1.0
	if c.centred() {
		roundings = centredRoundings
	}
	stop := p.phase("factor")
	factor, err := factorAbove(d.compressed(), d.rounding(roundings*size), sketchIsZero)
	stop()
	if err != nil {
		return nil, nil, fmt.Errorf("sketched kernel matrix: %w", err)
	}
	stop = p.phase("embed")
	moment := d.moment(p, factor, c)
	stop()
	defer p.phase("solve")()
	u, spectrum, err := moment.components(p.Sizes.Ell)
	if err != nil {
		return nil, nil, noVarianceIn("the sketch", err)
	}
	spectrum.Rank = factor.Rank
	if full := min(columns, c.maxRank(n)); factor.Rank < full {
		spectrum.Warnings = append(spectrum.Warnings, fmt.Sprintf("numerical rank of the sketched kernel matrix is %d of %d", factor.Rank, full))
	}
	coef := onFunctions(factor, u, columns)
	onPoints := product(d.weights, coef)
	spectrum.warnOfRounding(onPoints, size)
	model := &Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: p.X, Coef: onPoints}, Spectrum: spectrum}
	model.Span = func(ctx context.Context) (*mat.Dense, error) {
		z, solver := mat.NewDense(n, factor.Rank, nil), linalg.NewRightSolver(factor.L)
		d.pivots(z, factor, 0)
		solver.Solve(z)
		return z, ctx.Err()
	}
	return model, coef, nil
}

// pivots fills block with the rows of the values from a first one on, at the pivots.
func (d denseSketch) pivots(block *mat.Dense, factor linalg.PivotedCholesky, from int) {
	rows, _ := block.Dims()
	for i := range rows {
		all, row := d.values.RawRowView(from+i), block.RawRowView(i)
		for j := range row {
			row[j] = all[factor.Piv[j]]
		}
	}
}

// moment is that of L⁻¹f_pivots over the sample, by blocks of rows.
func (d denseSketch) moment(p Sample, factor linalg.PivotedCholesky, c center) *secondMoment {
	n, _ := d.values.Dims()
	moment, solver := newSecondMoment(c, factor.Rank), linalg.NewRightSolver(factor.L)
	buffer := mat.NewDense(min(rowsPerBlock, n), factor.Rank, nil)
	for from := 0; from < n; from += rowsPerBlock {
		to := min(from+rowsPerBlock, n)
		block := linalg.Rows(buffer, 0, to-from)
		d.pivots(block, factor, from)
		solver.Solve(block)
		moment.add(block, p.weights().part(from, to))
	}
	return moment
}
