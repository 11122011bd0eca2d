package methods

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/exec"
)

// reply is a program's answer with all that is needed to read it as a model.
type reply struct {
	exec.Answer
	served   served // the program that has answered
	problem  Problem
	sizes    Sizes // those that the program was told
	warnings []string
}

func (r *reply) model(ctx context.Context, name string) (Model, error) {
	switch name {
	case "subspace":
		return r.subspace(ctx)
	case "embedding":
		if err := r.Only("model: "+name, "points", "indices", "coef", "offset", "isometric", "map"); err != nil {
			return nil, err
		}
		return r.embedding(ctx)
	case "regression":
		return r.regression()
	}
	return r.clustering(ctx)
}

// regression is x ↦ Σ_j coef_j k(x, p_j), or what the program predicts at x.
func (r *reply) regression() (Model, error) {
	if err := r.Only("model: regression", "points", "indices", "coef", "predict"); err != nil {
		return nil, err
	}
	if r.Predict {
		if r.Coef != nil || r.Points != nil || r.Indices != nil {
			return nil, errors.New("answer: predict excludes coef, points and indices: the program predicts itself")
		}
		return &Regression{Functions: r.serves("predict", 1), Warnings: r.warnings}, nil
	}
	functions, err := r.expansion("coef", r.Coef)
	if err != nil {
		return nil, err
	}
	if count := functions.Len(); count != 1 {
		return nil, fmt.Errorf("coef: %d columns: a regression function has one", count)
	}
	return &Regression{Functions: functions, Warnings: r.warnings}, nil
}

// points are what the functions of an answer expand over, p×D.
func (r *reply) points() (*mat.Dense, error) {
	n, dim := r.problem.X.Dims()
	switch {
	case r.Points != nil && r.Indices != nil:
		return nil, errors.New("answer: points and indices exclude each other")
	case r.Points != nil:
		points, err := r.served.program.Scratch.ReadMatrix("points", r.Points)
		if err != nil {
			return nil, err
		}
		if p, d := points.Dims(); d != dim {
			return nil, fmt.Errorf("points: an array of %d×%d: want rows of %d numbers, as X has", p, d, dim)
		}
		return points, nil
	case r.Indices != nil:
		indices, err := r.served.program.Scratch.ReadIntegers("indices", r.Indices, n)
		if err != nil {
			return nil, err
		}
		points := mat.NewDense(len(indices), dim, nil)
		for i, index := range indices {
			points.SetRow(i, r.problem.X.RawRowView(index))
		}
		return points, nil
	}
	return r.problem.X, nil
}

// expansion are the functions of a coefficient array.
func (r *reply) expansion(name string, a *exec.Array) (kernel.Expansion, error) {
	if a == nil {
		return kernel.Expansion{}, fmt.Errorf("answer: %s is missing", name)
	}
	points, err := r.points()
	if err != nil {
		return kernel.Expansion{}, err
	}
	coef, err := r.served.program.Scratch.ReadMatrix(name, a)
	if err != nil {
		return kernel.Expansion{}, err
	}
	p, _ := points.Dims()
	if rows, columns := coef.Dims(); rows != p {
		return kernel.Expansion{}, fmt.Errorf("%s: an array of %d×%d for %d points: want one row a point", name, rows, columns, p)
	}
	return kernel.Expansion{Kernel: r.problem.Kernel, Points: points, Coef: coef}, nil
}

// maxDeviation is how far inner products of functions in H may be from 1 and 0
// for them to pass as orthonormal: what single precision leaves.
const maxDeviation = 1e-6

// subspace costs p²D + np flops for p points beside the program's own.
func (r *reply) subspace(ctx context.Context) (Model, error) {
	if err := r.Only("model: subspace", "points", "indices", "coef", "values", "centered"); err != nil {
		return nil, err
	}
	functions, err := r.expansion("coef", r.Coef)
	if err != nil {
		return nil, err
	}
	if count := functions.Len(); count > r.sizes.Ell {
		return nil, fmt.Errorf("coef: %d components, and ell = %d were asked for", count, r.sizes.Ell)
	}
	spectrum := Spectrum{Warnings: r.warnings}
	if spectrum.Values, err = r.values(functions.Len()); err != nil {
		return nil, err
	}
	gram, err := innerProducts(functions)
	if err != nil {
		return nil, err
	}
	factor, err := orthonormalFactor(gram)
	if err != nil {
		return nil, err
	}
	if off := deviation(gram); off > maxDeviation {
		spectrum.Warnings = append(spectrum.Warnings, fmt.Sprintf("components were not orthonormal in H, inner products off by %.1e: made so in their order", off))
	}
	linalg.SolveRight(functions.Coef, factor)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spectrum.Center = make([]float64, functions.Len())
	if r.Centered {
		spectrum.Center = columnMeans(functions.Eval(r.problem.X))
	}
	size := 0.0
	for i := range rowsOf(functions.Points) {
		size = max(size, functions.Kernel.At(functions.Points.RawRowView(i), functions.Points.RawRowView(i)))
	}
	spectrum.warnOfRounding(functions.Coef, size)
	return &Subspace{Expansion: functions, Spectrum: spectrum}, nil
}

