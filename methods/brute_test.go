package methods_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
)

// The estimators by their definitions, with dense matrices: kernel values point
// by point, gonum's own eigensolver, explicit centring matrices.

// denseGram is K_xy, entry by entry.
func denseGram(k kernel.Kernel, x, y *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	m, _ := y.Dims()
	gram := mat.NewDense(n, m, nil)
	gram.Apply(func(i, j int, _ float64) float64 { return k.At(x.RawRowView(i), y.RawRowView(j)) }, gram)
	return gram
}

// centring is C = I − 11ᵀ/n, or I for an uncentred estimate.
func centring(n int, center string) *mat.Dense {
	c := mat.NewDense(n, n, nil)
	for i := range n {
		c.Set(i, i, 1)
	}
	if center != "none" {
		c.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(n) }, c)
	}
	return c
}

func divisor(n int, center string) float64 {
	if center == "u" {
		return float64(n - 1)
	}
	return float64(n)
}

// eigen are all eigenpairs of the symmetric part of a, falling.
func eigen(a *mat.Dense) ([]float64, *mat.Dense) {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		panic("no eigendecomposition")
	}
	var rising mat.Dense
	e.VectorsTo(&rising)
	values, vectors := make([]float64, n), mat.NewDense(n, n, nil)
	for i, v := range e.Values(nil) {
		values[n-1-i] = v
		vectors.SetCol(n-1-i, mat.Col(nil, i, &rising))
	}
	return values, vectors
}

func product(first mat.Matrix, rest ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(first)
	for _, next := range rest {
		var q mat.Dense
		q.Mul(p, next)
		p = &q
	}
	return p
}

// symmetricPower is A^p on the eigenvalues above rounding.
func symmetricPower(a *mat.Dense, p float64) *mat.Dense {
	values, vectors := eigen(a)
	n := len(values)
	scale := mat.NewDense(n, n, nil)
	for i, v := range values {
		if v > float64(n)*0x1p-52*values[0] {
			scale.Set(i, i, math.Pow(v, p))
		}
	}
	return product(vectors, scale, vectors.T())
}

// nystromByRoot is Nyström kernel PCA on the first m points by an explicit
// symmetric root of K_mm: M = K_mm^power K_mn C K_nm K_mm^power / divisor and
// Γ = K_mm^power u. The power is −1/2; any other is a mistake.
type nystromByRoot struct {
	methods.Method
	center string
	power  float64
}

func (y nystromByRoot) Fit(_ context.Context, p methods.Sample, _ *rand.Rand) (methods.Model, error) {
	n, m := p.Sizes.N, p.Sizes.M
	_, d := p.X.Dims()
	landmarks := mat.DenseCopyOf(p.X.Slice(0, m, 0, d))
	knm := denseGram(p.Kernel, p.X, landmarks)
	root := symmetricPower(denseGram(p.Kernel, landmarks, landmarks), y.power)
	c := centring(n, y.center)
	values, u := eigen(product(root.T(), knm.T(), c, knm, root))
	coef := product(root, u.Slice(0, m, 0, p.Sizes.Ell))
	spectrum := methods.Spectrum{Values: values[:p.Sizes.Ell], Center: make([]float64, p.Sizes.Ell), Rank: m}
	for i := range spectrum.Values {
		spectrum.Values[i] /= divisor(n, y.center)
	}
	if y.center != "none" {
		at := product(knm, coef)
		for i := range spectrum.Center {
			spectrum.Center[i] = mat.Sum(at.ColView(i)) / float64(n)
		}
	}
	return &methods.Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: landmarks, Coef: coef}, Spectrum: spectrum}, nil
}

// ekpcaByGram is empirical kernel PCA by all eigenpairs of C K C.
func ekpcaByGram(p methods.Sample, center string) *methods.Subspace {
	n, ell := p.Sizes.N, p.Sizes.Ell
	c := centring(n, center)
	gram := denseGram(p.Kernel, p.X, p.X)
	values, v := eigen(product(c, gram, c))
	coef := mat.NewDense(n, ell, nil)
	spectrum := methods.Spectrum{Center: make([]float64, ell)}
	for i := range ell {
		spectrum.Values = append(spectrum.Values, values[i]/divisor(n, center))
		phi := product(c, v.Slice(0, n, i, i+1))
		phi.Scale(1/math.Sqrt(values[i]), phi)
		coef.SetCol(i, phi.RawMatrix().Data)
		if center != "none" {
			spectrum.Center[i] = mat.Sum(product(gram, phi)) / float64(n)
		}
	}
	return &methods.Subspace{Expansion: kernel.Expansion{Kernel: p.Kernel, Points: p.X, Coef: coef}, Spectrum: spectrum}
}

// functions evaluates the components of a model.
func functions(t *testing.T, model methods.Model, x *mat.Dense) *mat.Dense {
	t.Helper()
	switch m := model.(type) {
	case *methods.Subspace:
		return m.Eval(x)
	case *methods.FeatureSubspace:
		return m.Eval(x)
	}
	t.Fatalf("a model of type %T has no functions", model)
	return nil
}

func spectrumOf(t *testing.T, model methods.Model) methods.Spectrum {
	t.Helper()
	switch m := model.(type) {
	case *methods.Subspace:
		return m.Spectrum
	case *methods.FeatureSubspace:
		return m.Spectrum
	}
	t.Fatalf("a model of type %T has no spectrum", model)
	return methods.Spectrum{}
}

// sameComponents fails unless both models have the same eigenvalues, centres
// and components up to signs, at fresh points of the unit cube: to the tolerance
// relative to λ̂_1 for values and to 1 for the rest. Eigenvalues must be simple.
func sameComponents(t *testing.T, got, want methods.Model, dim int, tolerance float64) {
	t.Helper()
	x := uniformPoints(99, 40, dim)
	a, b := functions(t, got, x), functions(t, want, x)
	s, r := spectrumOf(t, got), spectrumOf(t, want)
	if len(s.Values) != len(r.Values) {
		t.Fatalf("%d components, want %d", len(s.Values), len(r.Values))
	}
	for i, v := range s.Values {
		if !(math.Abs(v-r.Values[i]) <= tolerance*r.Values[0]) {
			t.Errorf("value %d is %.15g, want %.15g", i+1, v, r.Values[i])
		}
		sign := 1.0
		if mat.Dot(a.ColView(i), b.ColView(i)) < 0 {
			sign = -1
		}
		if !(math.Abs(s.Center[i]-sign*r.Center[i]) <= tolerance) {
			t.Errorf("centre %d is %.15g, want %.15g", i+1, s.Center[i], sign*r.Center[i])
		}
		for j := range 40 {
			if !(math.Abs(a.At(j, i)-sign*b.At(j, i)) <= tolerance) {
				t.Fatalf("component %d at point %d is %.15g, want %.15g", i+1, j, a.At(j, i), sign*b.At(j, i))
			}
		}
	}
}

func fit(t *testing.T, options methods.Options, p methods.Sample, seed uint64) methods.Model {
	t.Helper()
	method, err := options.Method()
	if err != nil {
		t.Fatal(err)
	}
	if err := method.Check(p.Kernel, p.Sizes); err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(context.Background(), p, newRand(seed))
	if err != nil {
		t.Fatal(err)
	}
	return model
}
