package methods

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/landmark"
)

var _ = register("nystrom-krr", Entry{
	Label:     "Nyström ridge regression",
	Doc:       "kernel ridge regression over the span of m landmarks",
	Reference: "Rudi, Carratino & Rosasco 2017, eq 5-8",
	Cost:      "nm(D + 20) + 2nm² + m³ flops, 8(5m² + 1024m) bytes; with a preconditioner nm(2D + 20) + (4nm + 6m²)·max_iter flops and 8m³ (falkon) or 16nm + 12m³ (krill), 8(nm + 12m² + m·max_iter) bytes; plus the cost of the landmark rule",
	Accuracy:  "that of the landmarks' span; exact there, to rounding times the condition, or with a preconditioner to a relative residual of tol, or a warning",
	Version:   "1",
	Plain:     "ridge: 0.01",
	New: func() Options {
		return &NystromKRROptions{Landmarks: landmark.DefaultOptions(), PCGOptions: defaultPCG()}
	},
})

// NystromKRROptions are the parameters of Nyström kernel ridge regression.
type NystromKRROptions struct {
	RidgeOptions
	Landmarks      landmark.Options `yaml:"landmarks" doc:"rule that picks the m landmarks, or {rule: …} with its parameters; default uniform, without replacement"`
	Preconditioner string           `yaml:"preconditioner" enum:"none,falkon,krill" doc:"solve (K_mn K_nm + nλK_mm)β = K_mn y by conjugate gradients, with P none (the identity), falkon ((n/m)K_mm² + nλK_mm) or krill ((SK_nm)ᵀSK_nm + nλK_mm, S a sparse sign sketch of n rows to 2m); left out it is solved directly"`
	PCGOptions
}

// Method returns Nyström kernel ridge regression.
func (o *NystromKRROptions) Method() (Method, error) {
	method, err := o.method(func(ridge RidgeOptions) Method {
		return nystromKRR{nystrom{o.Landmarks, "none"}, ridge, o.Preconditioner, o.PCGOptions}
	})
	return method, errors.Join(err, o.Landmarks.Check(), o.chooses(o.Landmarks))
}

// Traits say what its landmarks need.
func (o *NystromKRROptions) Traits() Traits {
	t := Traits{Uses: []string{"n", "m"}, Shape: ShapeRegression}.onLandmarks(o.Landmarks)
	if o.Preconditioner != "" {
		t.Iterates = o.MaxIter + 1
	}
	t.Streams = nil // responses are of points in memory
	t.NoCounts = cmp.Or(t.NoCounts, o.noCounts())
	return t
}

// nystromKRR minimises the regularised error over the span of the landmarks' kernel
// functions. In the orthonormal basis b(x) = L⁻¹k_pivots(x) of nystrom its coordinates u
// solve (ZᵀZ + nλI)u = Zᵀy, Z the n×r coordinates of the sample.
//
// Reference: Rudi, Carratino & Rosasco 2017 (FALKON), eq 8, solved directly; or see iterate.
type nystromKRR struct {
	nystrom        nystrom
	ridge          RidgeOptions
	preconditioner string // "" to solve directly
	pcg            PCGOptions
}

func (y nystromKRR) Check(_ kernel.Kernel, s Sizes) error {
	if s.M < 1 {
		return errors.New("the grid gives no m: nystrom-krr needs a number of landmarks")
	}
	return y.nystrom.landmarks.CheckSizes(s.N, s.M)
}

// Cost counts the landmarks, K_mm with its factor, a pass and the normal equations, or max_iter
// iterations and their preconditioner.
func (y nystromKRR) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m := float64(s.N), float64(s.M)
	pass := cost.Cost{Flops: cost.Values(n*m, dim).Flops + 4*n*m + 2*n*m*m}
	if y.preconditioner != "" {
		sketch := map[string]float64{"falkon": m, "krill": 2 * m}[y.preconditioner]
		pass = y.pcg.cost(m, 4*n*m+6*m*m).Plus(orthonormalCost(sketch, m)).Plus(cost.Numbers(n * m))
		pass.Flops += cost.Values(n*m, dim).Flops + 2*sparsity*n*m
	}
	factors := linalg.PivotedCost(m).Then(cost.Cost{Flops: 2 * m * m * m}.Plus(cost.Numbers(5*m*m + rowsPerBlock*m)))
	return picking(y.nystrom.landmarks, s, dim).Then(pass.Plus(factors).Plus(cost.Numbers(3 * m * dim)))
}

func (y nystromKRR) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := errors.Join(ctx.Err(), p.checkResponses()); err != nil {
		return nil, err
	}
	basis, err := y.nystrom.basis(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	lambda := y.ridge.lambda(p.Sizes.N)
	if y.preconditioner != "" {
		return y.iterate(ctx, p, basis, &Regression{Lambda: lambda, Warnings: slices.Clone(basis.warnings)}, rng)
	}
	u, err := basis.ridge(ctx, p, lambda)
	if err != nil {
		return nil, err
	}
	coef := basis.coefficients(u)
	return &Regression{Functions: kernel.Expansion{Kernel: p.Kernel, Points: basis.points, Coef: coef}, Lambda: lambda, Warnings: basis.warnings}, nil
}

// ridge solves the normal equations in the basis.
func (b *landmarkBasis) ridge(ctx context.Context, p Sample, lambda float64) (*mat.Dense, error) {
	equations := newNormalEquations(b.rank(), p.responses())
	coordinates := func(c, x *mat.Dense) { b.coordinates(c, x, p) }
	if err := p.each(ctx, b.rank(), coordinates, func(from, to int, z *mat.Dense) { equations.add(p, from, to, z) }); err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	return equations.right, ridgeSolve(equations.square, float64(p.Sizes.N)*lambda, equations.right)
}
