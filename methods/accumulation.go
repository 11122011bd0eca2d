package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/counts"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
)

var accumulationEntry = Entry{
	Label:     "accumulated sketch",
	Doc:       "kernel PCA over m combinations of q random kernel functions each; q = 1 is Nyström with replacement, large q approaches the Gaussian sketch",
	Reference: "Chen & Yang 2021 (accumulations of projections)",
	Cost:      "nu(2D + 20) + 2nqm + 2nm² + O(m²ℓ) flops for u ≤ min(n, qm) distinct points, 8(2um + 1024(u + m)) bytes",
	Accuracy:  "approximate: the kernel matrix is projected onto the span of m combinations, from that of nystrom at q = 1 to that of gaussian-sketch at large q",
	Version:   "1",
	Uses:      []string{"n", "m", "ell"},
	Shape:     ShapeSubspace,
	Space:     SpaceSpan,
	Plain:     "accumulate: 4",
	New:       func() Options { return &AccumulationOptions{Center: "u"} },
}

// AccumulationOptions are the parameters of kernel PCA on an accumulation
// sketch.
type AccumulationOptions struct {
	Accumulate int    `yaml:"accumulate" required:"true" min:"1" max:"65536" doc:"kernel functions combined in each of the m columns (q; Chen and Yang write m)"`
	Center     string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default), v by n, none does not centre"`
}

// Method returns kernel PCA on an accumulation sketch.
func (o *AccumulationOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	if o.Accumulate < 1 {
		err = errors.Join(err, fmt.Errorf("accumulate %d: must be 1 at least", o.Accumulate))
	}
	return accumulation{center: c, count: o.Accumulate}, err
}

// accumulation is kernel PCA over the span of f_j = Σ_i S_ij k(·, X_i), j ≤ m,
// where S (n×m) is the scaled and signed sum of q sub-sampling matrices. With
// SᵀKS ≈ LLᵀ on pivots, L⁻¹f_pivots are coordinates in an orthonormal basis of
// the span, whose covariance is solved as Nyström's is. The kernel matrix is
// streamed by rows, its columns those of the points drawn.
//
// Reference: Chen & Yang 2021 (Accumulations of projections — a unified
// framework for random sketches in kernel ridge regression), with uniform
// sampling probabilities; their d is m here, their m is q.
// Deviation: kernel PCA in place of ridge regression on the sketch.
type accumulation struct {
	center center
	count  int
}

func (a accumulation) Check(_ kernel.Kernel, s Sizes, _ int) error {
	return checkSketch("accumulation", a.center, s, s.M)
}

// Cost counts the kernel matrix of the points drawn against themselves and against
// the sample, its combinations, the triangular solve, the covariance and the solve of
// order m.
func (a accumulation) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m, ell, q := float64(s.N), float64(s.M), float64(s.Ell), float64(a.count)
	u := n * -math.Expm1(-q*m/n) // points drawn, in the mean
	r := min(u, m)
	values, block := cost.Numbers(u*m), cost.Numbers(rowsPerBlock*(u+m))
	combined := cost.Cost{Flops: (n+u)*(u*(2*dim+cost.ValueFlops)+2*q*m) + 2*n*r*r + r*r*r/3}
	factor := cost.Cost{Bytes: linalg.PivotedCost(m).Bytes}
	solve := cost.Symmetric(m).Plus(cost.Numbers(1.5 * m * m)).Plus(linalg.TopCost(r, ell))
	steps := values.Plus(block).Then(values.Plus(factor)).Then(block.Plus(solve))
	return combined.Plus(steps).Plus(cost.Numbers(u * (3*dim + ell)))
}

func (a accumulation) Fit(ctx context.Context, p Problem, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := accumulate(p, a.count, rng)
	points := linalg.SelectRows(p.X, s.points)
	factor, size, err := s.factor(ctx, p, points)
	if err != nil {
		return nil, err
	}
	moment := newSecondMoment(a.center, factor.Rank)
	pivots, solver := s.columns(factor.Piv[:factor.Rank]), linalg.NewRightSolver(factor.L)
	err = pivots.eachBlock(ctx, p, p.X, points, func(block *mat.Dense, from int) {
		rows, _ := block.Dims()
		solver.Solve(block)
		moment.add(block, p.counts(from, from+rows))
	})
	if err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	coef, spectrum, err := sketchSpectrum(moment, factor, p.Sizes.M, p.Sizes.M, p.Sizes.Ell)
	if err != nil {
		return nil, err
	}
	onPoints := s.combine(coef)
	spectrum.warnOfRounding(onPoints, size)
	model := &Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: points, Coef: onPoints}, Spectrum: spectrum}
	p.Clock = nil // what follows is no part of the fit
	model.Span = func(ctx context.Context) (*mat.Dense, error) {
		z := mat.NewDense(p.points(), factor.Rank, nil)
		err := pivots.eachBlock(ctx, p, p.X, points, func(block *mat.Dense, from int) {
			solver.Solve(block)
			rows, rank := block.Dims()
			z.Slice(from, from+rows, 0, rank).(*mat.Dense).Copy(block)
		})
		return z, err
	}
	return model, nil
}

