package methods

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

var _ = register("nystrom", Entry{
	Label:     "Nyström",
	Doc:       "Nyström kernel PCA on m landmarks",
	Reference: "NYK Prop 3.2, eq 9 and 11",
	Cost:      "nmD + 2nm² + m³/3 + O(m²ℓ) flops, 8(m² + 1024m) bytes, plus the cost of the landmark rule: none for uniform, nm² for recursive, bless, rpcholesky, block-rpcholesky and greedy, n³ for leverage (n ≤ 5000)",
	Accuracy:  "approximate: the projection onto the landmarks' span, whose error trace_residual and nystrom_residual measure; eigenpairs there as those of ekpca",
	Version:   "1",
	New: func() Options {
		return &NystromOptions{Landmarks: landmark.DefaultOptions(), Center: "u"}
	},
})

// NystromOptions are the parameters of Nyström kernel PCA.
type NystromOptions struct {
	Landmarks landmark.Options `yaml:"landmarks" doc:"rule that picks the m landmarks, or {rule: …} with its parameters; default uniform, without replacement"`
	Center    string           `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default, NYK), v by n, none does not centre"`
}

// Method returns Nyström kernel PCA.
func (o *NystromOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	return nystrom{o.Landmarks, c}, errors.Join(o.Landmarks.Check(), err)
}

// Traits say what its landmarks need.
func (o *NystromOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "ell"}, Shape: ShapeSubspace, Space: SpaceSpan,
		Holds: func(_ Model, s Sizes) int { return 2 * s.M * s.M },
	}.onLandmarks(o.Landmarks)
}

// nystrom maximises the empirical variance over functions in the span of
// k(·, X_r), r in the landmarks. With the rank-revealing factor K_mm ≈ LLᵀ on
// pivots, b(x) = L⁻¹k_pivots(x) are coordinates in an orthonormal basis of that
// span; M, the covariance of b over the sample, has the eigenpairs (λ̃, u), and
// φ̃ = Σ_j (L⁻ᵀu)_j k(·, pivot_j). Any other root of K_mm gives the same φ̃.
// The n×m kernel matrix is streamed by rows. Where fewer landmarks than m are
// found, or points that are none of the sample's, the rest is the same.
//
// Reference: [NYK, Prop 3.2]. NYK states the problem over the centred space, and solves it
// over the full span.
type nystrom struct {
	landmarks landmark.Options
	center    center
}

func (y nystrom) Check(_ kernel.Kernel, s Sizes) error {
	if s.M < 1 {
		return errors.New("the grid gives no m: nystrom needs a number of landmarks")
	}
	if err := y.landmarks.CheckSizes(s.N, s.M); err != nil {
		return err
	}
	if most := min(s.M, y.center.maxRank(s.N)); s.Ell > most {
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (m = %d, n = %d)", s.Ell, most, s.M, s.N)
	}
	return nil
}

// Cost counts what the landmarks' rule takes, whose memory is free again; the
// landmarks and their columns; K_mm and its factor as they are found, or the factor,
// its copy that solves, the moment, a block of coordinates and the solve.
func (y nystrom) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m, ell := float64(s.N), float64(s.M), float64(s.Ell)
	factor, top := linalg.PivotedCost(m), linalg.TopCost(m, ell)
	moment := cost.Symmetric(m).Plus(cost.Numbers(1.5*m*m + rowsPerBlock*m)).Plus(top)
	c := cost.Cost{Flops: n*m*(2*dim+cost.ValueFlops) + 2*n*m*m}.Plus(factor.Then(moment))
	if r := rankBelow(k, s.N); r > 0 { // the rank of K_mm too
		c.Flops = (n + m) * m * (cost.ValueFlops + 2*r)
	}
	return picking(y.landmarks, s, dim).Then(c.Plus(cost.Numbers(3 * m * dim)))
}

