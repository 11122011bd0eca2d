package metrics

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// ofCut ends the metrics of K̂ on the ℓ or d leading directions of a method, which is
// another quantity than K̂ on its whole span.
const ofCut = "_cut"

// approximation is K̂ = FFᵀ of the kernel matrix of the sample's points, with the norms
// of K − K̂. Where points stand for several, norms are those of the matrix of all of
// these.
type approximation struct {
	factor *mat.Dense // F, n×r; nil for K̂ = 0
	below  bool       // K − K̂ is positive semidefinite
	end    string     // of its metrics: ofCut or nothing

	trace, frobenius, spectral func() (float64, error)
}

func (e *evaluation) newApproximation(factor *mat.Dense, below bool) *approximation {
	a := &approximation{factor: factor, below: below}
	a.trace = sync.OnceValues(func() (float64, error) { return e.traceNorm(a) })
	a.frobenius = sync.OnceValues(func() (float64, error) { return e.frobeniusNorm(a) })
	a.spectral = sync.OnceValues(func() (float64, error) { return e.spectralNorm(a) })
	return a
}

// approximations are those of one model, by the number of components that they keep; 0
// for one that does not depend on it.
type approximations map[int]*approximation

// approximated is K̂ of a model: of a span in H the projection of the k(·,x_i) onto it, of
// random features and embeddings their inner products, of other subspaces the projection
// onto the first ell components.
func (e *evaluation) approximated(ell int) (*approximation, error) {
	known, err := shared(e, func() (approximations, error) { return approximations{}, nil })
	m, isSubspace := e.model.(*methods.Subspace)
	truncated := isSubspace && !m.Landmarks && m.Span == nil
	if !truncated {
		ell = 0
	}
	if a, done := known[ell]; done || err != nil {
		return a, err
	}
	var a *approximation
	if truncated {
		rows, _ := m.Coef.Dims()
		kept := mat.DenseCopyOf(m.Coef.Slice(0, rows, 0, e.kept(ell)))
		a = e.newApproximation(kernel.Expansion{Kernel: m.Kernel, Points: m.Points, Coef: kept}.Eval(e.X), true)
		a.end = ofCut
	} else if a, err = e.untruncated(); err != nil {
		return nil, err
	}
	known[ell] = a
	return a, nil
}

func (e *evaluation) untruncated() (*approximation, error) {
	switch m := e.model.(type) {
	case *methods.Embedding:
		z, err := m.Map(e.ctx, e.X)
		a := e.newApproximation(z, m.Isometric)
		if m.Cut {
			a.end = ofCut
		}
		return a, err
	case *methods.FeatureSubspace:
		n, _ := e.X.Dims()
		z := linalg.NewLarge(n, m.Map.Dim())
		err := tiles(e.ctx, e.X, func(from int, x *mat.Dense) error {
			rows, _ := x.Dims()
			m.Map.Transform(z.Slice(from, from+rows, 0, m.Map.Dim()).(*mat.Dense), x)
			return nil
		})
		return e.newApproximation(z, false), err
	}
	s, err := e.projected()
	if err != nil {
		return nil, err
	}
	return e.newApproximation(s.coordinates, true), nil
}

// SampleNorms are norms of the kernel matrix K of a sample, and errors of its best
// approximations: all models of the sample share them. It is safe for concurrent use.
type SampleNorms struct{ known sync.Map } // of sampleNorm, *keptNorm

// sampleNorm is a norm of K, or, relative to that, of what the best matrix of a rank
// leaves of it.
type sampleNorm struct {
	norm string
	rank int // 0 for K itself
}

type keptNorm struct {
	mu    sync.Mutex
	done  bool
	value float64
}

// of is a number that is computed when it is first asked for; a failure is not kept.
func (s *SampleNorms) of(which sampleNorm, compute func() (float64, error)) (float64, error) {
	entry, _ := s.known.LoadOrStore(which, new(keptNorm))
	kept := entry.(*keptNorm)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.done {
		return kept.value, nil
	}
	v, err := compute()
	kept.value, kept.done = v, err == nil
	return v, err
}

// norms are the shared ones, or those of this evaluation.
func (e *evaluation) norms() *SampleNorms {
	if e.SampleNorms == nil {
		e.SampleNorms = new(SampleNorms)
	}
	return e.SampleNorms
}

// row is F's row i; empty for K̂ = 0.
func (a *approximation) row(i int) []float64 {
	if a.factor == nil {
		return nil
	}
	return a.factor.RawRowView(i)
}

