package methods_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/methods"
	"mercer/methods/landmark"
)

// regressionProblem has n points of the plane with noisy responses.
func regressionProblem(n, m int) methods.Sample {
	x, rng := uniformPoints(11, n, 2), newRand(12)
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sin(5*x.At(i, 0)) - x.At(i, 1) + 0.3*rng.NormFloat64()
	}
	return methods.Sample{X: x, Kernel: kernel.NewGaussian(3), Responses: column(y), Sizes: methods.Sizes{N: n, M: m}}
}

// column is y as an n×1 matrix.
func column(y []float64) *mat.Dense { return mat.NewDense(len(y), 1, y) }

// TestSeveralResponses: the estimate of two responses is that of each of them. 1e-10: the
// triangular solves round otherwise for two columns, which the condition 1e3 of the systems
// multiplies.
func TestSeveralResponses(t *testing.T) {
	for name, o := range map[string]methods.Options{
		"krr":                   &methods.KRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-3}},
		"nystrom-krr":           &methods.NystromKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-3}, Landmarks: landmark.By("first")},
		"rff-krr":               &methods.RFFKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-3}, Features: "fourier"},
		"rff-krr, few features": &methods.RFFKRROptions{RidgeOptions: methods.RidgeOptions{Ridge: 1e-3}, Features: "offset"},
	} {
		p := regressionProblem(40, 30)
		method, err := o.Method()
		if err != nil {
			t.Fatal(err)
		}
		first, other := p.Responses, mat.DenseCopyOf(p.X.ColView(1))
		var both mat.Dense
		both.Augment(first, other)
		want := map[int]*mat.Dense{}
		for j, y := range []*mat.Dense{first, other, &both} {
			p.Responses = y
			model := fitted(t, method, p).(*methods.Regression)
			if want[j], err = model.Predict(t.Context(), p.X); err != nil || model.Len() != y.RawMatrix().Cols {
				t.Fatalf("%s: %d functions for %d responses, error %v", name, model.Len(), y.RawMatrix().Cols, err)
			}
		}
		var apart mat.Dense
		apart.Augment(want[0], want[1])
		if apart.Sub(&apart, want[2]); !(mat.Norm(&apart, math.Inf(1)) <= 1e-10) {
			t.Errorf("%s: two responses at once differ from each alone by %.2g", name, mat.Norm(&apart, math.Inf(1)))
		}
	}
}

// inverted is a⁻¹b.
func inverted(a *mat.Dense, b []float64) []float64 {
	var x mat.VecDense
	if err := x.SolveVec(a, mat.NewVecDense(len(b), b)); err != nil {
		if _, condition := err.(mat.Condition); !condition {
			panic(err)
		}
	}
	return x.RawVector().Data
}

func valuesOf(t *testing.T, o methods.Options, p methods.Sample, seed uint64) []float64 {
	t.Helper()
	method, err := o.Method()
	if err != nil {
		t.Fatal(err)
	}
	model, err := method.Fit(context.Background(), p, newRand(seed))
	if err != nil {
		t.Fatal(err)
	}
	for _, warning := range model.Caveats(0) {
		if !strings.Contains(warning, "numerical rank") {
			t.Errorf("warning %q", warning)
		}
	}
	return mat.Col(nil, 0, model.(*methods.Regression).Eval(p.X))
}

