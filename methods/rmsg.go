package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// RMSGOptions are the parameters of regularised matrix stochastic gradients on random
// features.
type RMSGOptions struct {
	FeatureOptions `yaml:",inline"`
	Lambda         float64 `yaml:"lambda" required:"true" above:"0" doc:"the rate is 1/(λt) at step t, so that small ones go by the last points only; the penalty is λ/2·‖P‖²"`
}

// Method returns regularised matrix stochastic gradients on random features.
func (o *RMSGOptions) Method() (Method, error) {
	features, err := o.FeatureOptions.rff("rf-rmsg")
	if !(o.Lambda > 0) {
		err = errors.Join(err, fmt.Errorf("lambda %v: must be above 0", o.Lambda))
	}
	return rmsg{features: features, lambda: o.Lambda}, err
}

// Traits are those of one pass for each ℓ.
func (*RMSGOptions) Traits() Traits {
	return Traits{Uses: []string{"n", "m", "ell"}, Shape: ShapeFeatures, PerEll: true, Streams: always, NoCounts: inOrder}
}

// rmsg is ℓ2-RMSG on random features: stochastic gradients for PCA's convex relaxation,
//
//	max tr(PΣ) − λ/2·‖P‖_F² over symmetric P with 0 ⪯ P ⪯ I and tr P = ℓ.
//
// With a row z and the rate η_t = 1/(λt) a step is
//
//	P ← Π((1 − λη_t) P + η_t z zᵀ),
//
// Π the projection on these matrices: it shifts all eigenvalues by the one number that
// brings the trace to ℓ, and cuts them to [0, 1]. At any λ the ℓ leading eigenvectors of the
// optimum are those of Σ; for λ ≤ λ_ℓ − λ_(ℓ+1) it is their projector. The first step forgets where P begins.
// P is kept as r ≥ ℓ eigenpairs and the one eigenvalue of all other directions, which is 0
// but for the first steps. The model is spanned by the ℓ leading eigenvectors. center u
// runs it on Helmert's rows (featureStream), whose expectation E r rᵀ is Σ.
//
// Within these the order of components is that of Σ_t t·y_t y_tᵀ/Σ_t t, y_t = Uᵀz_t with the
// eigenvectors U before the step of z_t; its values are λ̂. The sum is turned with U, so
// that a value is exact once the subspace stays.
//
// Cost: a step takes 4pr + 2pr² + 9r³ flops. r depends on the data: a few ℓ where λ is at
// most λ_ℓ − λ_(ℓ+1); for larger λ the optimum has a higher rank, and r may come to p.
//
// Reference: Mianjy & Arora, Stochastic PCA with ℓ2 and ℓ1 regularization (2018), ℓ2-RMSG,
// which [SKP, after Def 4.1] names. Centring is ours.
type rmsg struct {
	features rff
	lambda   float64
}

// rmsgRank is r, in multiples of ℓ, as costs count it: that of λ below the gap.
const rmsgRank = 3

var _ = register("rf-rmsg", Entry{
	Label:     "RMSG on random features",
	Doc:       "PCA of m random features by regularised matrix stochastic gradients (ℓ2-RMSG), one pass; time and memory grow with lambda",
	Reference: "Mianjy & Arora 2018",
	Cost:      "np(D + 18ℓ²) flops for p feature coordinates, 8p(9ℓ + 256) bytes, for lambda below the eigengap; up to np³ flops above it",
	Accuracy:  "approximate and random: for lambda up to the gap λ_ℓ - λ_(ℓ+1) of the features it tends to the subspace of rff",
	Version:   "1",
	Plain:     "features: fourier, lambda: 0.1",
	New:       func() Options { return &RMSGOptions{FeatureOptions: FeatureOptions{Center: "none"}} },
})

// Cost counts the features, a block of coordinates, and the eigenvectors with those after a
// step.
func (r rmsg) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n, p, rank := float64(s.N), r.features.coordinates(s.M), rmsgRank*float64(s.Ell)+1
	steps := cost.Cost{Flops: n * (4*p*rank + 2*p*rank*rank + 9*rank*rank*rank)}.Plus(cost.Numbers(p * (3*rank + streamedRows)))
	return r.features.drawing(s, dim).Plus(steps)
}

func (r rmsg) Check(k kernel.Kernel, s Sizes) error { return r.features.Check(k, s) }

func (r rmsg) Fit(ctx context.Context, p Sample, rng *rand.Rand) (Model, error) {
	return fitOne(ctx, r, p, rng)
}

func (r rmsg) FitEach(ctx context.Context, p Sample, sizes []int, rng *rand.Rand, found func(n int, m Model, err error) error) error {
	begin := func(dim int) pass { return newRMSGState(r.lambda, normalColumns(dim, p.Sizes.Ell, rng)) }
	return r.features.passes(ctx, p, sizes, rng, begin, found)
}

// rmsgState is P = U·diag(values)·Uᵀ + rest·(I − UUᵀ) between two steps.
type rmsgState struct {
	lambda float64
	ell    int
	u      *mat.Dense // p×r, orthonormal, r ≥ ℓ
	values []float64  // descending
	rest   float64
	seen   *mat.Dense // r×r, Σ_t t·y_t y_tᵀ
	points int        // t
	wide   mat.Dense  // p×(r+1), of a step
	next   *mat.Dense // what U is after a step; before it the last one's U, for its memory
}

func newRMSGState(lambda float64, q *mat.Dense) *rmsgState {
	p, ell := q.Dims()
	orthonormalise(q)
	s := &rmsgState{lambda: lambda, ell: ell, u: q, values: make([]float64, ell), rest: float64(ell) / float64(p), seen: mat.NewDense(ell, ell, nil), next: new(mat.Dense)}
	for i := range s.values {
		s.values[i] = s.rest
	}
	return s
}