// traceNorm is the sum of the absolute eigenvalues of K − K̂: the trace of what is
// positive, n kernel values and nr flops; else all eigenvalues, 10n³ flops.
func (e *evaluation) traceNorm(a *approximation) (float64, error) {
	sum := 0.0
	if a.below {
		for i, c := range e.times() {
			x, z := e.X.RawRowView(i), a.row(i)
			sum += c * max(0, e.Kernel.At(x, x)-floats.Dot(z, z))
		}
		return sum, nil
	}
	if n, _ := e.X.Dims(); n > maxStored {
		return 0, fmt.Errorf("all eigenvalues of K − ZZᵀ for n = %d points; at most %d are decomposed", n, maxStored)
	}
	values, _, err := linalg.EigenSym(e.rest(a))
	return floats.Norm(values, 1), err
}

// frobeniusNorm adds up squares by tiles: n² kernel values and 2n²r flops.
func (e *evaluation) frobeniusNorm(a *approximation) (float64, error) {
	sum, times := 0.0, e.times()
	err := tiles(e.ctx, e.X, func(from int, x *mat.Dense) error {
		return e.columns(a, from, x, func(to int, tile *mat.Dense) {
			rows, _ := tile.Dims()
			for i := range rows {
				for j, v := range tile.RawRowView(i) {
					sum += times[from+i] * times[to+j] * v * v
				}
			}
		})
	})
	return math.Sqrt(sum), err
}

// columns calls f with the tiles of K − K̂ of the rows x, which start at from.
func (e *evaluation) columns(a *approximation, from int, x *mat.Dense, f func(to int, tile *mat.Dense)) error {
	rows, _ := x.Dims()
	return tiles(e.ctx, e.X, func(to int, y *mat.Dense) error {
		tile := kernel.Cross(e.Kernel, x, y)
		if a.factor != nil {
			_, columns := tile.Dims()
			_, r := a.factor.Dims()
			left, right := a.factor.Slice(from, from+rows, 0, r).(*mat.Dense), a.factor.Slice(to, to+columns, 0, r).(*mat.Dense)
			linalg.Gemm(blas.NoTrans, blas.Trans, -1, left.RawMatrix(), right.RawMatrix(), 1, tile.RawMatrix())
		}
		f(to, tile)
		return nil
	})
}

// spectralNorm is the largest absolute eigenvalue of K − K̂, within residualTolerance.
func (e *evaluation) spectralNorm(a *approximation) (float64, error) {
	operator := e.operator(a)
	largest, err := e.largestOf(operator)
	if err != nil || a.below {
		return max(largest, 0), err
	}
	least, err := e.largestOf(negative{operator})
	return max(largest, least), err
}

// rest is K − K̂ of the points, weighed where they stand for several.
func (e *evaluation) rest(a *approximation) *mat.SymDense {
	rest := kernel.Gram(e.Kernel, e.X)
	if a.factor != nil {
		linalg.SyrkUpper(blas.NoTrans, -1, a.factor, rest)
	}
	if e.Counts != nil {
		linalg.WeighSym(rest, e.Counts)
	}
	return rest
}

// operator is rest, of which K is computed anew at each application above maxStored
// points.
func (e *evaluation) operator(a *approximation) linalg.Operator {
	if n, _ := e.X.Dims(); n <= maxStored {
		return linalg.Symmetric(e.rest(a))
	}
	var operator linalg.Operator = NewHeldOutKernel(e.X, e.Kernel, 1)
	if a.factor != nil {
		operator = remainder{operator, a.factor}
	}
	if e.Counts != nil {
		operator = weighted{operator, linalg.Roots(e.Counts)}
	}
	return operator
}

// remainder is A − FFᵀ.
type remainder struct {
	linalg.Operator
	factor *mat.Dense
}

func (l remainder) Apply(dst, src *mat.Dense) {
	l.Operator.Apply(dst, src)
	var inner, known mat.Dense
	inner.Mul(l.factor.T(), src)
	known.Mul(l.factor, &inner)
	dst.Sub(dst, &known)
}

// negative is −A.
type negative struct{ linalg.Operator }

func (o negative) Apply(dst, src *mat.Dense) {
	o.Operator.Apply(dst, src)
	dst.Scale(-1, dst)
}

