package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods/exec"
)

// answer is what a program found, to be read as a model.
type answer struct {
	exec.Answer
	sample  Sample // with the sizes that the program uses
	process *exec.Program
}

func (r answer) model(ctx context.Context, name string) (Model, error) {
	switch name {
	case "subspace":
		return r.subspace(ctx)
	case "embedding":
		return r.embedding(ctx)
	case "regression":
		return r.regression()
	}
	return r.clustering(ctx)
}

// regression is x ↦ Σ_j coef_j k(x, p_j), q numbers, or what the program predicts at x.
func (r answer) regression() (Model, error) {
	if r.Says["predict"] {
		return &Regression{Functions: &served{r.process, "predict", r.sample.responses()}, Warnings: r.Warnings}, nil
	}
	functions, err := r.functions("coef", r.sample.responses())
	return &Regression{Functions: functions, Warnings: r.Warnings}, err
}

// functions are combinations of kernel functions, one for each column of an array: count of
// them, 0 for any number.
func (r answer) functions(key string, count int) (f kernel.Expansion, err error) {
	f.Kernel, f.Points = r.sample.Kernel, r.sample.X
	n, dim := f.Points.Dims()
	switch {
	case r.Arrays["points"] != nil:
		f.Points, err = r.Array("points", 0, dim)
	case r.Arrays["indices"] != nil:
		var indices []int
		if indices, err = r.Integers("indices", 0, n); err == nil {
			f.Points = linalg.SelectRows(r.sample.X, indices)
		}
	}
	if err != nil {
		return f, err
	}
	f.Coef, err = r.Array(key, f.Points.RawMatrix().Rows, count)
	return f, err
}

// atMost fails where there are more functions than a size asks for, if it does.
func atMost(size string, limit, count int) error {
	if limit > 0 && count > limit {
		return fmt.Errorf("answer: %d functions, and %s = %d were asked for", count, size, limit)
	}
	return nil
}

// maxDeviation is how far inner products of functions in H may be from 1 and 0
// for them to pass as orthonormal: what single precision leaves.
const maxDeviation = 1e-6

// subspace are components, made orthonormal in H in their order (so that the first ℓ span
// what they did), with a warning where their inner products were off by more than
// maxDeviation. It costs p²D + np flops for p points beside the program's own.
func (r answer) subspace(ctx context.Context) (Model, error) {
	functions, err := r.functions("coef", 0)
	if err != nil {
		return nil, err
	}
	count := functions.Len()
	if err := atMost("ell", r.sample.Sizes.Ell, count); err != nil {
		return nil, err
	}
	spectrum := Spectrum{Warnings: r.Warnings, Center: make([]float64, count)}
	if spectrum.Values, err = r.values(count); err != nil {
		return nil, err
	}

	gram, err := innerProducts(functions)
	if err != nil {
		return nil, err
	}
	off := deviation(gram)
	factor, err := orthonormalFactor(gram)
	if err != nil {
		return nil, err
	}
	if off > maxDeviation {
		spectrum.Warnings = append(spectrum.Warnings, fmt.Sprintf("components were not orthonormal in H, inner products off by %.1e: made so in their order", off))
	}
	linalg.SolveRight(functions.Coef, factor)
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	if r.Says["centered"] {
		spectrum.Center = weights(nil).means(functions.Eval(r.sample.X))
	}
	spectrum.warnOfRounding(functions.Coef, slices.Max(kernel.Diagonal(functions.Kernel, functions.Points)))
	return &Subspace{Expansion: functions, Spectrum: spectrum}, nil
}

// values are count eigenvalues that fall; single precision may leave equal ones
// in the wrong order, and zeros negative.
func (r answer) values(count int) ([]float64, error) {
	values, err := r.Vector("values", count)
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

// orthonormalFactor is L with G = LLᵀ, which overwrites G: ΓL⁻ᵀ is orthonormal, and its first
// ℓ columns span what those of Γ do. It fails where a component is, to a part in
// 10¹⁰ of its squared norm, a combination of those before it.
func orthonormalFactor(gram *mat.SymDense) (*mat.TriDense, error) {
	const dependent = 1e-10
	l, _ := choleskyOf(gram)
	if l == nil {
		return nil, errors.New("coef: a component is 0 in H, or a combination of others: leave it out")
	}
	for i := range gram.SymmetricDim() {
		norm2 := 0.0
		for j := range i + 1 {
			norm2 += l.At(i, j) * l.At(i, j)
		}
		if pivot := l.At(i, i); pivot*pivot <= dependent*norm2 {
			return nil, fmt.Errorf("coef: component %d is a combination of those before it: leave it out", i)
		}
	}
	return l, nil
}

// embedding is x ↦ Σ_j coef_ji k(x, p_j) − offset_i, or where the program maps x.
func (r answer) embedding(ctx context.Context) (*Embedding, error) {
	if r.Says["map"] {
		return r.mapped(ctx)
	}
	functions, err := r.functions("coef", 0)
	if err != nil {
		return nil, err
	}
	e := &Embedding{Functions: functions, Isometric: r.Says["isometric"], Warnings: r.Warnings}
	if err := atMost("d", r.sample.Sizes.D, e.Dim()); err != nil {
		return nil, err
	}
	if r.Arrays["offset"] != nil {
		e.Offset, err = r.Vector("offset", e.Dim())
	}
	if err != nil || !e.Isometric {
		return e, err
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

// mapped is an embedding into which the program maps points. The image of the first point says
// how many coordinates there are; it is no part of the fit's time.
func (r answer) mapped(ctx context.Context) (*Embedding, error) {
	defer r.sample.pause()()
	f := &served{process: r.process, call: "map"}
	first, err := f.values(ctx, linalg.Rows(r.sample.X, 0, 1))
	if err != nil {
		return nil, err
	}
	_, f.width = first.Dims()
	return &Embedding{Functions: f, Warnings: r.Warnings}, atMost("d", r.sample.Sizes.D, f.width)
}
