package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

var _ = register("nystrom-krr", Entry{
	Label:     "Nyström ridge regression",
	Doc:       "kernel ridge regression over the span of m landmarks, by preconditioned conjugate gradients (FALKON) or directly",
	Reference: "Rudi, Carratino & Rosasco 2017, Alg 1 and eq 5-8",
	Cost:      "t+1 passes of nm(D + 20) flops for t iterations, and 2m³; 8(5m² + 1024m) bytes; directly one pass and nm² flops; plus the cost of the landmark rule",
	Accuracy:  "that of the landmarks' span; there conjugate gradients to a relative residual of 1e-12, or to that of t iterations, which is a caveat",
	Version:   "1",
	Plain:     "ridge: 0.01",
	New: func() Options {
		return &NystromKRROptions{Landmarks: landmark.DefaultOptions(), Iterations: 20}
	},
})

// NystromKRROptions are the parameters of Nyström kernel ridge regression.
type NystromKRROptions struct {
	RidgeOptions
	Landmarks  landmark.Options `yaml:"landmarks" doc:"rule that picks the m landmarks, or {rule: …} with its parameters; default uniform, without replacement"`
	Iterations int              `yaml:"iterations" min:"0" max:"10000" doc:"conjugate gradient steps at most, default 20; they end at a relative residual of 1e-12; 0 solves the normal equations directly"`
}

// Method returns Nyström kernel ridge regression.
func (o *NystromKRROptions) Method() (Method, error) {
	return nystromKRR{nystrom{landmarks: o.Landmarks, center: "none"}, o.RidgeOptions, o.Iterations}, errors.Join(o.check(), o.Landmarks.Check())
}

// Traits say what its landmarks need.
func (o *NystromKRROptions) Traits() Traits {
	t := Traits{Uses: []string{"n", "m"}, Shape: ShapeRegression}.onLandmarks(o.Landmarks)
	t.Streams = nil // responses are of points in memory
	return t
}

// nystromKRR minimises the regularised error over the span of the landmarks' kernel
// functions. In the orthonormal basis b(x) = L⁻¹k_pivots(x) of nystrom its coordinates u
// solve (ZᵀZ/n + λI)u = Zᵀy/n, Z the n×r coordinates of the sample. Each step of
// conjugate gradients applies ZᵀZ = L⁻¹K_mn K_nm L⁻ᵀ by one pass over the points.
// The preconditioner has the landmarks in place of the sample: FᵀF/m + λI, F the m×r
// factor of K_mm, whose rows are b at the landmarks.
//
// Reference: Rudi, Carratino & Rosasco 2017 (FALKON), Alg 1 and eq 8.
// Deviation: FALKON weighs landmarks that are drawn with unequal probabilities in the
// preconditioner; here all have weight 1, whatever rule picked them, which changes the
// number of steps and not what they converge to.
type nystromKRR struct {
	nystrom    nystrom
	ridge      RidgeOptions
	iterations int
}

const (
	// enoughResidual ends conjugate gradients: rounding of sums over the points is left.
	enoughResidual = 1e-12
	// looseResidual is the relative residual above which a fit says that it has not converged.
	looseResidual = 1e-6
)

func (y nystromKRR) Check(_ kernel.Kernel, s Sizes, _ int) error {
	if s.M < 1 {
		return errors.New("the grid gives no m: nystrom-krr needs a number of landmarks")
	}
	return y.nystrom.landmarks.CheckSizes(s.N, s.M)
}

// Cost counts the landmarks, K_mm, its factor and that of the preconditioner, and passes.
func (y nystromKRR) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m := float64(s.N), float64(s.M)
	pass := cost.Values(n*m, dim).Plus(cost.Cost{Flops: 4 * n * m})
	passes := cost.Cost{Flops: float64(y.iterations+1) * pass.Flops}
	if y.iterations == 0 {
		passes = cost.Cost{Flops: pass.Flops + 2*n*m*m}
	}
	factors := linalg.PivotedCost(m).Then(cost.Cost{Flops: 2 * m * m * m}.Plus(cost.Numbers(5*m*m + rowsPerBlock*m)))
	return picking(y.nystrom.landmarks, s, dim).Then(passes.Plus(factors).Plus(cost.Numbers(3 * m * dim)))
}