// sparseSketch is n×m with count entries a column: entry e, of column e/count,
// is weights[e] in the row of sample point points[at[e]].
type sparseSketch struct {
	points  []int // different, in the order of their first draw
	at      []int
	weights []float64
	count   int
}

// accumulate draws, for each column one after another, q rows independently and
// uniformly, with weights ±√(n/qm): E[SSᵀ] = I. Rows drawn more than once in a
// column add up, and rows that stand for several points are drawn for each of them.
func accumulate(p Problem, q int, rng *rand.Rand) sparseSketch {
	n, m := p.Sizes.N, p.Sizes.M
	s := sparseSketch{at: make([]int, m*q), weights: make([]float64, m*q), count: q}
	sums := floats.CumSum(make([]float64, len(p.Counts)), p.Counts)
	position := map[int]int{}
	scale := math.Sqrt(float64(n) / (float64(q) * float64(m)))
	for e := range s.at {
		row := rng.IntN(n)
		if p.Counts != nil {
			row = counts.At(sums, row)
		}
		if _, drawn := position[row]; !drawn {
			position[row] = len(s.points)
			s.points = append(s.points, row)
		}
		s.at[e], s.weights[e] = position[row], scale
		if rng.Uint64()&1 == 0 {
			s.weights[e] = -scale
		}
	}
	return s
}

func (s sparseSketch) width() int { return len(s.at) / s.count }

// columns keeps the given columns, in this order.
func (s sparseSketch) columns(keep []int) sparseSketch {
	kept := sparseSketch{points: s.points, count: s.count}
	for _, j := range keep {
		kept.at = append(kept.at, s.at[j*s.count:(j+1)*s.count]...)
		kept.weights = append(kept.weights, s.weights[j*s.count:(j+1)*s.count]...)
	}
	return kept
}

// factor is that of SᵀKS, with the largest kernel value. Cost: u² kernel values
// for u points, 8um bytes.
func (s sparseSketch) factor(ctx context.Context, p Problem, points *mat.Dense) (linalg.PivotedCholesky, float64, error) {
	u, m := len(s.points), s.width()
	values := mat.NewDense(u, m, nil)
	err := s.eachBlock(ctx, p, points, points, func(block *mat.Dense, from int) {
		rows, _ := block.Dims()
		values.Slice(from, from+rows, 0, m).(*mat.Dense).Copy(block)
	})
	if err != nil {
		return linalg.PivotedCholesky{}, 0, err
	}
	defer p.phase("factor")()
	gram := mat.NewSymDense(m, nil)
	for e, at := range s.at {
		j := e / s.count
		for l := j; l < m; l++ {
			gram.SetSym(j, l, gram.At(j, l)+s.weights[e]*values.At(at, l))
		}
	}
	size := largestValue(p.Kernel, points)
	square := float64(s.count) * s.weights[0] * s.weights[0] // of a column
	factor, err := factorAbove(gram, float64(u)*epsilon*size*square, sketchIsZero)
	if err != nil {
		err = fmt.Errorf("sketched kernel matrix: %w", err)
	}
	return factor, size, err
}

// eachBlock calls f with the values of the m functions at the rows of x, by
// blocks of rows from a first one on. f may write to its block.
func (s sparseSketch) eachBlock(ctx context.Context, p Problem, x, points *mat.Dense, f func(block *mat.Dense, from int)) error {
	n, dim := x.Dims()
	u, _ := points.Dims()
	rows := min(rowsPerBlock, n)
	k, block := mat.NewDense(rows, u, nil), mat.NewDense(rows, s.width(), nil)
	for from := 0; from < n; from += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+rows, n)
		values, combined := leadingRows(k, to-from), leadingRows(block, to-from)
		stop := p.phase("gram")
		kernel.CrossTo(values, p.Kernel, x.Slice(from, to, 0, dim).(*mat.Dense), points)
		stop()
		stop = p.phase("embed")
		s.applyRight(combined, values)
		f(combined, from)
		stop()
	}
	return nil
}

// applyRight sets dst (r×m) to k·S, k (r×u) of the points' columns only: 2rqm
// flops.
func (s sparseSketch) applyRight(dst, k *mat.Dense) {
	const chunk = 64
	rows, _ := dst.Dims()
	threads.For((rows+chunk-1)/chunk, func(c int) {
		for i := c * chunk; i < min((c+1)*chunk, rows); i++ {
			from, to := k.RawRowView(i), dst.RawRowView(i)
			for j := range to {
				sum := 0.0
				for e := j * s.count; e < (j+1)*s.count; e++ {
					sum += s.weights[e] * from[s.at[e]]
				}
				to[j] = sum
			}
		}
	})
}

// combine is S·coef (u×ℓ, coef m×ℓ): coefficients on the points.
func (s sparseSketch) combine(coef *mat.Dense) *mat.Dense {
	_, ell := coef.Dims()
	onPoints := mat.NewDense(len(s.points), ell, nil)
	for e, at := range s.at {
		floats.AddScaled(onPoints.RawRowView(at), s.weights[e], coef.RawRowView(e/s.count))
	}
	return onPoints
}
