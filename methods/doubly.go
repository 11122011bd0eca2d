package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// DoublyStochasticOptions are the parameters of kernel PCA by doubly stochastic
// gradients.
type DoublyStochasticOptions struct {
	Features string  `yaml:"features" required:"true" enum:"fourier,mercer" doc:"fourier: cos/sin pairs of a shift-invariant kernel; mercer: eigenfunctions of a series kernel; m counts the features of one step"`
	C        float64 `yaml:"c" required:"true" above:"0" doc:"the rate is c/(t0 + t) at step t"`
	T0       float64 `yaml:"t0" required:"true" min:"0" doc:"offset of the step number in the rate; c/t0 much above 1/k(x,x) diverges"`
	Batch    int     `yaml:"batch" min:"1" doc:"points per step; the last step before n takes the remaining points"`
}

// Method returns kernel PCA by doubly stochastic gradients.
func (o *DoublyStochasticOptions) Method() (Method, error) {
	var err error
	if !(o.C > 0) || !(o.T0 >= 0) || o.Batch < 1 {
		err = fmt.Errorf("c = %v, t0 = %v and batch = %d: must be above 0, at least 0 and at least 1", o.C, o.T0, o.Batch)
	}
	if o.Features != "fourier" && o.Features != "mercer" {
		err = errors.Join(err, fmt.Errorf("features %q: must be fourier or mercer", o.Features))
	}
	features, wrong := (&RFFOptions{Features: o.Features, Center: "none"}).Method()
	return doublyStochastic{features: features.(rff).named("doubly-stochastic"), rates: RateOptions{Schedule: cOverT, C: o.C, T0: o.T0}, batch: o.Batch}, errors.Join(err, wrong)
}

// Traits say that all features drawn are its model.
func (*DoublyStochasticOptions) Traits() Traits {
	return Traits{Uses: []string{"n", "m", "ell"}, Shape: ShapeFeatures, NoCounts: inOrder, Holds: holdsNothing}
}

// doublyStochastic is kernel PCA by functional gradients that are stochastic twice,
// in the points and in the features: functions h = (h_1 … h_ℓ) go, with a batch of
// b points x and m features drawn anew at each step, by
//
//	h ← h + η_t (1/b) Σ_x k̂_t(x,·) h(x)ᵀ − η_t h UT[(1/b) Σ_x h(x)h(x)ᵀ],
//
// η_t = c/(t0 + t), where k̂_t(x,y) = (1/m) Σ_a φ_a(x)φ_a(y) is the kernel's
// estimate by the new features and UT the upper triangle with the diagonal. So
// h_j is a combination of all features drawn so far: memory grows with n, by m
// features and mℓ coefficients a step. Nothing is orthogonalised on the way. UT
// makes h_j independent of the functions behind it: the first ℓ of a fit are the
// fit at ℓ.
//
// λ̂_j = Σ_t t·h_j(x_t)²/Σ_t t, with h before the step of x_t.
//
// Cost: with p = m(n/b + 1) features at the end, (n/2)·p·(2D + 40 + 4ℓ + 2ℓ²/b) flops and
// 8p(D + 2ℓ) bytes.
//
// Reference: Xie, Liang & Song, Scale up nonlinear component analysis with doubly
// stochastic gradients (2015), Algorithm 1, in the form with UT that it gives for
// single eigenfunctions. Deviations: frequencies are kept, not drawn again from
// seeds; h starts as ℓ random combinations, orthonormal in their feature space, of
// m features that count as those of a step 0, as the paper leaves the start open;
// and the model, a subspace of the space of all features drawn, has orthonormal
// columns: h_1 … h_ℓ orthonormalised in this order there. Noise of the
// coefficients, by about 1 + 1/(bλ_j) in square, makes the norms of h_j in that
// space larger than in H, however large n is: measures that depend on the scale
// of the components want a large batch, those of the span do not.
type doublyStochastic struct {
	features rff
	rates    RateOptions
	batch    int
}

var _ = register("doubly-stochastic", Entry{
	Label:     "doubly stochastic gradients",
	Doc:       "kernel PCA by doubly stochastic gradients: m new random features for each batch of points; uncentred",
	Reference: "Xie, Liang & Song 2015, Alg 1",
	Cost:      "np(D + 20 + 2ℓ + ℓ²/batch) flops for p = mn/batch features in total, 8p(D + 2ℓ) bytes",
	Accuracy:  "approximate and random: in its paper the error falls as 1/t in t steps, up to logarithms",
	Version:   "1",
	Plain:     "features: fourier, c: 1, t0: 10",
	New:       func() Options { return &DoublyStochasticOptions{Batch: 1} },
})

