package metrics

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// sketchMeasures are the measures of the operator that a sketch estimates.
var sketchMeasures = map[string]Measure{
	"kjl_operator": {
		Family:    ofSketches,
		Doc:       "operator error of a Gaussian sketch, ‖S*V̂V̂ᵀS - Σ³‖_op (uncentred), with its sampling part ‖Σn³ - Σ³‖_op and sketch part ‖S*V̂V̂ᵀS - Σn³‖_op",
		Reference: "KJL Thm 1",
		Cost:      "n²(p + D + n/3) + 2400n(p + n) flops and 8n(2n + p) bytes for p functions of the population",
		Outputs: []Output{
			{"kjl_operator", "operator error of the sketch", Less, normC},
			{"kjl_operator_sampling", "operator error, part of the sample", Neither, normC},
			{"kjl_operator_sketch", "operator error, part of the sketch", Neither, normC},
		},
		forms:   ofSketchOperators,
		compute: inSketch(kjlOperator),
	},
	"kjl_weak": {
		Family:    ofSketches,
		Doc:       "root mean square of ⟨α, V̂ᵀSf - Θf⟩ over Θ and unit α, f the first eigenfunction: ((‖V̂ᵀSf‖² + ⟨f,Σ³f⟩)/d)^(1/2), with the roots of both terms",
		Reference: "KJL Thm 2",
		Cost:      "np values of the population's p functions at the n sketched points, nd flops",
		Outputs: []Output{
			{"kjl_weak", "weak error, root mean square", Less, rootC},
			{"kjl_weak_sketch", "weak error, part of the sketch", Neither, rootC},
			{"kjl_weak_limit", "weak error, limit", Neither, rootC},
		},
		compute: inSketch(kjlWeak),
	},
	"kjl_projection": {
		Family:    ofGaussians,
		Doc:       "first coordinate of √d V̂ᵀSf/⟨f,Σ³f⟩^(1/2) of a Gaussian sketch (not srht), f the first eigenfunction, and its standard deviation given the sample; over repeats the coordinate is N(0,1) in the limit, the ratio of the two at every n",
		Reference: "KJL Thm 3",
		Cost:      "n² kernel values",
		Outputs: []Output{
			{"kjl_projection", "normalised first coordinate", Neither, unity},
			{"kjl_projection_sd", "standard deviation of the coordinate", Neither, unity},
		},
		compute: inSketch(kjlProjection),
	},
}

// sketch is what the measures of a Gaussian sketch share. Its functions f_a =
// Σ_j Coef_ja k(·,x_j) are V̂ᵀS_X: ⟨f_a, f⟩ is coordinate a of V̂ᵀS_X f.
type sketch struct {
	functions kernel.Expansion
	counts    []float64 // how many points of the subsample each of its points stands for; nil for one
	truth     data.Uncentred
	seen      *mat.Dense // n×p, ⟨u_j, k(·,x_i)⟩

	leading *mat.VecDense // coordinates of φ_1, the first eigenfunction of Σ, of norm 1 in H
	lambda  float64       // λ_1
}

// inSketch is a measure of a sketch.
func inSketch(of func(e *evaluation, s *sketch, into Values) error) formula {
	return func(e *evaluation, _ int, into Values) error {
		s, err := e.sketched()
		if err != nil {
			return err
		}
		return of(e, s, into)
	}
}

// sketched is computed once for all measures.
func (e *evaluation) sketched() (*sketch, error) {
	return shared(e, "sketch", 0, e.sketch)
}

func (e *evaluation) sketch() (*sketch, error) {
	embedding := e.model.(*methods.Embedding)
	functions, ok := embedding.Functions.(kernel.Expansion)
	if !ok || functions.Kernel.String() != e.Kernel.String() {
		return nil, errors.New("a sketch of Σ³ must consist of functions Σ_j c_j k(·,x_j) of the kernel that it is measured with")
	}
	truth, err := e.Population.Uncentred()
	if err != nil {
		return nil, err
	}
	top, err := leading(linalg.Symmetric(truth.Sigma), 1, linalg.DefaultTopOptions(1), "Σ")
	if err != nil {
		return nil, err
	}
	if !(top.Values[0] > 0) {
		return nil, fmt.Errorf("the first eigenfunction of %s was not found", e.Population)
	}
	return &sketch{
		functions: functions, counts: embedding.Counts, truth: truth, seen: truth.Coordinates(functions.Points),
		leading: mat.VecDenseCopyOf(top.Vectors.ColView(0)), lambda: top.Values[0],
	}, nil
}

// size is how many points Σn is the mean over.
func (s *sketch) size() float64 {
	if s.counts != nil {
		return floats.Sum(s.counts)
	}
	n, _ := s.functions.Points.Dims()
	return float64(n)
}

// weighed multiplies row i, of the i-th point, by the root of how many points it stands
// for: sums of outer products of rows are then those over all points.
func (s *sketch) weighed(a *mat.Dense) *mat.Dense {
	return linalg.ScaledRows(a, linalg.Roots(s.counts))
}

// limit is ⟨φ_1, Σ³φ_1⟩.
func (s *sketch) limit() float64 { return s.lambda * s.lambda * s.lambda }