// largestOf is the largest eigenvalue of an operator on the sample's points. What is left
// of K may be rounding alone, and then need not converge.
func (e *evaluation) largestOf(operator linalg.Operator) (float64, error) {
	n, size := operator.Dim(), 0.0
	for i, c := range e.times() {
		size = max(size, c*e.Kernel.At(e.X.RawRowView(i), e.X.RawRowView(i)))
	}
	options := linalg.DefaultTopOptions(1)
	options.Tolerance, options.MaxIterations, options.FallbackBelow = residualTolerance, 100, 0
	top, err := linalg.Top(operator, 1, options)
	if err != nil {
		return 0, err
	}
	if !top.Converged && !(top.Residuals[0] <= uncertain*float64(n)*size) {
		return 0, fmt.Errorf("the norm %.6g is uncertain by %.2g: the iteration did not converge", top.Values[0], top.Residuals[0])
	}
	return top.Values[0], nil
}

// bests are the best approximations of K by their rank.
type bests map[int]*approximation

// best is the best approximation of K of rank r in every norm, by its leading
// eigenpairs: F = W^(−1/2)VΛ^(1/2). nil where r is n or more, so that nothing is left.
func (e *evaluation) best(r int) (*approximation, error) {
	known, err := shared(e, func() (bests, error) { return bests{}, nil })
	if a, done := known[r]; done || err != nil {
		return a, err
	}
	n, _ := e.X.Dims()
	if r >= n {
		return nil, nil
	}
	options := linalg.DefaultTopOptions(r)
	if n > maxStored {
		options.Tolerance, options.Block = residualTolerance, streamedBlock
		options.Basis = max(8*options.Block, 3*r+4*options.Block)
	}
	top, err := linalg.Top(e.operator(e.newApproximation(nil, true)), r, options)
	if err == nil && !top.Converged {
		err = errors.New("not converged")
	}
	if err != nil {
		return nil, fmt.Errorf("the %d leading eigenpairs of the kernel matrix of %d points: %w", r, n, err)
	}
	for i, c := range e.times() {
		for j, v := range top.Vectors.RawRowView(i) {
			top.Vectors.Set(i, j, v*math.Sqrt(max(top.Values[j], 0)/c))
		}
	}
	known[r] = e.newApproximation(top.Vectors, true)
	return known[r], nil
}

// norm is one of the three.
type norm struct {
	name string
	of   func(a *approximation) (float64, error)
}

var norms = []norm{
	{"trace", func(a *approximation) (float64, error) { return a.trace() }},
	{"frobenius", func(a *approximation) (float64, error) { return a.frobenius() }},
	{"spectral", func(a *approximation) (float64, error) { return a.spectral() }},
}

// whole is the norm of K.
func (e *evaluation) whole(n norm) (float64, error) {
	return e.norms().of(sampleNorm{n.name, 0}, func() (float64, error) { return n.of(e.newApproximation(nil, true)) })
}

// relative is the norm of K − K̂ over that of K.
func (e *evaluation) relative(a *approximation, n norm) (float64, error) {
	whole, err := e.whole(n)
	if err != nil {
		return 0, err
	}
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	left, err := n.of(a)
	return left / whole, err
}

// matrixError is a measure of the relative error in a norm.
func matrixError(which int) func(*evaluation, int, map[string]float64) error {
	return func(e *evaluation, ell int, into map[string]float64) error {
		a, err := e.approximated(ell)
		if err != nil {
			return err
		}
		v, err := e.relative(a, norms[which])
		if err == nil {
			into["matrix_"+norms[which].name+a.end] = v
		}
		return err
	}
}

// leastBest is the relative error of a best approximation below which eigenpairs within
// their tolerance do not tell it from 0.
func leastBest(n int) float64 {
	if n > maxStored {
		return 1e-6
	}
	return 1e-10
}

// bestError is the relative error of the best matrix of rank r; 0 where it is rounding.
func (e *evaluation) bestError(r int, norm norm) (float64, error) {
	best, err := e.best(r)
	if err != nil || best == nil {
		return 0, err
	}
	least, err := e.relative(best, norm)
	if n, _ := e.X.Dims(); least < leastBest(n) {
		return 0, err
	}
	return least, err
}

// matrixRatio compares the errors of K̂ with those of the best matrix of its rank r.
// That of random features has all their coordinates.
func (e *evaluation) matrixRatio(ell int, into map[string]float64) error {
	a, err := e.approximated(ell)
	if err != nil {
		return err
	}
	n, r := a.factor.Dims()
	for _, norm := range norms {
		least, err := e.norms().of(sampleNorm{norm.name, r}, func() (float64, error) { return e.bestError(r, norm) })
		if err != nil {
			return err
		}
		into["matrix_"+norm.name+"_best"+a.end] = least
		if least == 0 || norm.name == "trace" && !a.below && n > maxStored {
			continue
		}
		v, err := e.relative(a, norm)
		if err != nil {
			return err
		}
		into["matrix_"+norm.name+"_ratio"+a.end] = v / least
	}
	return nil
}