// Cost counts, over half of the features in the mean, their values, the products with
// the coefficients, and those with the triangle.
func (d doublyStochastic) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, ell, b := float64(s.N), float64(s.Ell), float64(d.batch)
	p, each := float64(s.M)*(n/b+1), d.features.coordinates(1)
	perPoint := p * (dim + each*(10+ell+ell*ell/(2*b)))
	return cost.Cost{Flops: n * perPoint}.Plus(cost.Numbers(p * (2*dim + each*(2*ell+b))))
}

func (d doublyStochastic) Check(k kernel.Kernel, s Sizes, dim int) error {
	return d.features.Check(k, s, dim)
}

func (d doublyStochastic) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	return fitOne(ctx, d, p, rng)
}

func (d doublyStochastic) FitEach(ctx context.Context, p Sample, sizes []int, rng *rand.Rand, found func(n int, m Model, err error) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	last := sizes[len(sizes)-1]
	h := d.start(p, last, rng)
	for from := 0; from < last; from += d.batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		h.draw(rng)
		to := min(from+d.batch, last)
		for ; sizes[0] < to; sizes = sizes[1:] {
			at, model := h.clone(), Model(nil)
			err := at.step(from, sizes[0])
			if err == nil {
				model = at.model()
			}
			if err := found(sizes[0], model, err); err != nil {
				return err
			}
		}
		if err := h.step(from, to); err != nil {
			return err
		}
		if sizes[0] == to {
			if err := found(to, h.model(), nil); err != nil {
				return err
			}
			sizes = sizes[1:]
		}
	}
	return nil
}

// functions are h_1 … h_ℓ of a pass: h = √count·coefᵀΦ, Φ the count features so
// far.
type functions struct {
	method doublyStochastic
	sample Sample
	drawn  *drawnFeatures // those of the next step, too, once it has begun
	count  int
	coef   []*mat.Dense // features×ℓ, for each coordinate of a feature: two of Fourier's
	steps  int
	seen   lateSquares // h_j(x_t)²
	phi    []float64   // room for the features of a batch
}

// start draws the features and the coefficients of step 0. The latter come from a
// stream of their own, so that features do not depend on ℓ.
func (d doublyStochastic) start(p Sample, n int, rng *rand.Rand) *functions {
	own := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
	steps := (n + d.batch - 1) / d.batch
	h := &functions{method: d, sample: p, drawn: &drawnFeatures{most: p.Sizes.M * (steps + 1)}, seen: newLateSquares(p.Sizes.Ell)}
	h.drawn.add(d.features.draw(p, rng))
	h.count = p.Sizes.M
	first := h.drawn.first(h.count)
	start := normalColumns(first.Dim(), p.Sizes.Ell, own)
	orthonormalise(start)
	start.Scale(1/math.Sqrt(float64(h.count)), start)
	for from := 0; from < first.Dim(); from += h.count {
		coef := mat.NewDense(h.drawn.most, p.Sizes.Ell, nil)
		coef.Copy(start.Slice(from, from+h.count, 0, p.Sizes.Ell))
		h.coef = append(h.coef, coef)
	}
	return h
}

// draw draws the features of the next step.
func (h *functions) draw(rng *rand.Rand) {
	h.drawn.add(h.method.features.draw(h.sample, rng))
}

// clone is a copy that can take the next step by itself.
func (h *functions) clone() *functions {
	at := *h
	at.seen = h.seen.clone()
	at.coef = make([]*mat.Dense, len(h.coef))
	for i, coef := range h.coef {
		at.coef[i] = mat.NewDense(h.count+h.sample.Sizes.M, h.sample.Sizes.Ell, nil)
		at.coef[i].Copy(coef)
	}
	return &at
}