func (y nystromKRR) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := errors.Join(ctx.Err(), p.checkResponses()); err != nil {
		return nil, err
	}
	basis, err := y.nystrom.basis(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	lambda, warnings := y.ridge.lambda(p.Sizes.N), basis.warnings
	var u []float64
	if y.iterations == 0 {
		u, err = basis.ridge(ctx, p, lambda)
	} else {
		var residual float64
		if u, residual, err = basis.conjugate(ctx, p, lambda, y.iterations); residual > looseResidual {
			warnings = append(warnings, fmt.Sprintf("conjugate gradients have not converged: relative residual %.1e after %d steps", residual, y.iterations))
		}
	}
	if err != nil {
		return nil, err
	}
	coef := basis.coefficients(mat.NewDense(len(u), 1, u))
	return &Regression{Functions: kernel.Expansion{Kernel: p.Kernel, Points: basis.points, Coef: coef}, Lambda: lambda, Warnings: warnings}, nil
}

// ridge solves the normal equations in the basis: nr² flops more than a pass.
func (b *landmarkBasis) ridge(ctx context.Context, p Sample, lambda float64) ([]float64, error) {
	equations := newNormalEquations(b.rank())
	coordinates := func(c, x *mat.Dense) { b.coordinates(c, x, p) }
	if err := p.each(ctx, b.rank(), coordinates, func(from, to int, z *mat.Dense) { equations.add(p, from, to, z) }); err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	return equations.right, ridgeSolve(equations.square, float64(p.Sizes.N)*lambda, equations.right)
}

// conjugate solves them by at most so many preconditioned steps, and says how large the
// residual is relative to the right side, both in the norm of the preconditioner's inverse.
func (b *landmarkBasis) conjugate(ctx context.Context, p Sample, lambda float64, most int) (u []float64, residual float64, err error) {
	stop := p.phase("factor")
	m, _ := b.points.Dims()
	landmarks := linalg.Gram(blas.Trans, b.factor.Factor)
	landmarks.ScaleSym(1/float64(m), landmarks)
	preconditioner, err := ridgeFactor(landmarks, lambda)
	stop()
	if err != nil {
		return nil, 0, err
	}
	r, err := b.pass(ctx, p, func(from, to int, _ *mat.Dense) []float64 { return append([]float64{}, p.Responses[from:to]...) })
	if err != nil {
		return nil, 0, err
	}
	u = make([]float64, len(r))
	z := append([]float64{}, r...)
	preconditioner.solve(z)
	direction := append([]float64{}, z...)
	square := floats.Dot(r, z)
	first := square
	for range most {
		if !(square > enoughResidual*enoughResidual*first) {
			break
		}
		image, err := b.second(ctx, p, direction)
		if err != nil {
			return nil, 0, err
		}
		floats.AddScaled(image, lambda, direction)
		step := square / floats.Dot(direction, image)
		floats.AddScaled(u, step, direction)
		floats.AddScaled(r, -step, image)
		copy(z, r)
		preconditioner.solve(z)
		next := floats.Dot(r, z)
		floats.Scale(next/square, direction)
		floats.Add(direction, z)
		square = next
	}
	if first == 0 {
		return u, 0, nil
	}
	return u, math.Sqrt(max(square, 0) / first), nil
}

// second is ZᵀWZu/n.
func (b *landmarkBasis) second(ctx context.Context, p Sample, u []float64) ([]float64, error) {
	onPivots := append([]float64{}, u...)
	linalg.SolveLowerTrans(b.factor.L, mat.NewDense(len(u), 1, onPivots))
	return b.pass(ctx, p, func(from, to int, k *mat.Dense) []float64 {
		values := make([]float64, to-from)
		mat.NewVecDense(to-from, values).MulVec(k, mat.NewVecDense(len(onPivots), onPivots))
		return values
	})
}

// pass is ZᵀWv/n = L⁻¹K_mn Wv/n of a vector v that is made of each block of K_nm.
func (b *landmarkBasis) pass(ctx context.Context, p Sample, v func(from, to int, k *mat.Dense) []float64) ([]float64, error) {
	sum := make([]float64, b.rank())
	fill := func(k, x *mat.Dense) {
		defer p.phase("gram")()
		b.columns.To(k, x)
	}
	err := p.each(ctx, b.rank(), fill, func(from, to int, k *mat.Dense) {
		defer p.phase("solve")()
		values := v(from, to, k)
		for i, c := range p.weights().part(from, to) {
			values[i] *= c
		}
		block := mat.NewVecDense(len(sum), nil)
		block.MulVec(k.T(), mat.NewVecDense(len(values), values))
		floats.Add(sum, block.RawVector().Data)
	})
	b.solver.Solve(mat.NewDense(1, len(sum), sum))
	floats.Scale(1/float64(p.Sizes.N), sum)
	if size := floats.Norm(sum, 1); err == nil && (math.IsNaN(size) || math.IsInf(size, 0)) {
		err = errors.New("kernel values or responses of the sample are not finite")
	}
	return sum, err
}
