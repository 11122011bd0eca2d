package metrics

import (
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

// matrixMeasures are the measures of an approximation of the sample's kernel matrix.
var matrixMeasures = map[string]Measure{
	"matrix_trace": {
		Family:    ofMatrices,
		Doc:       "relative error in the trace norm of the approximation K̂ of the sample's kernel matrix, ‖K - K̂‖_*/tr K; " + approximationOf + "; the sum of the diagonal of K - K̂, exact at every n; of features K - K̂ is indefinite: take matrix_spectral above 5000 points",
		Reference: "Chen, Epperly, Tropp & Webber 2023, §2",
		Cost:      "n kernel values and nr flops for rank r; of features n² kernel values and 10n³ flops, for at most 5000 points",
		Outputs: []Output{
			{"matrix_trace", "relative error in trace norm", Less, overTrace},
			{"matrix_trace_cut", "error of the cut K̂, trace norm", Less, overTrace},
		},
		Cancels: true,
		forms:   ofTrace,
		compute: matrixError(inTrace),
	},
	"matrix_spectral": {
		Family:    ofMatrices,
		Doc:       "relative error in the spectral norm of the approximation of matrix_trace, ‖K - K̂‖/‖K‖, by block Lanczos iterations until ‖(K - K̂)v - μv‖ ≤ 1e-8·μ, so that at every n an eigenvalue of K - K̂ is within 1e-8·μ of μ; above some 20,000 points it takes minutes",
		Reference: "Gittens & Mahoney 2016, §3",
		Cost:      "2n² kernel values, n²r flops and 8n² bytes for rank r, or, above 5000 points, 6 to 20 times n² kernel values; of features half as much again",
		Outputs: []Output{
			{"matrix_spectral", "relative error in spectral norm", Less, overSpectral},
			{"matrix_spectral_cut", "error of the cut K̂, spectral norm", Less, overSpectral},
		},
		Cancels: true,
		forms:   ofResidual,
		compute: matrixError(inSpectral),
	},
	"matrix_ratio": {
		Family: ofMatrices,
		Doc: "error of matrix_trace over that of the best matrix of the same rank r, that of the leading r eigenpairs; r counts all coordinates of random features; " +
			"a best below 1e-10 (above 5000 points 1e-6) is 0, and has no ratio; neither have features above 5000 points",
		Reference: "Chen, Epperly, Tropp & Webber 2023, §2",
		Cost:      "that of matrix_trace, and once for all models of a sample and each rank r that of the best and the r leading eigenpairs: above 5000 points 4 to 12 times n² kernel values",
		Outputs: []Output{
			{"matrix_trace_ratio", "error over the best, trace norm", Less, relative.by(1e-8)},
			{"matrix_trace_ratio_cut", "trace error over best, cut K̂", Less, relative.by(1e-8)},
		},
		Cancels: true,
		forms:   ofBest,
		compute: matrixRatio,
	},
}

// ofCut ends the metrics of K̂ on the ℓ or d leading directions of a method, which is
// another quantity than K̂ on its whole span.
const ofCut = "_cut"

// approximation is K̂ = FFᵀ of the kernel matrix of the sample's points, with the norms
// of K − K̂. Where points stand for several, norms are those of the matrix of all of
// these. The projection onto a span in H is one: F are the coordinates of the projections
// of the k(·,x_i) in an orthonormal basis of it.
type approximation struct {
	factor *mat.Dense // F, n×r; nil for K̂ = 0
	below  bool       // K − K̂ is positive semidefinite
	end    string     // of its metrics: ofCut or nothing

	norms map[string]func() (float64, error) // by name, each computed once
}

// The norms.
const (
	inTrace    = "trace"    // the sum of the absolute eigenvalues
	inSpectral = "spectral" // the largest absolute eigenvalue
)

func (e *evaluation) newApproximation(factor *mat.Dense, below bool) *approximation {
	a := &approximation{factor: factor, below: below}
	a.norms = map[string]func() (float64, error){
		inTrace:    sync.OnceValues(func() (float64, error) { return e.traceNorm(a) }),
		inSpectral: sync.OnceValues(func() (float64, error) { return e.spectralNorm(a) }),
	}
	return a
}

// approximated is K̂ of a model: of a span in H the projection of the k(·,x_i) onto it, of
// random features and embeddings their inner products, of other subspaces the projection
// onto the first ell components.
func (e *evaluation) approximated(ell int) (*approximation, error) {
	switch m := e.model.(type) {
	case *methods.FeatureSubspace:
		return shared(e, "K̂", 0, func() (*approximation, error) { return e.ofAllFeatures(m.Map) })
	case *methods.Embedding:
		if !m.Isometric {
			return shared(e, "K̂", 0, func() (*approximation, error) { return e.ofEmbedding(m) })
		}
	case *methods.Subspace:
		if !m.Landmarks && m.Span == nil {
			return shared(e, "K̂", ell, func() (*approximation, error) { return e.ofComponents(m, e.kept(ell)), nil })
		}
	}
	return e.projected()
}

func (e *evaluation) ofAllFeatures(features kernel.FeatureMap) (*approximation, error) {
	n, _ := e.X.Dims()
	z := linalg.NewLarge(n, features.Dim())
	err := tiles(e.ctx, e.X, func(from int, x *mat.Dense) error {
		rows, _ := x.Dims()
		features.Transform(linalg.Rows(z, from, from+rows), x)
		return nil
	})
	return e.newApproximation(z, false), err
}

func (e *evaluation) ofEmbedding(m *methods.Embedding) (*approximation, error) {
	z, err := e.Image, error(nil)
	if z == nil {
		z, err = m.Map(e.ctx, e.X)
	}
	a := e.newApproximation(z, m.Isometric)
	if m.Cut {
		a.end = ofCut
	}
	return a, err
}

func (e *evaluation) ofComponents(m *methods.Subspace, kept int) *approximation {
	rows, _ := m.Coef.Dims()
	coef := mat.DenseCopyOf(m.Coef.Slice(0, rows, 0, kept))
	a := e.newApproximation(kernel.Expansion{Kernel: m.Kernel, Points: m.Points, Coef: coef}.Eval(e.X), true)
	a.end = ofCut
	return a
}

// SampleNorms are norms of the kernel matrix K of a sample, and errors of its best
// approximations: all models of the sample share them.
type SampleNorms map[sampleNorm]float64

// sampleNorm is a norm of K, or, relative to that, of what the best matrix of a rank
// leaves of it.
type sampleNorm struct {
	norm string
	rank int // 0 for K itself
}

// ofSample is a number that is computed when it is first asked for; a failure is not kept.
func (e *evaluation) ofSample(norm string, rank int, compute func() (float64, error)) (float64, error) {
	if e.SampleNorms == nil {
		e.SampleNorms = SampleNorms{}
	}
	which := sampleNorm{norm, rank}
	if v, known := e.SampleNorms[which]; known {
		return v, nil
	}
	v, err := compute()
	if err == nil {
		e.SampleNorms[which] = v
	}
	return v, err
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
		norms := kernel.Diagonal(e.Kernel, e.X)
		for i, c := range e.times() {
			z := a.row(i)
			sum += c * max(0, norms[i]-floats.Dot(z, z))
		}
		return sum, nil
	}
	values, err := e.allEigenvalues(a)
	return floats.Norm(values, 1), err
}