// step takes points from..to−1.
func (h *functions) step(from, to int) error {
	_, d := h.sample.X.Dims()
	n, ell, total := to-from, h.sample.Sizes.Ell, h.count+h.sample.Sizes.M
	stop := h.sample.phase("embed")
	features := h.drawn.first(total)
	size := n * features.Dim()
	if len(h.phi) < size { // at the first step, for all
		h.phi = make([]float64, h.method.batch*len(h.coef)*h.drawn.most)
	}
	phi := mat.NewDense(n, features.Dim(), h.phi[:size])
	kernel.CountPoints(h.sample.Kernel, n)
	features.Transform(phi, h.sample.X.Slice(from, to, 0, d).(*mat.Dense))
	stop()
	defer h.sample.phase("solve")()
	scale := math.Sqrt(float64(total))
	values := mat.NewDense(n, ell, nil)
	for i, coef := range h.coef {
		seen := phi.Slice(0, n, i*total, i*total+h.count).(*mat.Dense)
		linalg.Gemm(blas.NoTrans, blas.NoTrans, scale, seen.RawMatrix(), coef.Slice(0, h.count, 0, ell).(*mat.Dense).RawMatrix(), 1, values.RawMatrix())
	}
	var moment mat.Dense
	moment.Mul(values.T(), values)
	if norm := mat.Norm(&moment, 2); math.IsNaN(norm) || norm > mostGrowth*mostGrowth {
		return fmt.Errorf("the functions grow without bound: their values at points %d to %d of the sample are of size %.1g; take a smaller c or a larger t0, and look for NaN in the data", from+1, to, math.Sqrt(norm))
	}
	h.seen.add(values)
	h.steps++
	rate := h.method.rates.rate(h.steps) / float64(n)
	shrink := mat.NewTriDense(ell, mat.Upper, nil)
	for i := range ell {
		for j := i; j < ell; j++ {
			shrink.SetTri(i, j, -rate*moment.At(i, j))
		}
		shrink.SetTri(i, i, 1+shrink.At(i, i))
	}
	for i, coef := range h.coef {
		blas64.Trmm(blas.Right, blas.NoTrans, 1, shrink.RawTriangular(), coef.Slice(0, h.count, 0, ell).(*mat.Dense).RawMatrix())
		fresh := phi.Slice(0, n, i*total+h.count, (i+1)*total).(*mat.Dense)
		linalg.Gemm(blas.Trans, blas.NoTrans, rate*scale/float64(h.sample.Sizes.M), fresh.RawMatrix(), values.RawMatrix(), 0, coef.Slice(h.count, total, 0, ell).(*mat.Dense).RawMatrix())
	}
	h.count = total
	return nil
}

// mostGrowth is a size of function values that no steps with sensible rates reach:
// eigenfunctions are below √k(x,x).
const mostGrowth = 1e8

// model is the subspace of the space of all features that the functions span.
func (h *functions) model() *FeatureSubspace {
	defer h.sample.phase("solve")()
	features, ell := h.drawn.first(h.count), h.sample.Sizes.Ell
	coef := mat.NewDense(features.Dim(), ell, nil)
	for i, part := range h.coef {
		coef.Slice(i*h.count, (i+1)*h.count, 0, ell).(*mat.Dense).Copy(part)
	}
	orthonormalise(coef)
	spectrum := Spectrum{Values: h.seen.means(), Center: make([]float64, ell)}
	return &FeatureSubspace{kernel.FeatureExpansion{Map: features, Coef: coef}, spectrum}
}

// drawnFeatures are independent features, drawn one block after another.
type drawnFeatures struct {
	most        int // that there will be
	count       int
	frequencies *mat.Dense     // of Fourier features
	series      *kernel.Series // of Mercer features
	indices     []int
}

// add appends a block's features.
func (f *drawnFeatures) add(block kernel.FeatureMap) {
	switch block := block.(type) {
	case *kernel.Fourier:
		m, d := block.Frequencies.Dims()
		if f.frequencies == nil {
			f.frequencies = mat.NewDense(f.most, d, nil)
		}
		f.frequencies.Slice(f.count, f.count+m, 0, d).(*mat.Dense).Copy(block.Frequencies)
	case *kernel.Mercer:
		f.series, f.indices = block.Series, append(f.indices, block.Indices...)
	default:
		panic(fmt.Sprintf("methods: no rule to append features of type %T", block))
	}
	f.count += block.Features()
}

// first is the map of the first count features.
func (f *drawnFeatures) first(count int) kernel.FeatureMap {
	if f.series != nil {
		return &kernel.Mercer{Series: f.series, Indices: f.indices[:count:count]}
	}
	_, d := f.frequencies.Dims()
	return &kernel.Fourier{Frequencies: f.frequencies.Slice(0, count, 0, d).(*mat.Dense)}
}
