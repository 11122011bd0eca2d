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

var _ = register("gaussian-sketch", Entry{
	Label:     "Gaussian sketch",
	Doc:       "kernel PCA over m random combinations of all n kernel functions, with independent normal weights or those of another sketch; the Gram matrix is never held",
	Reference: "Yang, Pilanci & Wainwright 2017 (randomized sketches for kernels)",
	Cost:      "2n²(D + m) + O(nm²) flops, 16nm bytes",
	Accuracy:  "approximate: the kernel matrix is projected onto the span of m random combinations",
	Version:   "1",
	New:       func() Options { return &GaussianSketchOptions{Center: "u"} },
})

// GaussianSketchOptions are the parameters of kernel PCA on a Gaussian sketch.
type GaussianSketchOptions struct {
	Center string `yaml:"center" enum:"u,v,none" doc:"u divides by n-1 (default), v by n, none does not centre"`
	Sketched
}

// Method returns kernel PCA on a Gaussian sketch, or on another.
func (o *GaussianSketchOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	err = errors.Join(err, o.Sketched.check())
	return randomSketch{name: "gaussian-sketch", center: c, kind: o.Sketched, nonzeros: o.nonzeros()}, err
}

// Traits say which sketches take counts.
func (o *GaussianSketchOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "ell"}, Shape: ShapeSubspace, Space: SpaceSpan,
		OnSample: true, NoCounts: o.Sketched.noCounts(),
	}
}

// randomSketch is kernel PCA over the span of Σ_i S_ij k(·, X_i), j ≤ m, S
// n×m of independent N(0, 1/m). E[tr(K − KS(SᵀKS)⁺SᵀK)] ≤ (1 + k/(m−k−1))·Σ_{i>k} μ_i for
// every k ≤ m − 2, μ the eigenvalues of K.
//
// Reference: Yang, Pilanci & Wainwright 2017 (Randomized sketches for kernels); the
// bound is Halko, Martinsson & Tropp 2011, Theorem 10.5, for a root of K.
// Deviation: sketch srht, by the same products; sparse ones, see sparse-sign-sketch.
type randomSketch struct {
	name     string // of the method, for messages
	center   center
	kind     Sketched
	nonzeros int // q of a sparse sketch; 0 for a dense one
}

func (g randomSketch) Check(_ kernel.Kernel, s Sizes, _ int) error {
	return checkSketch(g.name, g.center, s, s.M)
}

// Cost counts S and KS, the streamed rows of the Gram matrix or the work of order m,
// and the components.
func (g randomSketch) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, m, ell := float64(s.N), float64(s.M), float64(s.Ell)
	rows := cost.Values(n*n, dim).Plus(cost.Numbers(n*float64(gramRows(s.N)) + 2*n*dim))
	each, entries := m, 0.0
	if g.nonzeros > 0 {
		each = min(float64(g.nonzeros), m)
		entries = 2 * n * each
	}
	products := cost.Cost{Flops: 2*n*n*each + 4*n*m*m}.Plus(cost.Numbers(2*n*m + entries + n*ell))
	return products.Plus(rows.Then(compression(m, ell)))
}

func (g randomSketch) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n, m := p.n(), p.Sizes.M
	sketch := denseSketch{g.weights(p, rng), mat.NewDense(n, m, nil)}
	apply := sketch.multiply
	if g.nonzeros > 0 {
		if rows := nonzerosOf(sketch.weights); len(rows.values) < n*m/8 { // atoms of many points have few zeros
			apply = rows.multiply
		}
	}
	if err := sketch.stream(ctx, p, apply); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	model, _, err := sketch.subspace(p, g.center, "none", largestValue(p.Kernel, p.X))
	if err != nil {
		return nil, err
	}
	return model, nil
}

// weights are S.
func (g randomSketch) weights(p Sample, rng *rand.Rand) *mat.Dense {
	if g.nonzeros > 0 {
		return signs(p, min(g.nonzeros, p.Sizes.M), rng)
	}
	return g.kind.draw(p, rng)
}

// multiply sets values to k·S.
func (d denseSketch) multiply(values, k *mat.Dense) {
	linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, k.RawMatrix(), d.weights.RawMatrix(), 0, values.RawMatrix())
}

// stream fills the values KS by blocks of rows of K, of which apply makes those of KS.
func (d denseSketch) stream(ctx context.Context, p Sample, apply func(values, k *mat.Dense)) error {
	n, m := d.weights.Dims()
	buffer := mat.NewDense(gramRows(n), n, nil)
	return p.eachBlock(ctx, gramRows(n), func(from, to int, x *mat.Dense) {
		k := leadingRows(buffer, to-from)
		stop := p.phase("gram")
		kernel.CrossTo(k, p.Kernel, x, p.X)
		stop()

		defer p.phase("embed")()
		apply(d.values.Slice(from, to, 0, m).(*mat.Dense), k)
	})
}

// gramRows is how many rows of an n×n Gram matrix are held at once: at most 32
// MiB where n allows.
func gramRows(n int) int { return min(n, max(16, min(rowsPerBlock, (1<<22)/n))) }
