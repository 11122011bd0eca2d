package methods

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("randomized-kpca", Entry{
	Label:     "randomised KPCA",
	Doc:       "kernel PCA by a randomised singular value decomposition of the n×n Gram matrix: m = ℓ + oversampling random vectors, with power or block Krylov iterations",
	Reference: "Halko, Martinsson & Tropp 2011, Alg 4.4 and 5.5; Musco & Musco 2015, Alg 2",
	Cost:      "n²D + 2n²(m(power+1) + ℓ) + O(nm²) flops, 8n² + 32nm bytes",
	Accuracy:  "residuals of the pairs are measured; a caveat names them beyond 0.01 of the first eigenvalue",
	Version:   "2",
	New: func() Options {
		return &RandomizedOptions{Center: "u", Variant: "power", Power: 2}
	},
})

// RandomizedOptions are the parameters of randomised kernel PCA.
type RandomizedOptions struct {
	Center  string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default), v by n, none does not centre"`
	Variant string `yaml:"variant" enum:"power,block-krylov" doc:"power (default): the last of the products AʲΩ; block-krylov: the span of all of them"`
	Power   int    `yaml:"power" min:"0" max:"64" doc:"iterations, each a product of the Gram matrix with m vectors (default 2); one more product follows"`
	Sketched
}

// Method returns randomised kernel PCA.
func (o *RandomizedOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	if o.Variant != "power" && o.Variant != "block-krylov" {
		err = errors.Join(err, fmt.Errorf("variant %q: must be power or block-krylov", o.Variant))
	}
	if o.Power < 0 {
		err = errors.Join(err, fmt.Errorf("power %d: must not be negative", o.Power))
	}
	err = errors.Join(err, o.Sketched.check())
	return randomized{center: c, krylov: o.Variant == "block-krylov", power: o.Power, kind: o.Sketched}, err
}

// Traits say which sketches take counts.
func (o *RandomizedOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "ell"}, Shape: ShapeSubspace, Space: SpaceSpan,
		Gram: true, OnSample: true, NoCounts: o.Sketched.noCounts(),
	}
}

// randomized is kernel PCA over the span of the functions Σ_i S_ij k(·, X_i),
// where S (n×c) is an orthonormal basis of A^q·Ω, or of [Ω, AΩ, …, A^q·Ω] for
// block Krylov; A = CKC, or K for an uncentred estimate, Ω is n×m standard
// normal or another sketch, centred with A, and q is power.
//
// With Φ the feature vectors of the sample as columns, A = (ΦC)ᵀΦC, these are
// the subspaces that randomised singular value decomposition of ΦC finds in H,
// with q of its power iterations, and the estimate is the one it makes of the
// singular pairs there. The Gram matrix is read q+1 times, and once for the residuals. Eigenvalues are
// those of the Nyström approximation (AS)(SᵀAS)⁺(AS)ᵀ.
//
// The residuals of the pairs are measured; their loss is a caveat.
//
// Reference: Halko, Martinsson & Tropp 2011 (Finding structure with randomness),
// Algorithms 4.4 and 5.5, their bounds of §10 with A^(1/2) for A; Musco & Musco
// 2015 (Randomized block Krylov methods), Algorithm 2.
// Deviation: m, the number of vectors, is given in place of the oversampling
// m − ℓ, so that a fit does not depend on how many components are asked of it:
// say m: "ell + 10".
type randomized struct {
	center center
	krylov bool
	power  int
	kind   Sketched
	times  weights // of the sample's rows
}

// columns of the sketch: they cannot be more than n.
func (r randomized) columns(n, m int) int {
	if r.krylov {
		return min(n, (r.power+1)*m)
	}
	return m
}

func (r randomized) Check(_ kernel.Kernel, s Sizes, _ int) error {
	return checkSketch("randomized-kpca", r.center, s, r.columns(s.N, s.M))
}

// Cost counts the Gram matrix, its products with m vectors and the components, their
// orthogonalisation, the compression, and the solve of order c; S and KS, a product in
// rows, the residuals, and of block Krylov the block.
func (r randomized) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m, ell := float64(s.N), float64(s.M), float64(s.Ell)
	c, q := float64(r.columns(s.N, s.M)), float64(r.power)
	products := cost.Cost{Flops: 2*n*n*(m*(q+1)+ell) + 4*n*m*m*q + 4*n*c*c + 4*n*c*ell}.Plus(cost.Numbers(n * (2*c + 2*m + 4*ell)))
	products = products.Plus(linalg.SymmetricCost(n, m))
	if r.krylov {
		products = products.Plus(cost.Cost{Flops: 4*n*m*m + 4*n*c*c}).Plus(cost.Numbers(2 * n * m))
	}
	return gramValues(n, dim).Plus(products).Plus(compression(c, ell))
}

