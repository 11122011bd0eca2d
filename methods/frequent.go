package methods

import (
	"context"
	"errors"
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

// FrequentDirectionsOptions are the parameters of frequent directions on random
// features.
type FrequentDirectionsOptions struct {
	FeatureOptions `yaml:",inline"`
}

// Method returns frequent directions on random features.
func (o *FrequentDirectionsOptions) Method() (Method, error) {
	features, err := o.FeatureOptions.rff("frequent-directions")
	return frequentDirections{features: features}, err
}

// Traits are those of one pass.
func (*FrequentDirectionsOptions) Traits() Traits {
	return Traits{
		Uses: []string{"n", "m", "d", "ell"}, Shape: ShapeFeatures, Streams: always, NoCounts: inOrder,
		Holds: func(m Model, s Sizes) int { return 2 * s.D * mapDim(m) },
	}
}

// frequentDirections sketches the feature rows A (n×p) by a matrix B of at most 2s
// rows, s = d of the grid: rows are appended, and where 2s are full, B = UΣVᵀ is
// shrunk to the s−1 rows of √(Σ² − σ_s²)Vᵀ that are left. Then
//
//	0 ≤ AᵀA − BᵀB, ‖AᵀA − BᵀB‖ ≤ ‖A − A_k‖²_F/(s − k) for every k < s.
//
// The model is B's leading right singular vectors, λ̂_i = σ_i²(B)/n (n−1 for center
// u): below the eigenvalues of rff by at most the bound over n. Centred estimates
// run on Helmert's rows (featureStream), for which AᵀA is the centred sum of
// squares. While n ≤ 2s nothing is lost, and the model is that of rff.
//
// s does not depend on ℓ < s, so that one fit serves every ℓ.
//
// Reference: Ghashami, Perry & Phillips, Streaming kernel principal component
// analysis (2016), Algorithm 2; Ghashami, Liberty, Phillips & Woodruff, Frequent
// directions (2016), Theorem 1.1. Deviation: the first halves a buffer of s rows
// by σ_{s/2}; the second's form with twice the rows, used here, has the better
// bound for the same flops.
type frequentDirections struct{ features rff }

var _ = register("frequent-directions", Entry{
	Label:     "frequent directions",
	Doc:       "frequent directions on m random features: one pass with a sketch of at most 2d rows, in O(md) memory",
	Reference: "Ghashami, Perry & Phillips 2016, Alg 2",
	Cost:      "np(D + 8d) + 72nd² flops for p feature coordinates and a sketch of size d, 8p(3d + 256) bytes",
	Accuracy:  "approximate: against rff, the covariance is off by at most ‖Z - Z_k‖²_F/(n(d - k)) in the operator norm for every k < d, Z the features",
	Version:   "1",
	Plain:     "features: fourier",
	New:       func() Options { return &FrequentDirectionsOptions{FeatureOptions: FeatureOptions{Center: "u"}} },
})

// Cost counts the features, a block of coordinates, the sketch of 2d rows with its
// shrunk copy, and the pairs of its Gram matrix.
func (f frequentDirections) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, p, d := float64(s.N), f.features.coordinates(s.M), float64(s.D)
	shrinking := cost.Cost{Flops: 8*n*p*d + 72*n*d*d, Bytes: linalg.EigenCost(2 * d).Bytes}.Plus(cost.Symmetric(2 * d))
	return f.features.drawing(s, dim).Plus(shrinking).Plus(cost.Numbers(p * (3*d + streamedRows + 2*float64(s.Ell))))
}

func (f frequentDirections) Check(k kernel.Kernel, s Sizes, dim int) error {
	switch {
	case s.D < 2:
		return errors.New("the grid gives no d of at least 2: frequent-directions needs the size of its sketch")
	case s.Ell >= s.D:
		return fmt.Errorf("ell = %d components of a sketch that keeps %d (d - 1)", s.Ell, s.D-1)
	}
	return f.features.Check(k, s, dim)
}

func (f frequentDirections) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	return fitOne(ctx, f, p, rng)
}

