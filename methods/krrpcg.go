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

var _ = register("krr-pcg", Entry{
	Label:     "kernel ridge regression by PCG",
	Doc:       "kernel ridge regression on all n points by preconditioned conjugate gradients, along whose iterations measures are series",
	Reference: "Díaz, Epperly, Frangella, Tropp & Webber 2023, §2; Frangella, Tropp & Udell 2023",
	Cost:      "n²D + (2n² + 4nr)·max_iter + 4nr² flops for a preconditioner of rank r, with store_kernel: false n²(2D + 22)·max_iter; 8(2nr + r² + n·max_iter) bytes and the Gram matrix if it is stored; plus the cost of the landmarks or features",
	Accuracy:  "exact to a relative residual of tol, or a warning; see pcg_residual",
	Version:   "1",
	Plain:     "preconditioner: nystrom, tol: 1e-13, max_iter: 1000, ridge: 0.01",
	New: func() Options {
		return &KRRPCGOptions{PCGOptions: defaultPCG(), StoreKernel: true, Landmarks: landmark.By("rpcholesky"), Features: "fourier"}
	},
})

// KRRPCGOptions are the parameters of kernel ridge regression by conjugate gradients.
type KRRPCGOptions struct {
	RidgeOptions
	PCGOptions
	Preconditioner string           `yaml:"preconditioner" required:"true" enum:"none,nystrom,rff" doc:"P beside K + nλI: none (the identity), nystrom (K_nm K_mm⁺ K_mn + nλI on m landmarks) or rff (ZZᵀ + nλI, Z the points' coordinates in m random features)"`
	StoreKernel    bool             `yaml:"store_kernel" doc:"keep the n×n kernel matrix; false computes it anew in each iteration, a block at a time"`
	Landmarks      landmark.Options `yaml:"landmarks" doc:"preconditioner nystrom: rule that picks the m landmarks, or {rule: …} with its parameters"`
	Features       string           `yaml:"features" enum:"fourier,offset,orthogonal,mercer" doc:"preconditioner rff: family of feature maps, as for rff"`
}

// Method returns kernel ridge regression by conjugate gradients.
func (o *KRRPCGOptions) Method() (Method, error) {
	r, err := krrPCG{options: *o}, error(nil)
	switch o.Preconditioner {
	case "nystrom":
		r.span = nystrom{o.Landmarks, "none"}
		err = errors.Join(o.Landmarks.Check(), o.chooses(o.Landmarks))
	case "rff":
		r.span, err = newRFF(o.Features, "none", "rff")
	}
	method, wrong := o.method(func(ridge RidgeOptions) Method {
		r.options.RidgeOptions = ridge
		return r
	})
	return method, errors.Join(wrong, err)
}

// Traits say whether it works on the Gram matrix, and what the preconditioner needs.
func (o *KRRPCGOptions) Traits() Traits {
	t := Traits{Uses: []string{"n", "m"}, Shape: ShapeRegression, Gram: o.StoreKernel, OnSample: true, Iterates: o.MaxIter + 1}
	switch o.Preconditioner {
	case "nystrom":
		t = t.onLandmarks(o.Landmarks)
		t.Streams = nil // responses are of points in memory
	case "rff":
		t.Features, t.Distinct = true, rff{family: o.Features}.distinct
	case "none":
		t.Uses = t.Uses[:1]
	}
	t.NoCounts = cmp.Or(t.NoCounts, o.noCounts())
	return t
}

// krrPCG is krr with its system solved by conjugate gradients. Of rows that stand for c_j
// points it is in W^(1/2)KW^(1/2), and W^(1/2)Z is in the preconditioner.
//
// Reference: Díaz, Epperly, Frangella, Tropp & Webber 2023 (Robust, randomized preconditioning
// for kernel ridge regression), §2. Deviation: an orthogonal factor of [Z; √(nλ)·I] stands in
// place of singular vectors of Z.
type krrPCG struct {
	options KRRPCGOptions
	span    Method // nystrom or rff, which Z is of; nil without a preconditioner
}

func (r krrPCG) Check(k kernel.Kernel, s Sizes) error {
	if r.span == nil {
		return nil
	}
	return r.span.Check(k, s.Only("n", "m"))
}

// Cost counts the shared Gram matrix, max_iter iterations and the preconditioner.
func (r krrPCG) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, rank := float64(s.N), float64(s.M)
	c := r.options.cost(n, 2*n*n)
	if r.options.StoreKernel {
		c = c.Plus(gramValues(n, dim))
	} else {
		c = c.Plus(r.options.cost(0, cost.Values(n*n, dim).Flops))
	}
	if r.span == nil {
		return c
	}
	if features, ok := r.span.(rff); ok {
		rank = features.coordinates(features.distinct(k, s.M))
	}
	return c.Plus(r.span.Cost(k, s.Only("n", "m"), dim)).Plus(orthonormalCost(n, rank))
}

func (r krrPCG) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := errors.Join(ctx.Err(), p.checkResponses()); err != nil {
		return nil, err
	}
	f, times, y := kernel.Expansion{Kernel: p.Kernel, Points: p.X}, p.weights(), mat.DenseCopyOf(p.Responses)
	times.roots(y)
	product := func(dst, _ *mat.Dense) { dst.Copy(f.Eval(p.X)) }
	if r.options.StoreKernel {
		gram, err := p.gram(ctx)
		if err != nil {
			return nil, err
		}
		product = linalg.Symmetric(gram).Apply
	}
	model := &Regression{Lambda: r.options.lambda(p.Sizes.N)}
	t := float64(p.Sizes.N) * model.Lambda
	precondition, err := r.preconditioner(ctx, p, rng, t, model)
	if err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	return r.options.regression(ctx, model, f, times, y, func(dst, src *mat.Dense) {
		f.Coef = mat.DenseCopyOf(src)
		times.roots(f.Coef)
		product(dst, f.Coef)
		times.roots(dst)
		f.Coef.Scale(t, src)
		dst.Add(dst, f.Coef)
	}, precondition)
}

// preconditioner is P⁻¹ for nλ = t. It adds its warnings to the model.
func (r krrPCG) preconditioner(ctx context.Context, p Sample, rng *rand.Rand, t float64, model *Regression) (linear, error) {
	var z *mat.Dense
	switch span := r.span.(type) {
	case nystrom:
		basis, err := span.basis(ctx, p, rng)
		if err != nil {
			return nil, err
		}
		z, model.Warnings = (&landmarkCoordinates{basis}).Eval(p.X), slices.Clone(basis.warnings)
	case rff:
		features, err := p.features(ctx, collected(span.draw(p, rng)))
		if err != nil {
			return nil, err
		}
		z = features
	default:
		return identity, nil
	}
	defer p.phase("factor")()
	p.weights().roots(z)
	q, _ := orthonormal(z, t)
	return outer(q, t, true), ctx.Err()
}
