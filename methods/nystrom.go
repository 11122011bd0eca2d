package methods

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/kernel"
	"mercer/linalg"
)

// NystromOptions are the parameters of Nyström kernel PCA.
type NystromOptions struct {
	Landmarks string `yaml:"landmarks" enum:"uniform,first" doc:"how the m landmarks are picked: uniform (without replacement, the default) or first (the first m points)"`
	Space     string `yaml:"space" enum:"full,centred" doc:"full: the span of k(·,landmark), NYK Prop 3.2 (default); centred: coefficients that sum to 0, NYK eq 9 and 11"`
	Center    string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default, NYK), v by n, none does not centre"`
}

// Method returns Nyström kernel PCA.
func (o *NystromOptions) Method() (Method, error) {
	rule, err := checkLandmarks(o.Landmarks)
	c, cErr := checkCenter(o.Center)
	if o.Space != "full" && o.Space != "centred" {
		cErr = errors.Join(cErr, fmt.Errorf("space %q: must be full or centred", o.Space))
	}
	return nystrom{landmarks: rule, centredSpace: o.Space == "centred", center: c}, errors.Join(err, cErr)
}

// nystrom maximises the empirical variance over functions in the span of
// k(·, X_r), r in the landmarks. With the rank-revealing factor K_mm ≈ LLᵀ on
// pivots, b(x) = L⁻¹k_pivots(x) are coordinates in an orthonormal basis of that
// span; M, the covariance of b over the sample, has the eigenpairs (λ̃, u), and
// φ̃ = Σ_j (L⁻ᵀu)_j k(·, pivot_j). Any other root of K_mm gives the same φ̃.
// The n×m kernel matrix is streamed by rows.
//
// Over the centred space, coefficients α = C_m α, everything is the same with
// the kernel functions k(·, X_r) less their mean over the landmarks.
//
// Reference: [NYK, Prop 3.2], for the centred space [NYK, eq 9, 11].
// Deviation: NYK states the problem over the centred space but Prop 3.2 solves
// it over the full span; both are offered, the full span by default.
type nystrom struct {
	landmarks    landmarks
	centredSpace bool
	center       center
}

// fullRank is the dimension of the span of m landmarks in general position.
func (y nystrom) fullRank(m int) int {
	if y.centredSpace {
		return m - 1
	}
	return m
}

func (y nystrom) Check(_ kernel.Kernel, s Sizes) error {
	most := y.fullRank(s.M)
	switch {
	case s.M < 1:
		return errors.New("the grid gives no m: nystrom needs a number of landmarks")
	case s.M > s.N:
		return fmt.Errorf("m = %d landmarks out of n = %d points", s.M, s.N)
	case s.Ell > min(most, y.center.maxRank(s.N)):
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (m = %d, n = %d)", s.Ell, min(most, y.center.maxRank(s.N)), s.M, s.N)
	}
	return nil
}

// rowsPerBlock is how many rows of K_nm or of the features are held at once.
const rowsPerBlock = 1024

func (y nystrom) Fit(ctx context.Context, p Problem, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	basis, err := y.basis(p, rng)
	if err != nil {
		return nil, err
	}
	moment := newSecondMoment(y.center, basis.rank())
	if err := basis.accumulate(ctx, p, moment); err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	u, spectrum, err := moment.components(p.Sizes.Ell)
	if err != nil {
		return nil, err
	}
	spectrum.Rank = basis.rank()
	if full := y.fullRank(p.Sizes.M); basis.rank() < full {
		spectrum.Warnings = append(spectrum.Warnings, fmt.Sprintf("numerical rank of the landmarks' kernel matrix is %d of %d (m = %d)", basis.rank(), full, p.Sizes.M))
	}
	coef := basis.coefficients(u)
	spectrum.warnOfRounding(coef, basis.size)
	return &Subspace{kernel.Expansion{Kernel: p.Kernel, Points: basis.points, Coef: coef}, spectrum}, nil
}

