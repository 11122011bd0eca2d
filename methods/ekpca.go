package methods

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("ekpca", Entry{
	Label:     "empirical KPCA",
	Doc:       "empirical kernel PCA on the n×n Gram matrix",
	Reference: "NYK Prop 3.1, RFK eq 8-12, SKP §3",
	Cost:      "n²D + O(n²ℓ) flops, 8n² bytes; with a kernel of finite rank r ≤ n/4, nr² flops, 8nr bytes",
	Accuracy:  "exact: residuals of eigenpairs at most 1e-12 of the largest eigenvalue",
	Version:   "2",
	Plain:     "center: u",
	New:       func() Options { return &EKPCAOptions{} },
})

// EKPCAOptions are the parameters of empirical kernel PCA.
type EKPCAOptions struct {
	Center string `yaml:"center" required:"true" enum:"u,v,none" doc:"u divides by n-1 (NYK), v by n (RFK), none does not centre (SKP)"`
}

// Method returns empirical kernel PCA.
func (o *EKPCAOptions) Method() (Method, error) {
	c, err := checkCenter(o.Center)
	return ekpca{center: c}, err
}

// Traits say that it works on the Gram matrix, or on few coordinates.
func (*EKPCAOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "ell"}, Shape: ShapeSubspace, Cut: CutAlways,
		Gram: true, Coordinates: true, Holds: gramNumbers,
	}
}

// ekpca solves C K C v = μ v for the top ℓ pairs, ‖v‖ = 1: λ̂ = μ/(n−1) or μ/n,
// φ̂ = μ^(−1/2) Σ_j (Cv)_j k(·,X_j); uncentred, K v = μ v. Components that are
// rounding (see spectrumOf) are dropped, with a warning.
//
// Reference: [NYK, Prop 3.1], [RFK, eq 8–12], [SKP, §3].
type ekpca struct{ center center }

func (e ekpca) Check(_ kernel.Kernel, s Sizes) error {
	if most := e.center.maxRank(s.N); s.Ell > most {
		return fmt.Errorf("ell = %d components of an estimate of rank at most %d (n = %d)", s.Ell, most, s.N)
	}
	return nil
}

// Cost counts the Gram matrix and its leading pairs, or the coordinates and those of
// their covariance, and the components.
func (e ekpca) Cost(k kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, ell := float64(s.N), float64(s.Ell)
	if r := rankBelow(k, s.N); r > 0 {
		moment := cost.Cost{Flops: n * r * (cost.ValueFlops + r + 2*ell)}.Plus(cost.Symmetric(r))
		return moment.Plus(cost.Numbers(n * (r + 2*ell))).Plus(linalg.TopCost(r, ell))
	}
	return gramValues(n, dim).Plus(linalg.TopCost(n, ell)).Plus(cost.Numbers(5 * n * ell))
}

// gramValues are the kernel values of a shared Gram matrix of n points.
func gramValues(n, dim float64) cost.Cost { return cost.Cost{Flops: cost.Gram(n, dim).Flops} }

func (e ekpca) Fit(ctx context.Context, p Sample, _ *rand.Rand) (Model, error) {
	if f, ok := p.coordinates(); ok {
		return e.primal(ctx, p, f)
	}
	gram, err := p.gram(ctx)
	if err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	coef, spectrum, err := p.eigenvectors(gram, e.center.centred(), p.Sizes.Ell, p.Sizes.N)
	if err != nil {
		return nil, err
	}
	if p.Counts != nil {
		e.weighted(p, gram, coef, &spectrum)
	} else {
		e.coefficients(gram, coef, &spectrum)
	}
	spectrum.warnOfRounding(coef, linalg.LargestDiagonal(gram))
	return &Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: p.X, Coef: coef}, Spectrum: spectrum}, nil
}

// primal goes through K = FFᵀ for coordinates F (n×r), written over: the r×r
// matrix FᵀCF has the eigenvalues μ of CKC, and with its eigenvectors u, φ̂ is
// Σ_j (CFu)_j k(·,X_j)/μ, whose mean over the sample is that of Fu. Rows that stand for
// c_j points are √c_j times as long, and so are their coefficients.
func (e ekpca) primal(ctx context.Context, p Sample, f *mat.Dense) (Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	n, r := f.Dims()
	mean, size := make([]float64, r), 0.0
	for i := range n {
		row := f.RawRowView(i)
		size = max(size, floats.Dot(row, row))
	}
	if e.center.centred() {
		mean = p.weights().means(f)
		linalg.SubtractRow(f, mean)
	}
	p.weights().roots(f)
	u, spectrum, err := pairs(linalg.Symmetric(linalg.Gram(blas.Trans, f)), p.Sizes.Ell, n, size*(float64(p.Sizes.N)/float64(n)))
	if err != nil {
		return nil, err
	}
	coef := product(f, u)
	p.weights().roots(coef)
	scaleColumns(coef, func(i int) float64 { return 1 / spectrum.Values[i] })
	spectrum.warnOfRounding(coef, size)
	spectrum.centreOn(u, mean)
	for i, mu := range spectrum.Values {
		spectrum.Values[i] = mu / e.center.divisor(p.Sizes.N)
	}
	return &Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: p.X, Coef: coef}, Spectrum: spectrum}, nil
}

// coefficients turns eigenvectors Cv, in place, into Cv/√μ, and the eigenvalues μ
// into λ̂ and the centres.
func (e ekpca) coefficients(gram *mat.SymDense, v *mat.Dense, s *Spectrum) {
	s.Center = make([]float64, len(s.Values))
	if e.center.centred() {
		s.Center = weights(nil).means(onSample(gram, v))
	}
	scaleColumns(v, func(i int) float64 { return 1 / math.Sqrt(s.Values[i]) })
	for i, mu := range s.Values {
		s.Center[i] /= math.Sqrt(mu)
		s.Values[i] = mu / e.center.divisor(gram.SymmetricDim())
	}
}

// weighted is the same for rows that stand for several points.
func (e ekpca) weighted(p Sample, gram *mat.SymDense, v *mat.Dense, s *Spectrum) {
	scaleColumns(v, func(i int) float64 { return 1 / math.Sqrt(s.Values[i]) })
	s.Center = make([]float64, len(s.Values))
	if e.center.centred() {
		s.Center = p.weights().means(onSample(gram, v))
	}
	floats.Scale(1/e.center.divisor(p.Sizes.N), s.Values)
}

// onSample are the values of combinations of kernel functions at the sample.
func onSample(gram *mat.SymDense, coef *mat.Dense) *mat.Dense {
	n, ell := coef.Dims()
	at := mat.NewDense(n, ell, nil)
	linalg.Symmetric(gram).Apply(at, coef)
	return at
}
