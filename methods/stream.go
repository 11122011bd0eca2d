package methods

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// fitOne is the fit at p.Sizes.N alone.
func fitOne(ctx context.Context, s Streaming, p Sample, rng *rand.Rand) (model Model, err error) {
	err = s.FitEach(ctx, p, []int{p.Sizes.N}, rng, func(_ int, m Model, err error) error {
		model = m
		return err
	})
	return model, err
}

// pass is a method between two blocks of the features of a sample.
type pass interface {
	// add takes the next rows, as [featureStream] gives them.
	add(rows *mat.Dense) error
	// model is that of the rows up to now, and is not changed by those that follow.
	model(stream *featureStream) (Model, error)
}

// passes is FitEach of a method on these features, whose pass over rows of length dim begins
// as begin says.
func (r rff) passes(ctx context.Context, p Sample, sizes []int, rng *rand.Rand, begin func(dim int) pass, found func(n int, m Model, err error) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	features := r.draw(p, rng)
	state, stream := begin(features.Dim()), newFeatureStream(p, features, r.center)
	return stream.each(ctx, sizes, state.add, func(n int) error {
		stop := p.phase("solve")
		model, err := state.model(stream)
		stop()
		return found(n, model, err)
	})
}

// lateSquares are squares of the numbers y_tj that a pass finds at point t, whose means
// Σ_t t·y_tj²/Σ_t t leave the beginning behind.
type lateSquares struct {
	points int       // t
	sums   []float64 // Σ_t t·y_tj²
}

func newLateSquares(ell int) lateSquares { return lateSquares{sums: make([]float64, ell)} }

func (s lateSquares) clone() lateSquares { return lateSquares{s.points, slices.Clone(s.sums)} }

// add takes y_t of the next point.
func (s *lateSquares) add(y []float64) {
	s.points++
	for j, v := range y {
		s.sums[j] += float64(s.points) * v * v
	}
}

func (s lateSquares) means() []float64 {
	t := float64(s.points)
	return floats.ScaleTo(make([]float64, len(s.sums)), 2/(t*(t+1)), s.sums)
}

// streamedRows is how many points' features are computed at once.
const streamedRows = 256

// featureStream hands out the features of a sample row by row, centred on the
// way where the estimate is: row t becomes
//
//	r_t = √((t−1)/t)·(z_t − (z_1 + … + z_{t−1})/(t−1)), t ≥ 2,
//
// Helmert's transform. Σ_{t≤n} r_t r_tᵀ is the centred sum of squares of the
// first n rows, exactly and at every n, and E r_t r_tᵀ = Σ.
type featureStream struct {
	sample   Sample
	features kernel.FeatureMap
	centred  bool
	seen     int
	mean     []float64 // of the rows seen; of a centred estimate only
	squares  float64   // Σ‖z_t‖²
	largest  float64   // max ‖z_t‖²
}

func newFeatureStream(p Sample, features kernel.FeatureMap, c center) *featureStream {
	return &featureStream{sample: p, features: features, centred: c.centred(), mean: make([]float64, features.Dim())}
}

// each calls add with consecutive rows, to be taken before it returns, and found
// after the last row of each n of sizes, which ascend.
//
// Features are computed in blocks of one shape, filled up with zero points after
// the last: a product's rounding may depend on its shape, and each row must be
// the same whatever the largest n is.
func (s *featureStream) each(ctx context.Context, sizes []int, add func(rows *mat.Dense) error, found func(n int) error) error {
	d, dim := s.sample.dim(), s.features.Dim()
	points, block := mat.NewDense(streamedRows, d, nil), mat.NewDense(streamedRows, dim, nil)
	blocks := s.sample.blocks(streamedRows)
	last := sizes[len(sizes)-1]
	for from := 0; from < last; from += streamedRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+streamedRows, last)
		x := blocks.read(from, to)
		stop := s.sample.phase("embed")
		points.Zero()
		linalg.Rows(points, 0, to-from).Copy(x)
		kernel.CountPoints(s.sample.Kernel, to-from)
		s.features.Transform(block, points)
		stop()
		for at := from; at < to; {
			end := min(to, sizes[0])
			rows, err := s.prepare(block, at-from, end-from)
			if err != nil {
				return err
			}
			if rows != nil {
				stop := s.sample.phase("solve")
				err = add(rows)
				stop()
				if err != nil {
					return err
				}
			}
			if at = end; at == sizes[0] {
				if err := found(at); err != nil {
					return err
				}
				sizes = sizes[1:]
			}
		}
	}
	return nil
}

// prepare checks and centres rows from..to−1 of a block in place. It returns nil
// if none is left: the first row of a centred estimate only gives the mean.
func (s *featureStream) prepare(block *mat.Dense, from, to int) (*mat.Dense, error) {
	first := from
	for i := from; i < to; i++ {
		row := block.RawRowView(i)
		square := floats.Dot(row, row)
		if math.IsNaN(square) || math.IsInf(square, 0) {
			return nil, fmt.Errorf("the features of point %d of the sample are not finite: look for NaN or Inf in the data", s.seen+1)
		}
		s.squares += square
		s.largest = max(s.largest, square)
		s.seen++
		switch t := float64(s.seen); {
		case !s.centred:
		case s.seen == 1:
			copy(s.mean, row)
			first++
		default:
			floats.Sub(row, s.mean)
			floats.AddScaled(s.mean, 1/t, row)
			floats.Scale(math.Sqrt((t-1)/t), row)
		}
	}
	if first == to {
		return nil, nil
	}
	return linalg.Rows(block, first, to), nil
}

// rounding is how large an eigenvalue may be that is nothing but rounding of the
// rows seen, as in spectrumOf.
func (s *featureStream) rounding() float64 {
	return float64(s.features.Dim()) * epsilon * centredRoundings * s.squares / float64(s.seen)
}

// centers are ⟨q_i, mean of the rows seen⟩ for the columns q_i; 0 for an
// uncentred estimate.
func (s *featureStream) centers(q *mat.Dense) []float64 {
	_, ell := q.Dims()
	var at mat.VecDense
	at.MulVec(q.T(), mat.NewVecDense(len(s.mean), s.mean))
	return append(make([]float64, 0, ell), at.RawVector().Data...)
}