// allEigenvalues are those of K − K̂, 10n³ flops.
func (e *evaluation) allEigenvalues(a *approximation) ([]float64, error) {
	if n, _ := e.X.Dims(); n > maxStored {
		return nil, fmt.Errorf("all eigenvalues of a matrix of n = %d points; at most %d are decomposed", n, maxStored)
	}
	values, _, err := linalg.EigenSym(e.rest(a))
	return values, err
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
	var operator linalg.Operator = streamed{e.Kernel, e.X}
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
	n, size, norms := operator.Dim(), 0.0, kernel.Diagonal(e.Kernel, e.X)
	for i, c := range e.times() {
		size = max(size, c*norms[i])
	}
	value, r, err := largest(operator, residualTolerance)
	if err != nil {
		return 0, err
	}
	return value, settled(value, r, uncertain*float64(n)*size)
}

// best is the best approximation of K of rank r in every norm, by its leading
// eigenpairs: F = W^(−1/2)VΛ^(1/2). nil where r is n or more, so that nothing is left.
func (e *evaluation) best(r int) (*approximation, error) {
	n, _ := e.X.Dims()
	if r >= n {
		return nil, nil
	}
	return shared(e, "best", r, func() (*approximation, error) {
		operator := e.operator(e.newApproximation(nil, true))
		top, err := leading(operator, r, wide(n, r), fmt.Sprintf("the kernel matrix of %d points", n))
		if err != nil {
			return nil, err
		}
		for i, c := range e.times() {
			for j, v := range top.Vectors.RawRowView(i) {
				top.Vectors.Set(i, j, v*math.Sqrt(max(top.Values[j], 0)/c))
			}
		}
		return e.newApproximation(top.Vectors, true), nil
	})
}

// relative is a norm of K − K̂ over that of K.
func (e *evaluation) relative(a *approximation, norm string) (float64, error) {
	whole, err := e.ofSample(norm, 0, e.newApproximation(nil, true).norms[norm])
	if err != nil {
		return 0, err
	}
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	left, err := a.norms[norm]()
	return left / whole, err
}

// matrixError is a measure of the relative error in a norm.
func matrixError(norm string) formula {
	return func(e *evaluation, ell int, into Values) error {
		a, err := e.approximated(ell)
		if err != nil {
			return err
		}
		into["matrix_"+norm+a.end], err = e.relative(a, norm)
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

// bestError is the relative error of the best matrix of rank r in the trace norm; 0 where it
// is rounding.
func (e *evaluation) bestError(r int) (float64, error) {
	best, err := e.best(r)
	if err != nil || best == nil {
		return 0, err
	}
	least, err := e.relative(best, inTrace)
	if n, _ := e.X.Dims(); least < leastBest(n) {
		return 0, err
	}
	return least, err
}

// matrixRatio compares the error of K̂ with that of the best matrix of its rank r.
// That of random features has all their coordinates.
func matrixRatio(e *evaluation, ell int, into Values) error {
	a, err := e.approximated(ell)
	if err != nil {
		return err
	}
	n, r := a.factor.Dims()
	least, err := e.ofSample(inTrace, r, func() (float64, error) { return e.bestError(r) })
	if err != nil || least == 0 || !a.below && n > maxStored {
		return err
	}
	v, err := e.relative(a, inTrace)
	into["matrix_trace_ratio"+a.end] = v / least
	return err
}