// TestRidgeByItsFormulas: f̂ at the sample by the formulas of the papers with general
// matrices: K(K + nλI)⁻¹y; K_nm(K_mnK_nm + nλK_mm)⁻¹K_mny [FALKON, eq 8]; Φ(ΦᵀΦ +
// nλI)⁻¹Φᵀy, for fewer and for more features than points. 1e-7: general inverses of kernel matrices of condition 1e8 lose half of the
// digits.
func TestRidgeByItsFormulas(t *testing.T) {
	const n, m, lambda = 90, 8, 1e-3
	p := regressionProblem(n, m)
	ridge := methods.RidgeOptions{Ridge: lambda}
	plus := func(a *mat.Dense, t float64, b mat.Matrix) *mat.Dense {
		var sum mat.Dense
		sum.Scale(t, b)
		sum.Add(&sum, a)
		return &sum
	}
	identity := func(r int) mat.Matrix {
		d := mat.NewDiagDense(r, nil)
		for i := range r {
			d.SetDiag(i, 1)
		}
		return d
	}
	at := func(a *mat.Dense, x []float64) []float64 {
		rows, _ := a.Dims()
		var v mat.VecDense
		v.MulVec(a, mat.NewVecDense(len(x), x))
		return v.RawVector().Data[:rows]
	}
	transposed := func(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a.T()) }
	knn, y := kernel.Cross(p.Kernel, p.X, p.X), mat.Col(nil, 0, p.Responses)
	first := mat.DenseCopyOf(p.X.Slice(0, m, 0, 2))
	knm, kmm := kernel.Cross(p.Kernel, p.X, first), kernel.Cross(p.Kernel, first, first)
	features := kernel.Maps["fourier"].New(p.Kernel, m, 2, newRand(3))
	z := mat.NewDense(n, features.Dim(), nil)
	features.Transform(z, p.X)
	many := kernel.Maps["fourier"].New(p.Kernel, n, 2, newRand(3))
	wide := mat.NewDense(n, many.Dim(), nil)
	many.Transform(wide, p.X)
	manyFeatures := valuesOf(t, &methods.RFFKRROptions{RidgeOptions: ridge, Features: "fourier"}, regressionProblem(n, n), 3)
	byFormula := at(wide, inverted(plus(product(wide.T(), wide), n*lambda, identity(many.Dim())), at(transposed(wide), y)))
	if off := floats.Distance(manyFeatures, byFormula, math.Inf(1)); !(off <= 1e-7) {
		t.Errorf("rff-krr on more features than points: values are off by %.2g", off)
	}
	for name, c := range map[string]struct {
		options methods.Options
		want    []float64
	}{
		"krr": {&methods.KRROptions{RidgeOptions: ridge}, at(knn, inverted(plus(knn, n*lambda, identity(n)), y))},
		"nystrom-krr": {&methods.NystromKRROptions{RidgeOptions: ridge, Landmarks: landmark.By("first")},
			at(knm, inverted(plus(product(knm.T(), knm), n*lambda, kmm), at(transposed(knm), y)))},
		"rff-krr": {&methods.RFFKRROptions{RidgeOptions: ridge, Features: "fourier"},
			at(z, inverted(plus(product(z.T(), z), n*lambda, identity(features.Dim())), at(transposed(z), y)))},
	} {
		got := valuesOf(t, c.options, p, 3)
		if off := floats.Distance(got, c.want, math.Inf(1)); !(off <= 1e-7) {
			t.Errorf("%s: values are off by %.2g", name, off)
		}
	}
	all := valuesOf(t, &methods.NystromKRROptions{RidgeOptions: ridge, Landmarks: landmark.By("uniform")}, regressionProblem(n, n), 1)
	if off := floats.Distance(all, valuesOf(t, &methods.KRROptions{RidgeOptions: ridge}, p, 1), math.Inf(1)); !(off <= 1e-7) {
		t.Errorf("all points as landmarks are off exact regression by %.2g", off)
	}
	power := valuesOf(t, &methods.KRROptions{RidgeOptions: methods.RidgeOptions{Ridge: lambda * math.Sqrt(n), Power: 0.5}}, p, 1)
	if off := floats.Distance(power, valuesOf(t, &methods.KRROptions{RidgeOptions: ridge}, p, 1), math.Inf(1)); !(off <= 1e-9) {
		t.Errorf("λ = λ√n·n^(-1/2) changes values by %.2g", off)
	}
}
