package methods

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// OjaOptions are the parameters of Oja's algorithm on random features.
type OjaOptions struct {
	FeatureOptions `yaml:",inline"`
	RateOptions    `yaml:",inline"`
}

// Method returns Oja's algorithm on random features.
func (o *OjaOptions) Method() (Method, error) {
	features, err := o.FeatureOptions.rff("rf-oja")
	return oja{features: features, rates: o.RateOptions}, errors.Join(err, o.RateOptions.check())
}

// Traits are those of one pass.
func (*OjaOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "ell"}, Shape: ShapeFeatures, Streams: always, NoCounts: inOrder,
		Holds: func(m Model, s Sizes) int { return mapDim(m) * s.Ell },
	}
}

// oja is Oja's algorithm on random features, one pass in O(pℓ) memory for p
// feature coordinates:
//
//	Q ← qr(Q + η_t z zᵀ Q)
//
// from an orthonormalised normal Q, over rows z; R has a positive diagonal. center u runs
// it on Helmert's rows (featureStream), whose expectation E r rᵀ is Σ.
//
// Column j of Q never depends on the columns behind it, AdaOja's rate for it
// neither, and no schedule depends on ℓ or n: the first ℓ components of a fit are
// the fit at ℓ, and one pass gives the fit at every n.
//
// The components keep that order, and λ̂_j = Σ_t t·(z_tᵀq_j)²/Σ_t t, each q_j as
// before the step of z_t: an unbiased estimate of a mean of q_jᵀ(E zzᵀ)q_j over the
// pass that leaves the beginning behind. These may rise, by their noise or where
// the pass has not converged. Q always has ℓ columns, whatever rank the sample has.
//
// Cost: 4pℓ + 64p + 2pℓ²/64 flops a point, nearly all in products of matrices;
// the QR decomposition costs O(pℓ) a step, since QᵀQ is known but for the step.
//
// Reference: [SKP, Alg 1, App D.2]. Deviation: centring is ours.
type oja struct {
	features rff
	rates    RateOptions
}

var _ = register("rf-oja", Entry{
	Label:     "Oja on random features",
	Doc:       "Oja's streaming PCA of m random features, one pass in O(mℓ) memory",
	Reference: "SKP Alg 1, Thm D.3",
	Cost:      "np(D + 4ℓ + 64) flops for p feature coordinates, 8p(3ℓ + 320) bytes",
	Accuracy:  "approximate and random: the error falls with the rates of the schedule; theorem-d3 with those of SKP Thm D.3",
	Version:   "1",
	Plain:     "features: fourier, schedule: adaoja",
	New: func() Options {
		return &OjaOptions{FeatureOptions: FeatureOptions{Center: "none"}}
	},
})

// Cost counts the features, a block of coordinates, the components with their
// gradient, and the rows that wait.
func (o oja) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, p, ell := float64(s.N), o.features.coordinates(s.M), float64(s.Ell)
	perPoint := p*(4*ell+blockRows) + 2*p*ell*ell/blockRows
	steps := cost.Cost{Flops: n * perPoint}.Plus(cost.Numbers(p * (3*ell + streamedRows + blockRows)))
	return o.features.drawing(s, dim).Plus(steps)
}

func (o oja) Check(k kernel.Kernel, s Sizes) error { return o.features.Check(k, s) }

func (o oja) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	return fitOne(ctx, o, p, rng)
}

func (o oja) FitEach(ctx context.Context, p Sample, sizes []int, rng *rand.Rand, found func(n int, m Model, err error) error) error {
	begin := func(dim int) pass { return newOjaState(o, normalColumns(dim, p.Sizes.Ell, rng)) }
	return o.features.passes(ctx, p, sizes, rng, begin, found)
}

func (s *ojaState) model(stream *featureStream) (Model, error) {
	at := s.upTo()
	values := at.seen.means()
	if !(floats.Max(values) > stream.rounding()) {
		return nil, errNoVariance
	}
	spectrum := Spectrum{Values: values, Center: stream.centers(at.q)}
	if s.method.rates.Schedule == theoremD3 && stream.largest > 1+1e-9 {
		spectrum.Warnings = append(spectrum.Warnings, fmt.Sprintf("Theorem D.3 takes features of norm at most 1; their squared norm is up to %.3g", stream.largest))
	}
	return &FeatureSubspace{kernel.FeatureExpansion{Map: stream.features, Coef: at.q}, spectrum}, nil
}

// ojaState is a pass of Oja's algorithm between two blocks of rows.
type ojaState struct {
	method   oja
	q        *mat.Dense // p×ℓ, orthonormal
	steps    int
	adaptive adaptive    // of schedule adaoja
	seen     lateSquares // (z_tᵀq_j)²
	waiting  *mat.Dense  // rows that wait for their block to be full
	filled   int
}

func newOjaState(o oja, q *mat.Dense) *ojaState {
	p, ell := q.Dims()
	orthonormalise(q)
	return &ojaState{
		method: o, q: q, adaptive: newAdaptive(ell),
		seen: newLateSquares(ell), waiting: mat.NewDense(blockRows, p, nil),
	}
}

// add takes rows, in blocks whose bounds depend on nothing but the number of rows
// before.
func (s *ojaState) add(rows *mat.Dense) error {
	n, _ := rows.Dims()
	for from := 0; from < n; {
		count := min(n-from, blockRows-s.filled)
		linalg.Rows(s.waiting, s.filled, s.filled+count).Copy(linalg.Rows(rows, from, from+count))
		s.filled += count
		from += count
		if s.filled == blockRows {
			s.block(s.waiting)
			s.filled = 0
		}
	}
	return nil
}

// upTo is the state after the rows that wait too. s goes on without them.
func (s *ojaState) upTo() *ojaState {
	at := *s
	at.q = mat.DenseCopyOf(s.q)
	at.adaptive, at.seen = append(adaptive{}, s.adaptive...), s.seen.clone()
	if s.filled > 0 {
		at.block(linalg.Rows(s.waiting, 0, s.filled))
	}
	return &at
}

// rates are those of the next step. squares are the ‖g_j‖² of the columns of the gradient
// z zᵀ Q.
func (s *ojaState) rates(squares func(j int) float64) []float64 {
	s.steps++
	rates := make([]float64, len(s.adaptive))
	for j := range rates {
		if s.method.rates.Schedule == adaOja {
			rates[j] = s.adaptive.rate(j, squares(j))
		} else {
			rates[j] = s.method.rates.rate(s.steps)
		}
	}
	return rates
}