func (s *rmsgState) add(rows *mat.Dense) error {
	for i := range rows.RawMatrix().Rows {
		if err := s.step(rows.RawRowView(i)); err != nil {
			return err
		}
	}
	return nil
}

// step takes a row.
func (s *rmsgState) step(z []float64) error {
	s.points++
	t, row := float64(s.points), mat.NewVecDense(len(z), z)
	y := mulVec(s.u.T(), row)
	s.seen.RankOne(s.seen, t, y, y)
	basis, along := s.widened(row, y)
	rank, keep, rate := along.Len(), 1-1/t, 1/(s.lambda*t)
	inner := mat.NewSymDense(rank, nil)
	for i := range rank {
		value := s.rest
		if i < len(s.values) {
			value = s.values[i]
		}
		inner.SetSym(i, i, keep*value)
	}
	inner.SymRankOne(inner, rate, along)
	values, turn, err := linalg.EigenSym(inner)
	if err != nil {
		return fmt.Errorf("the eigenvalues of a step: %w", err)
	}
	p, _ := basis.Dims()
	s.rest = shift(values, keep*s.rest, p-rank, float64(s.ell))
	for rank > s.ell && values[rank-1] <= s.rest { // like all the rest
		rank--
	}
	s.values = values[:rank]
	turn = turn.Slice(0, along.Len(), 0, rank).(*mat.Dense)
	s.next.Reset()
	s.next.Mul(basis, turn)
	s.u, s.next = s.next, s.u
	s.turn(turn)
	return nil
}

// widened are the eigenvectors and, unless rounding, the direction of a row at right angles
// to them, with the row's coordinates y in these.
func (s *rmsgState) widened(z, y *mat.VecDense) (basis *mat.Dense, along *mat.VecDense) {
	p, rank := s.u.Dims()
	residual := mat.VecDenseCopyOf(z)
	residual.SubVec(residual, mulVec(s.u, y))
	residual.SubVec(residual, mulVec(s.u, mulVec(s.u.T(), residual))) // again, for what rounding has left
	norm := mat.Norm(residual, 2)
	if rank == p || norm <= epsilon*float64(p)*mat.Norm(z, 2) {
		return s.u, y
	}
	residual.ScaleVec(1/norm, residual)
	basis = &s.wide
	basis.Reset()
	basis.ReuseAs(p, rank+1)
	basis.Slice(0, p, 0, rank).(*mat.Dense).Copy(s.u)
	basis.SetCol(rank, residual.RawVector().Data)
	return basis, mat.NewVecDense(rank+1, append(slices.Clone(y.RawVector().Data), norm))
}

func mulVec(a mat.Matrix, x mat.Vector) *mat.VecDense {
	var y mat.VecDense
	y.MulVec(a, x)
	return &y
}

// turn takes the sum of squares along as the eigenvectors turn.
func (s *rmsgState) turn(turn *mat.Dense) {
	old, _ := s.seen.Dims()
	_, rank := turn.Dims()
	before, seen := turn.Slice(0, old, 0, rank), new(mat.Dense)
	seen.Product(before.T(), s.seen, before)
	s.seen = seen
}

// shift projects eigenvalues, and the one of count further directions, onto numbers in
// [0, 1] that add up to total: it adds one number to all and cuts them. It returns the
// further directions' one.
func shift(values []float64, rest float64, count int, total float64) float64 {
	cut := func(v float64) float64 { return min(max(v, 0), 1) }
	sum := func(by float64) float64 {
		all := float64(count) * cut(rest+by)
		for _, v := range values {
			all += cut(v + by)
		}
		return all
	}
	corners := []float64{-rest, 1 - rest}
	for _, v := range values {
		corners = append(corners, -v, 1-v)
	}
	slices.Sort(corners) // between two of them the sum is linear
	next, _ := slices.BinarySearchFunc(corners, total, func(by, total float64) int {
		if sum(by) < total {
			return -1
		}
		return 1
	})
	by := corners[len(corners)-1]
	switch {
	case next == 0:
		by = corners[0]
	case next < len(corners):
		low, high := sum(corners[next-1]), sum(corners[next])
		by = corners[next-1] + (corners[next]-corners[next-1])*(total-low)/(high-low)
	}
	for i, v := range values {
		values[i] = cut(v + by)
	}
	return cut(rest + by)
}

// model is the subspace of the ℓ leading eigenvectors.
func (s *rmsgState) model(stream *featureStream) (Model, error) {
	t := float64(s.points)
	moment := mat.NewSymDense(s.ell, nil)
	for i := range s.ell {
		for j := range i + 1 {
			moment.SetSym(i, j, 2*s.seen.At(i, j)/(t*(t+1)))
		}
	}
	values, turn, err := linalg.EigenSym(moment)
	if err != nil {
		return nil, fmt.Errorf("the values of the components: %w", err)
	}
	if !(floats.Max(values) > stream.rounding()) {
		return nil, errNoVariance
	}
	for i, v := range values {
		values[i] = math.Max(v, 0)
	}
	p, _ := s.u.Dims()
	var q mat.Dense
	q.Mul(s.u.Slice(0, p, 0, s.ell), turn)
	orthonormalise(&q)
	spectrum := Spectrum{Values: values, Center: stream.centers(&q)}
	return &FeatureSubspace{kernel.FeatureExpansion{Map: stream.features, Coef: &q}, spectrum}, nil
}