func rowsOf(a *mat.Dense) int { n, _ := a.Dims(); return n }

// values are count eigenvalues that fall; single precision may leave equal ones
// in the wrong order, and zeros negative.
func (r *reply) values(count int) ([]float64, error) {
	values, err := r.served.vector("values", r.Values, count, "components (an eigenvalue, or the component's variance if the method has none)")
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		switch {
		case v < -maxDeviation*values[0] || i == 0 && v < 0:
			return nil, fmt.Errorf("values: number %d is %v: eigenvalues of a covariance are not negative", i, v)
		case i > 0 && v > values[i-1]*(1+maxDeviation):
			return nil, fmt.Errorf("values: number %d is %v, more than the one before, %v: components come in falling order", i, v, values[i-1])
		case i > 0:
			values[i] = max(0, min(v, values[i-1]))
		}
	}
	return values, nil
}

// innerProducts is ΓᵀKΓ.
func innerProducts(f kernel.Expansion) (*mat.SymDense, error) {
	c := f.Len()
	var product mat.Dense
	product.Mul(f.Coef.T(), f.Eval(f.Points))
	gram := mat.NewSymDense(c, nil)
	for i := range c {
		for j := i; j < c; j++ {
			v := (product.At(i, j) + product.At(j, i)) / 2
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("coef: the inner product of components %d and %d in H overflows: %v", i, j, v)
			}
			gram.SetSym(i, j, v)
		}
	}
	return gram, nil
}

// deviation is the largest entry of |G − I|.
func deviation(gram *mat.SymDense) float64 {
	worst := 0.0
	for i := range gram.SymmetricDim() {
		for j := range i + 1 {
			v := gram.At(i, j)
			if i == j {
				v--
			}
			worst = max(worst, math.Abs(v))
		}
	}
	return worst
}

// orthonormalFactor is L with G = LLᵀ: ΓL⁻ᵀ is orthonormal, and its first ℓ
// columns span what those of Γ do. It fails where a component is, to a part in
// 10¹⁰ of its squared norm, a combination of those before it.
func orthonormalFactor(gram *mat.SymDense) (*mat.TriDense, error) {
	const dependent = 1e-10
	var cholesky mat.Cholesky
	regular := cholesky.Factorize(gram)
	for i := range gram.SymmetricDim() {
		if gram.At(i, i) <= 0 {
			return nil, fmt.Errorf("coef: component %d is 0 in H: leave it out", i)
		}
	}
	if !regular {
		return nil, errors.New("coef: the components are linearly dependent in H: leave out those that others span")
	}
	var l mat.TriDense
	cholesky.LTo(&l)
	for i := range gram.SymmetricDim() {
		if pivot := l.At(i, i); pivot*pivot <= dependent*gram.At(i, i) {
			return nil, fmt.Errorf("coef: component %d is a combination of those before it: leave it out", i)
		}
	}
	return &l, nil
}

// embedding is x ↦ Σ_j coef_ji k(x, p_j) − offset_i.
func (r *reply) embedding(ctx context.Context) (*Embedding, error) {
	if r.Map {
		return r.mapped(ctx)
	}
	functions, err := r.expansion("coef", r.Coef)
	if err != nil {
		return nil, err
	}
	count := functions.Len()
	if r.sizes.D > 0 && count > r.sizes.D {
		return nil, fmt.Errorf("coef: %d dimensions, and d = %d were asked for", count, r.sizes.D)
	}
	e := &Embedding{Functions: functions, Isometric: r.Isometric, Warnings: r.warnings}
	if r.Offset != nil {
		if e.Offset, err = r.served.vector("offset", r.Offset, count, "dimensions"); err != nil {
			return nil, err
		}
	}
	if !e.Isometric {
		return e, nil
	}
	if e.Offset != nil {
		return nil, errors.New("answer: an embedding with an offset is not isometric: its points are no projections onto a subspace of H")
	}
	gram, err := innerProducts(functions)
	if err != nil {
		return nil, err
	}
	if off := deviation(gram); off > maxDeviation {
		return nil, fmt.Errorf("answer: an isometric embedding has functions that are orthonormal in H, and their inner products are off by %.1e", off)
	}
	return e, nil
}