func (r randomized) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	gram, err := p.gram(ctx)
	if err != nil {
		return nil, err
	}
	size := linalg.LargestDiagonal(gram)
	r.times = p.weights()
	gram = r.times.matrix(gram, false)
	stop := p.phase("factor")
	sketch, err := r.sketch(ctx, linalg.Symmetric(gram), r.omega(p, rng))
	stop()
	if err != nil {
		return nil, err
	}
	model, coef, err := r.onPoints(sketch).subspace(p, r.center, r.center, size)
	if err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	model.Residuals = r.residuals(linalg.Symmetric(gram), product(sketch.values, coef), model.Values, p.Sizes.N)
	return model, nil
}

// omega is Ω. Of rows that stand for several points it is the part that is constant on
// these, in R^u (see weights): standard normal again. It has no more columns
// than rows.
func (r randomized) omega(p Sample, rng *rand.Rand) *mat.Dense {
	p.Sizes.M = min(p.Sizes.M, p.n())
	omega := r.kind.draw(p, rng)
	r.times.inverses(omega)
	return omega
}

// onPoints turns a sketch in R^u into one of functions of the rows: √c_j times its
// weights, and its values without √c_j.
func (r randomized) onPoints(d denseSketch) denseSketch {
	if r.times == nil {
		return d
	}
	points := denseSketch{mat.DenseCopyOf(d.weights), mat.DenseCopyOf(d.values)}
	r.times.roots(points.weights)
	r.times.inverses(points.values)
	return points
}

// sketch finds S and KS from Ω.
func (r randomized) sketch(ctx context.Context, k linalg.Operator, omega *mat.Dense) (denseSketch, error) {
	_, m := omega.Dims()
	r.centre(omega)
	if r.krylov {
		return r.blockKrylov(ctx, k, omega)
	}
	s, ks := omega, mat.NewDense(k.Dim(), m, nil)
	for range r.power {
		if err := ctx.Err(); err != nil {
			return denseSketch{}, err
		}
		k.Apply(ks, s)
		s.Copy(ks)
		r.orthonormalise(s)
	}
	k.Apply(ks, s)
	return denseSketch{s, ks}, nil
}

// blockKrylov orthonormalises each block KS_j against those before it, twice,
// as the next. A block without a direction of its own adds some that lie in no
// eigenspace, or in the span of the others: both do no harm.
func (r randomized) blockKrylov(ctx context.Context, k linalg.Operator, omega *mat.Dense) (denseSketch, error) {
	n, m := omega.Dims()
	c := r.columns(n, m)
	s, ks := mat.NewDense(n, c, nil), mat.NewDense(n, c, nil)
	next := omega
	for from := 0; from < c; from += m {
		if err := ctx.Err(); err != nil {
			return denseSketch{}, err
		}
		width := min(m, c-from)
		block := mat.DenseCopyOf(next.Slice(0, n, 0, width))
		for range 2 {
			takeOff(block, s, from)
		}
		r.orthonormalise(block)
		s.Slice(0, n, from, from+width).(*mat.Dense).Copy(block)
		next = mat.NewDense(n, width, nil)
		k.Apply(next, block)
		ks.Slice(0, n, from, from+width).(*mat.Dense).Copy(next)
	}
	return denseSketch{s, ks}, nil
}

// takeOff subtracts from the columns of block their parts along the first
// columns of q, which are orthonormal.
func takeOff(block, q *mat.Dense, first int) {
	if first == 0 {
		return
	}
	n, m := block.Dims()
	basis := q.Slice(0, n, 0, first).(*mat.Dense).RawMatrix()
	part := mat.NewDense(first, m, nil).RawMatrix()
	linalg.Gemm(blas.Trans, blas.NoTrans, 1, basis, block.RawMatrix(), 0, part)
	linalg.Gemm(blas.NoTrans, blas.NoTrans, -1, basis, part, 1, block.RawMatrix())
}

// orthonormalise makes the columns of s orthonormal, and centres them where the
// estimate is, before and after: they may be rounding errors.
func (r randomized) orthonormalise(s *mat.Dense) {
	r.centre(s)
	linalg.Orthonormalise(s)
	r.centre(s)
}

func (r randomized) centre(s *mat.Dense) {
	if r.center.centred() {
		r.times.centre(s)
	}
}

// residuals are ‖Av_i − μ_iv_i‖/(μ_1·‖v_i‖), v_i = AΓ_i the values of component i
// on the sample points, less their mean, from KΓ. Coefficients themselves may
// have any part in the null space of K, to rounding: it is no part of a function.
// One more product of the Gram matrix with the components.
func (r randomized) residuals(k linalg.Operator, v *mat.Dense, values []float64, n int) []float64 {
	r.centre(v)
	rows, ell := v.Dims()
	image := mat.NewDense(rows, ell, nil)
	k.Apply(image, v)
	r.centre(image)
	divisor := r.center.divisor(n)
	residuals := make([]float64, ell)
	for i, value := range values {
		on, off := mat.Col(nil, i, v), mat.Col(nil, i, image)
		floats.AddScaled(off, -value*divisor, on)
		residuals[i] = floats.Norm(off, 2) / (values[0] * divisor * floats.Norm(on, 2))
	}
	return residuals
}