// onLandmarks adds what the rule of a method's landmarks needs: some look at all points.
func (t Traits) onLandmarks(o landmark.Options) Traits {
	_, rule := o.Entry()
	t.NoCounts, t.Spectrum = noCounts(o), rule.Most > 0
	if o.Exec != nil {
		t.Program = "." + o.Exec.Version
	}
	if rule.DataIndependent {
		t.Streams = always
	} else {
		t.Holds = nil
	}
	return t
}

// noCounts is why landmarks are not picked among points that stand for several.
func noCounts(o landmark.Options) string {
	if err := o.CheckCounts(); err != nil {
		return err.Error()
	}
	return ""
}

// picking is the cost of picking landmarks.
func picking(o landmark.Options, s Sizes, dim float64) cost.Cost {
	_, rule := o.Entry()
	return rule.Picking(float64(s.N), float64(s.M), dim)
}

func (y nystrom) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	basis, err := y.basis(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	moment, err := p.moment(ctx, y.center, basis.rank(), func(c, x *mat.Dense) { basis.coordinates(c, x, p) })
	if err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	u, spectrum, err := moment.components(p.Sizes.Ell)
	if err != nil {
		return nil, noVarianceIn("the landmarks", err)
	}
	spectrum.Rank = basis.rank()
	spectrum.Warnings = append(spectrum.Warnings, basis.warnings...)
	coef := basis.coefficients(u)
	spectrum.warnOfRounding(coef, basis.size)
	return &Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: basis.points, Coef: coef}, Spectrum: spectrum, Landmarks: true}, nil
}

// landmarkBasis is an orthonormal basis of the span of the landmarks' kernel
// functions: coordinates b(x) = L⁻¹k_pivots(x).
type landmarkBasis struct {
	points   *mat.Dense      // m×D landmarks
	columns  *kernel.Columns // the pivots
	factor   linalg.PivotedCholesky
	solver   *linalg.RightSolver
	size     float64 // largest k(X_r, X_r)
	warnings []string
}

func (y nystrom) basis(ctx context.Context, p Sample, rng *rand.Rand) (*landmarkBasis, error) {
	set, err := p.pick(ctx, rng, y.landmarks)
	if err != nil {
		return nil, err
	}
	return basisOf(p, set)
}

// basisOf is the basis of given landmarks.
func basisOf(p Sample, set landmark.Set) (*landmarkBasis, error) {
	points := set.Points
	m, _ := points.Dims()
	stop := p.phase("gram")
	kmm := kernel.Gram(p.Kernel, points)
	stop()
	defer p.phase("factor")()
	size := linalg.LargestDiagonal(kmm)
	factor, err := factorAbove(kmm, linalg.DefaultPivotTolerance(m)*size, landmarksAreZero)
	if err != nil {
		return nil, fmt.Errorf("kernel matrix of the landmarks: %w", err)
	}
	b := &landmarkBasis{points: points, factor: factor, solver: linalg.NewRightSolver(factor.L), size: size, warnings: set.Warnings}
	if b.rank() < m {
		b.warnings = append(b.warnings, fmt.Sprintf("numerical rank of the landmarks' kernel matrix is %d, of at most %d for %d landmarks", b.rank(), m, m))
	}
	b.columns = kernel.Against(p.Kernel, linalg.SelectRows(points, factor.Piv[:factor.Rank]))
	return b, nil
}

// landmarksAreZero is why the landmarks' kernel matrix may be 0.
const landmarksAreZero = "the kernel is 0 on the landmarks"

func (b *landmarkBasis) rank() int { return b.factor.Rank }

// coordinates fills c (n×rank) with b of the rows of x (n×D).
func (b *landmarkBasis) coordinates(c, x *mat.Dense, p Sample) {
	stop := p.phase("gram")
	b.columns.To(c, x)
	stop()
	defer p.phase("embed")()
	b.solver.Solve(c)
}

// coefficients turns coordinates u (rank×ℓ) into coefficients on the landmarks
// (m×ℓ).
func (b *landmarkBasis) coefficients(u *mat.Dense) *mat.Dense {
	m, _ := b.points.Dims()
	return onFunctions(b.factor, u, m)
}