// onLeading are φ_1(x_i), and V̂ᵀS_X φ_1 (d).
func (s *sketch) onLeading() (values, projected *mat.VecDense) {
	values, projected = new(mat.VecDense), new(mat.VecDense)
	values.MulVec(s.seen, s.leading)
	projected.MulVec(s.functions.Coef.T(), values)
	return values, projected
}

// kjlWeak is the error of ⟨α, V̂ᵀS_X f⟩ for ⟨α, Θf⟩, f = φ_1, as a root mean square
// over the draw of Θ, which is independent of the sketch, and over α uniform on
// the unit sphere of R^d: ((‖V̂ᵀS_Xf‖² + ⟨f,Σ³f⟩)/d)^(1/2), exactly. Given the
// sketch and a unit α the error is normal with mean ⟨α, V̂ᵀS_X f⟩ and variance
// ⟨f,Σ³f⟩/d.
//
// Reference: [KJL, Thm 2]. Deviation: the theorem bounds the error of one draw of
// Θ with high probability; its mean square has no noise of that draw.
func kjlWeak(e *evaluation, s *sketch, into Values) error {
	_, projected := s.onLeading()
	d := float64(projected.Len())
	ours, theirs := mat.Dot(projected, projected)/d, s.limit()/d
	into["kjl_weak"] = math.Sqrt(ours + theirs)
	into["kjl_weak_sketch"], into["kjl_weak_limit"] = math.Sqrt(ours), math.Sqrt(theirs)
	return nil
}

// kjlProjection is √d·(V̂ᵀS_X f)_1/⟨f,Σ³f⟩^(1/2), f = φ_1, which tends to N(0,1)
// as n grows for a Gaussian sketch, and its standard deviation (⟨f,Σn³f⟩/⟨f,Σ³f⟩)^(1/2) given the
// sample: their ratio is N(0,1) at every n. n² kernel values.
//
// Reference: [KJL, Thm 3, Appendix A.2].
func kjlProjection(e *evaluation, s *sketch, into Values) error {
	values, projected := s.onLeading()
	into["kjl_projection"] = math.Sqrt(float64(projected.Len())/s.limit()) * projected.AtVec(0)
	into["kjl_projection_sd"] = math.Sqrt(s.given(values) / s.limit())
	return nil
}

// given is ⟨f, Σn³f⟩ = fᵀK²f/n³ for the values of f at the sketch's points, n² kernel
// values, or by coordinates where these carry the kernel.
func (s *sketch) given(values *mat.VecDense) float64 {
	n, cube := values.Len(), math.Pow(s.size(), 3)
	all := mat.VecDenseCopyOf(values) // over all points: fᵀW KWK Wf, W the numbers of points
	if s.counts != nil {
		floats.Mul(all.RawVector().Data, s.counts)
	}
	if s.exhausted() {
		var inner, image mat.VecDense
		inner.MulVec(s.seen.T(), all)
		image.MulVec(s.weighed(s.seen), &inner)
		return mat.Dot(&image, &image) / cube
	}
	image := kernel.Expansion{Kernel: s.functions.Kernel, Points: s.functions.Points, Coef: mat.NewDense(n, 1, all.RawVector().Data)}.Eval(s.functions.Points)
	return math.Pow(mat.Norm(s.weighed(image), 2), 2) / cube
}

