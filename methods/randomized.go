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
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("randomized-kpca", Entry{
	Label:     "randomised KPCA",
	Doc:       "kernel PCA by a randomised singular value decomposition of the n×n Gram matrix: m = ℓ + oversampling random vectors, with power iterations",
	Reference: "Halko, Martinsson & Tropp 2011, Alg 4.4 and 5.5",
	Cost:      "n²D + 2n²(m(power+1) + ℓ) + O(nm²) flops, 8n² + 32nm bytes",
	Accuracy:  "residuals of the pairs are measured; a caveat names them beyond 0.01 of the first eigenvalue",
	Version:   "2",
	New: func() Options {
		return &RandomizedOptions{Center: "u", Power: 2}
	},
})

// RandomizedOptions are the parameters of randomised kernel PCA.
type RandomizedOptions struct {
	Center string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default), v by n, none does not centre"`
	Power  int    `yaml:"power" min:"0" max:"64" doc:"iterations, each a product of the Gram matrix with m vectors (default 2); one more product follows"`
}

// Method returns randomised kernel PCA.
func (o *RandomizedOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	if o.Power < 0 {
		err = errors.Join(err, fmt.Errorf("power %d: must not be negative", o.Power))
	}
	return randomized{center: c, power: o.Power}, err
}

// Traits say that it works on the Gram matrix.
func (o *RandomizedOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "ell"}, Shape: ShapeSubspace, Space: SpaceSpan,
		Gram: true, OnSample: true,
	}
}

// randomized is kernel PCA over the span of the functions Σ_i S_ij k(·, X_i),
// where S (n×m) is an orthonormal basis of A^q·Ω; A = CKC, or K for an uncentred
// estimate, Ω is n×m standard normal, centred with A, and q is power.
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
// Algorithms 4.4 and 5.5, their bounds of §10 with A^(1/2) for A.
// Deviation: m, the number of vectors, is given in place of the oversampling
// m − ℓ, so that a fit does not depend on how many components are asked of it:
// say m: "ell + 10".
type randomized struct {
	center center
	power  int
	times  weights // of the sample's rows
}

func (r randomized) Check(_ kernel.Kernel, s Sizes) error {
	most := min(s.M, r.center.maxRank(s.N))
	switch {
	case s.M < 1:
		return errors.New("the grid gives no m: randomized-kpca needs a number of columns")
	case s.M > s.N:
		return fmt.Errorf("m = %d columns of a sketch of n = %d points", s.M, s.N)
	case s.Ell > most:
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (m = %d, n = %d)", s.Ell, most, s.M, s.N)
	}
	return nil
}

// Cost counts the Gram matrix, its products with m vectors and the components, their
// orthogonalisation, the compression, and the solve of order m; S and KS, a product in
// rows, and the residuals.
func (r randomized) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m, ell := float64(s.N), float64(s.M), float64(s.Ell)
	q := float64(r.power)
	products := cost.Cost{Flops: 2*n*n*(m*(q+1)+ell) + 4*n*m*m*(q+1) + 4*n*m*ell}.Plus(cost.Numbers(n * (4*m + 4*ell)))
	return gramValues(n, dim).Plus(products).Plus(linalg.SymmetricCost(n, m)).Plus(compression(m, ell))
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
	model, coef, err := r.onPoints(sketch).subspace(p, r.center, size)
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
	omega := r.times.normal(p.n(), nil, p.Sizes.M, rng)
	omega.Scale(1/math.Sqrt(float64(p.Sizes.M)), omega)
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