func (f frequentDirections) FitEach(ctx context.Context, p Sample, sizes []int, rng *rand.Rand, found func(n int, m Model, err error) error) error {
	begin := func(dim int) pass {
		s := newSketch(p.Sizes.D, dim, sizes[len(sizes)-1])
		s.ell, s.center = p.Sizes.Ell, f.features.center
		return s
	}
	return f.features.passes(ctx, p, sizes, rng, begin, found)
}

func (s *sketch) model(stream *featureStream) (Model, error) {
	gram := linalg.Gram(blas.NoTrans, s.rows())
	asked := min(s.ell, gram.SymmetricDim())
	top, err := linalg.Top(linalg.Symmetric(gram), asked, linalg.DefaultTopOptions(asked))
	if err != nil {
		return nil, err
	}
	divisor := s.center.divisor(stream.seen)
	spectrum, err := spectrumOf(top, stream.features.Dim(), stream.squares*divisor/float64(stream.seen))
	if err != nil {
		return nil, err
	}
	kept := len(spectrum.Values)
	v := mat.NewDense(stream.features.Dim(), kept, nil)
	linalg.Gemm(blas.Trans, blas.NoTrans, 1, s.rows().RawMatrix(), leading(top.Vectors, kept).RawMatrix(), 0, v.RawMatrix())
	scaleColumns(v, func(i int) float64 { return 1 / math.Sqrt(spectrum.Values[i]) })
	orthonormalise(v)
	floats.Scale(1/divisor, spectrum.Values)
	spectrum.Center = stream.centers(v)
	spectrum.Warnings = append(spectrum.Warnings, mapCaveats(stream.features)...)
	return &FeatureSubspace{kernel.FeatureExpansion{Map: stream.features, Coef: v}, spectrum}, nil
}

// sketch is B of frequent directions.
type sketch struct {
	size   int        // s
	buffer *mat.Dense // 2s×p, or as many rows as there will be
	filled int
	ell    int    // of its models
	center center // of the rows
}

// newSketch has room for 2·size rows of length p, or for all if there are fewer.
func newSketch(size, p, all int) *sketch {
	return &sketch{size: size, buffer: mat.NewDense(min(2*size, all), p, nil)}
}

// rows is B.
func (s *sketch) rows() *mat.Dense {
	_, p := s.buffer.Dims()
	return s.buffer.Slice(0, s.filled, 0, p).(*mat.Dense)
}

func (s *sketch) add(rows *mat.Dense) error {
	n, p := rows.Dims()
	room, _ := s.buffer.Dims()
	for from := 0; from < n; {
		if s.filled == room {
			if err := s.shrink(); err != nil {
				return err
			}
		}
		count := min(n-from, room-s.filled)
		s.buffer.Slice(s.filled, s.filled+count, 0, p).(*mat.Dense).Copy(rows.Slice(from, from+count, 0, p))
		s.filled += count
		from += count
	}
	return nil
}

// shrink leaves fewer than s rows: those of UᵀB = ΣVᵀ, times √(1 − σ_s²/σ_i²), with U
// and Σ² from BBᵀ: exact to ε·σ_1², as eigenvalues of AᵀA are.
func (s *sketch) shrink() error {
	squares, left, err := linalg.EigenSym(linalg.Gram(blas.NoTrans, s.rows()))
	if err != nil {
		return err
	}
	delta := max(squares[s.size-1], 0)
	kept := 0
	for kept < s.size-1 && squares[kept] > delta {
		kept++
	}
	_, p := s.buffer.Dims()
	shrunk := mat.NewDense(max(kept, 1), p, nil)
	if kept > 0 {
		linalg.Gemm(blas.Trans, blas.NoTrans, 1, leading(left, kept).RawMatrix(), s.rows().RawMatrix(), 0, shrunk.RawMatrix())
	}
	for i := range kept {
		factor := math.Sqrt(1 - delta/squares[i])
		row := shrunk.RawRowView(i)
		for j := range row {
			row[j] *= factor
		}
	}
	s.buffer.Slice(0, max(kept, 1), 0, p).(*mat.Dense).Copy(shrunk)
	s.filled = kept
	return nil
}