// landmarkBasis is an orthonormal basis of the span of the landmarks' kernel
// functions: coordinates b(x) = L⁻¹ (A k(x))[pivots], A the identity or C_m.
type landmarkBasis struct {
	points  *mat.Dense      // m×D landmarks
	columns *kernel.Columns // those whose kernel values give the coordinates: all for A = C_m
	factor  linalg.PivotedCholesky
	solver  *linalg.RightSolver
	centred bool
	size    float64 // largest k(X_r, X_r)
}

func (y nystrom) basis(p Problem, rng *rand.Rand) (*landmarkBasis, error) {
	_, d := p.X.Dims()
	points := mat.NewDense(p.Sizes.M, d, nil)
	for i, index := range y.landmarks.pick(p.Sizes.N, p.Sizes.M, rng) {
		points.SetRow(i, p.X.RawRowView(index))
	}
	stop := p.phase("gram")
	kmm := kernel.Gram(p.Kernel, points)
	stop()
	defer p.phase("factor")()
	// Rounding is relative to the kernel's values, centred or not.
	size := largestDiagonal(kmm)
	rounding := linalg.DefaultPivotTolerance(p.Sizes.M) * size
	if y.centredSpace {
		rounding *= centredRoundings
		linalg.CentreSym(kmm)
	}
	factor, err := factorAbove(kmm, rounding, "the landmarks are all equal, or the kernel is 0 on them")
	if err != nil {
		return nil, fmt.Errorf("kernel matrix of the landmarks: %w", err)
	}
	return newLandmarkBasis(p.Kernel, points, factor, y.centredSpace, size), nil
}

func newLandmarkBasis(k kernel.Kernel, points *mat.Dense, factor linalg.PivotedCholesky, centred bool, size float64) *landmarkBasis {
	b := &landmarkBasis{points: points, factor: factor, solver: linalg.NewRightSolver(factor.L), centred: centred, size: size}
	pivots := points
	if !centred { // the others' kernel values are not needed
		pivots = selectRows(points, factor.Piv[:factor.Rank])
	}
	b.columns = kernel.Against(k, pivots)
	return b
}

func (b *landmarkBasis) rank() int { return b.factor.Rank }

// accumulate adds b of every sample point to the moment, by blocks of rows.
func (b *landmarkBasis) accumulate(ctx context.Context, p Problem, moment *secondMoment) error {
	n, _ := p.X.Dims()
	c := mat.NewDense(min(rowsPerBlock, n), b.rank(), nil)
	for from := 0; from < n; from += rowsPerBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+rowsPerBlock, n)
		block := c.Slice(0, to-from, 0, b.rank()).(*mat.Dense)
		b.coordinates(block, p, from, to)
		stop := p.phase("embed")
		moment.add(block)
		stop()
	}
	return nil
}

// coordinates fills c with b of the sample points from … to−1.
func (b *landmarkBasis) coordinates(c *mat.Dense, p Problem, from, to int) {
	_, d := p.X.Dims()
	x := p.X.Slice(from, to, 0, d).(*mat.Dense)
	stop := p.phase("gram")
	if b.centred {
		m, _ := b.points.Dims()
		k := mat.NewDense(to-from, m, nil)
		b.columns.To(k, x)
		centreRows(k)
		for i := range to - from {
			all, row := k.RawRowView(i), c.RawRowView(i)
			for j := range row {
				row[j] = all[b.factor.Piv[j]]
			}
		}
	} else {
		b.columns.To(c, x)
	}
	stop()
	defer p.phase("embed")()
	b.solver.Solve(c)
}

// coefficients turns coordinates u (rank×ℓ) into coefficients on the landmarks
// (m×ℓ).
func (b *landmarkBasis) coefficients(u *mat.Dense) *mat.Dense {
	m, _ := b.points.Dims()
	coef := onFunctions(b.factor, u, m)
	if b.centred {
		centreColumns(coef)
	}
	return coef
}