// kjlOperator is ‖Σ_a f_a⊗f_a − Σ³‖_op with its parts ‖Σn³ − Σ³‖_op and
// ‖Σ_a f_a⊗f_a − Σn³‖_op, all uncentred, Σn that of the sketch's own points. It
// takes n²·(p + D + n/3) flops and 8n·(2n + p) bytes for the coordinates of the
// sample, p of the population's and up to n more, and then about 50 vectors
// through operators of 48n(p + n) flops.
//
// Reference: [KJL, Thm 1 and its proof].
func kjlOperator(e *evaluation, s *sketch, into Values) error {
	o, err := s.operators()
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name        string
		left, right operator
	}{
		{"kjl_operator", o.sketched, o.population},
		{"kjl_operator_sampling", o.sampled, o.population},
		{"kjl_operator_sketch", o.sketched, o.sampled},
	} {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		difference := squaredDifference{o.dim, part.left, part.right}
		if into[part.name], err = difference.norm(uncertainNorm * s.limit()); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// operator applies a symmetric map to the columns of src.
type operator func(dst, src *mat.Dense)

// operators are Σ³, Σn³ and the sketch in orthonormal coordinates of H: the p of
// the population, and r that span what those leave of the sample's k(·,x_i).
// The sketch and Σn³ live in that span; of Σ³ what is outside is below Rest³.
type operators struct {
	dim                           int // p + r
	population, sampled, sketched operator
}

// uncertain is how far, relative to κ, entries of a kernel matrix and of the
// products that are subtracted from it may be off. As much is added to the
// diagonal of their difference, so that it stays positive semidefinite.
const uncertain = 1e-13

func (s *sketch) operators() (operators, error) {
	all, err := s.complete()
	if err != nil {
		return operators{}, err
	}
	_, dim := all.Dims()
	var functions mat.Dense // coordinates of f_a, a column each
	functions.Mul(all.T(), s.functions.Coef)
	return operators{
		dim:        dim,
		population: cube(func(dst, src *mat.Dense) { padded(dst, s.truth.Sigma, src) }),
		sampled:    cube(gramian(s.weighed(all).T(), 1/s.size())),
		sketched:   gramian(&functions, 1),
	}, nil
}

// complete are the sample's coordinates in orthonormal functions that span it:
// those of the population, and where these do not carry the kernel as many more
// as it takes.
func (s *sketch) complete() (*mat.Dense, error) {
	if s.exhausted() {
		return s.seen, nil
	}
	n, p := s.seen.Dims()
	rest := kernel.Gram(s.functions.Kernel, s.functions.Points)
	largest := linalg.LargestDiagonal(rest)
	linalg.SyrkUpper(blas.NoTrans, -1, s.seen, rest)
	left := linalg.LargestDiagonal(rest)
	if left <= 2*uncertain*largest {
		return s.seen, nil
	}
	factor, err := factorUncertain(rest, uncertain*largest, 1e-9*largest)
	if err != nil {
		return nil, fmt.Errorf("what the population's functions leave of the sample: %w", err)
	}
	all := mat.NewDense(n, p+factor.Rank, nil)
	all.Slice(0, n, 0, p).(*mat.Dense).Copy(s.seen)
	for i, row := range factor.Piv {
		copy(all.RawRowView(row)[p:], factor.Factor.RawRowView(i))
	}
	return all, nil
}

// factorUncertain factors a matrix that is positive semidefinite but for errors of
// the size of shift, which is added to its diagonal, written over. Where small
// pivots have left more, so is ten times as much, up to most.
func factorUncertain(a *mat.SymDense, shift, most float64) (linalg.PivotedCholesky, error) {
	for added := 0.0; ; shift *= 10 {
		for i := range a.SymmetricDim() {
			a.SetSym(i, i, a.At(i, i)+shift-added)
		}
		added = shift
		factor, err := linalg.FactorPivoted(a, 2*shift/linalg.LargestDiagonal(a))
		if err == nil || !errors.Is(err, linalg.ErrIndefinite) || shift > most {
			return factor, err
		}
	}
}

// exhausted says that the population's functions carry the kernel, all of it: one
// of finite rank has no others.
func (s *sketch) exhausted() bool {
	finite, ok := s.functions.Kernel.(kernel.Finite)
	_, p := s.seen.Dims()
	return ok && finite.Rank() == p
}

// padded sets dst = sigma·src on the leading coordinates and 0 on the others.
func padded(dst *mat.Dense, sigma *mat.SymDense, src *mat.Dense) {
	p := sigma.SymmetricDim()
	_, b := src.Dims()
	dst.Zero()
	linalg.Symmetric(sigma).Apply(dst.Slice(0, p, 0, b).(*mat.Dense), src.Slice(0, p, 0, b).(*mat.Dense))
}

// gramian is scale·A Aᵀ, formed where its order is below half of A's columns, so
// that it costs less to apply.
func gramian(a mat.Matrix, scale float64) operator {
	if order, columns := a.Dims(); 2*order < columns {
		formed := mat.NewSymDense(order, nil)
		formed.SymOuterK(scale, a)
		return linalg.Symmetric(formed).Apply
	}
	return func(dst, src *mat.Dense) {
		var inner mat.Dense
		inner.Mul(a.T(), src)
		dst.Mul(a, &inner)
		dst.Scale(scale, dst)
	}
}

func cube(apply operator) operator {
	return func(dst, src *mat.Dense) {
		square := mat.DenseCopyOf(src)
		apply(dst, src)
		apply(square, dst)
		apply(dst, square)
	}
}

// squaredDifference is (A − B)² in R^dim.
type squaredDifference struct {
	dim         int
	left, right operator
}

func (s squaredDifference) Dim() int { return s.dim }

func (s squaredDifference) Apply(dst, src *mat.Dense) {
	r, c := src.Dims()
	first, other := mat.NewDense(r, c, nil), mat.NewDense(r, c, nil)
	s.left(first, src)
	s.right(other, src)
	first.Sub(first, other)
	s.left(dst, first)
	s.right(other, first)
	dst.Sub(dst, other)
}

// Norms are found to the former, relative, or to the latter, relative to ‖Σ³‖:
// rounding leaves no more of a small difference.
const (
	normTolerance = 1e-10
	uncertainNorm = 1e-12
)

// norm is ‖A − B‖_op, the root of the largest eigenvalue θ of the square, which
// a residual r leaves between θ − r and θ + r. An uncertainty up to the given
// one is let pass.
func (s squaredDifference) norm(uncertainty float64) (float64, error) {
	theta, r, err := largest(s, normTolerance)
	if err != nil {
		return 0, err
	}
	theta = max(theta, 0)
	spread := math.Sqrt(theta+r) - math.Sqrt(max(theta-r, 0))
	return math.Sqrt(theta), settled(math.Sqrt(theta), spread, uncertainty)
}
