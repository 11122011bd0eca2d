package methods

import (
	"context"
	"errors"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("rff-krr", Entry{
	Label:     "ridge regression on random features",
	Doc:       "ridge regression on m random features; m counts frequencies, of two coordinates each (offset: one), or eigenfunctions",
	Reference: "Rudi & Rosasco 2017, eq 9",
	Cost:      "2nmD + np² + p³/3 flops for p = 2m feature coordinates (offset: m; mercer: the number of distinct indices); 8(2p² + 1024p) bytes; with n < p points n²p + n³/3 flops and 8(np + 2n²) bytes",
	Accuracy:  "that of the features' kernel; exact for it, to rounding times the condition",
	Version:   "1",
	Plain:     "features: fourier, ridge: 0.01",
	New:       func() Options { return &RFFKRROptions{} },
})

// RFFKRROptions are the parameters of ridge regression on random features.
type RFFKRROptions struct {
	RidgeOptions
	Features string `yaml:"features" required:"true" enum:"fourier,offset,orthogonal,mercer" doc:"family of feature maps, as for rff; m counts frequencies, of two coordinates each (offset: one), or eigenfunctions (mercer)"`
}

// Method returns ridge regression on random features.
func (o *RFFKRROptions) Method() (Method, error) {
	features, err := newRFF(o.Features, "none", "rff-krr")
	if err != nil {
		return nil, errors.Join(err, o.RidgeOptions.check())
	}
	return o.method(func(ridge RidgeOptions) Method { return rffKRR{features, ridge} })
}

// Traits are those of features.
func (o *RFFKRROptions) Traits() Traits {
	return Traits{Uses: []string{"n", "m"}, Shape: ShapeRegression, Features: true, Distinct: rff{family: o.Features}.distinct, NoCounts: o.noCounts()}
}

// rffKRR is f̂ = Φ(x)ᵀw with (Φ_nᵀΦ_n + nλI)w = Φ_nᵀy, for fewer points than coordinates
// w = Φ_nᵀ(Φ_nΦ_nᵀ + nλI)⁻¹y.
//
// Reference: Rudi & Rosasco 2017, eq 9.
type rffKRR struct {
	features rff
	ridge    RidgeOptions
}

func (r rffKRR) Check(k kernel.Kernel, s Sizes) error {
	return r.features.Check(k, Sizes{N: s.N, M: s.M})
}

// Cost counts the features, a block of coordinates, the normal equations and their factor.
func (r rffKRR) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	s.M = r.features.distinct(k, s.M)
	n, p := float64(s.N), r.features.coordinates(s.M)
	least, block := min(n, p), cost.Numbers(rowsPerBlock*p)
	if n < p {
		block = cost.Numbers(n * p)
	}
	equations := cost.Cost{Flops: n*p*least + least*least*least/3}.Plus(cost.Symmetric(least)).Plus(cost.Numbers(least * least)).Plus(block)
	return r.features.drawing(s, dim).Plus(equations)
}

func (r rffKRR) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := errors.Join(ctx.Err(), p.checkResponses()); err != nil {
		return nil, err
	}
	features := collected(r.features.draw(p, rng))
	lambda := r.ridge.lambda(p.Sizes.N)
	w, err := r.weights(ctx, p, features, float64(p.Sizes.N)*lambda)
	if err != nil {
		return nil, err
	}
	f := kernel.FeatureExpansion{Map: features, Coef: w}
	return &Regression{Functions: f, Lambda: lambda}, nil
}

// weights are w for nλ = t.
func (r rffKRR) weights(ctx context.Context, p Sample, features kernel.FeatureMap, t float64) (*mat.Dense, error) {
	if p.n() < features.Dim() {
		z, err := p.features(ctx, features)
		if err != nil {
			return nil, err
		}
		defer p.phase("solve")()
		a := mat.DenseCopyOf(p.Responses)
		p.weights().roots(z)
		p.weights().roots(a)
		if err := ridgeSolve(linalg.Gram(blas.NoTrans, z), t, a); err != nil {
			return nil, err
		}
		return byColumns(z.T(), a), nil
	}

	equations := newNormalEquations(features.Dim(), p.responses())
	add := func(from, to int, z *mat.Dense) { equations.add(p, from, to, z) }
	if err := p.each(ctx, features.Dim(), p.transform(features), add); err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	return equations.right, ridgeSolve(equations.square, t, equations.right)
}
