package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

var _ = register("krr", Entry{
	Label:     "kernel ridge regression",
	Doc:       "kernel ridge regression on the n×n Gram matrix",
	Reference: "Rudi, Carratino & Rosasco 2017, eq 3-4",
	Cost:      "n²D + n³/3 flops, 20n² bytes",
	Accuracy:  "exact to rounding times the condition of K + λnI",
	Version:   "1",
	Plain:     "ridge: 0.01",
	New:       func() Options { return &KRROptions{} },
})

// RidgeOptions are the level of regularisation.
type RidgeOptions struct {
	Ridge  float64        `yaml:"ridge" doc:"c in λ = c·n^(-ridge_power), positive; λ is relative to the mean squared error: (1/n)Σ(f(x_i) - y_i)² + λ‖f‖²"`
	Power  float64        `yaml:"ridge_power" doc:"power p of λ = c·n^-p; default 0"`
	Choose *ChooseOptions `yaml:"choose" json:",omitzero" doc:"take ridge and bandwidth, anew in each fit, by errors within its sample, e.g. {ridge: [1e-2, 1e-4], bandwidth_times: [0.5, 1, 2]}; time and flops are those of all fits"`
}

func (o RidgeOptions) check() error {
	var err error
	if o.Ridge == 0 {
		err = errors.New("ridge is missing or 0: give a positive number, or values under choose: {ridge: [1e-2, 1e-4]}")
	} else if !(o.Ridge > 0) || math.IsInf(o.Ridge, 1) {
		err = fmt.Errorf("ridge %v: must be positive and finite", o.Ridge)
	}
	if !(math.Abs(o.Power) <= 4) {
		err = errors.Join(err, fmt.Errorf("ridge_power %v: must lie between -4 and 4", o.Power))
	}
	return err
}

// lambda is λ at n points.
func (o RidgeOptions) lambda(n int) float64 { return o.Ridge * math.Pow(float64(n), -o.Power) }

// KRROptions are the parameters of kernel ridge regression.
type KRROptions struct{ RidgeOptions }

// Method returns kernel ridge regression.
func (o *KRROptions) Method() (Method, error) {
	return o.method(func(ridge RidgeOptions) Method { return krr{ridge} })
}

// krr is f̂ = Σ_j a_j k(·,X_j) with (K + nλI)a = y, by a Cholesky factor. Rows that stand
// for c_j points have the mean of their responses: with W = diag(c), (W^(1/2)KW^(1/2) +
// nλI)b = W^(1/2)y and a = W^(1/2)b.
//
// Reference: Rudi, Carratino & Rosasco 2017 (FALKON), eq 4.
type krr struct{ ridge RidgeOptions }

func (krr) Check(kernel.Kernel, Sizes) error { return nil }

// Cost counts the shared Gram matrix, its copy with the ridge and the factor.
func (krr) Cost(_ kernel.Kernel, s Sizes, dim float64) cost.Cost {
	n := float64(s.N)
	return gramValues(n, dim).Plus(cost.Cost{Flops: n * n * n / 3}).Plus(cost.Symmetric(n)).Plus(cost.Numbers(1.5 * n * n))
}

// Traits say that it works on the Gram matrix.
func (o *KRROptions) Traits() Traits {
	return Traits{Uses: []string{"n"}, Shape: ShapeRegression, Gram: true, NoCounts: o.noCounts()}
}

func (r krr) Fit(ctx context.Context, p Sample, _ *rand.Rand) (Model, error) {
	if err := p.checkResponses(); err != nil {
		return nil, err
	}
	gram, err := p.gram(ctx)
	if err != nil {
		return nil, err
	}
	defer p.phase("solve")()
	shifted, lambda := mat.NewSymDense(p.n(), nil), r.ridge.lambda(p.Sizes.N)
	shifted.CopySym(p.weights().matrix(gram, false))
	a := mat.DenseCopyOf(p.Responses)
	p.weights().roots(a)
	if err := ridgeSolve(shifted, float64(p.Sizes.N)*lambda, a); err != nil {
		return nil, err
	}
	p.weights().roots(a)
	return &Regression{Functions: kernel.Expansion{Kernel: p.Kernel, Points: p.X, Coef: a}, Lambda: lambda}, nil
}

// ridgeSolve overwrites B (r×q) with the solution X of (A + tI)X = B and A with rubbish, A
// positive semidefinite of order r: r³/3 + 2qr² flops.
func ridgeSolve(a *mat.SymDense, t float64, b *mat.Dense) error {
	for i := range a.SymmetricDim() {
		a.SetSym(i, i, a.At(i, i)+t)
	}
	l, smallest := choleskyOf(a)
	if !(smallest > 0) {
		return fmt.Errorf("the system is singular to rounding at a ridge of %.3g beside its matrix: take a larger ridge, or points that are finite numbers", t)
	}
	rows := mat.DenseCopyOf(b.T())
	linalg.NewRightSolver(l).Solve(rows)
	b.Copy(rows.T())
	linalg.SolveLowerTrans(l, b)
	return nil
}

// byColumns is AB (r×q), a column at a time, so that no column depends on the others.
func byColumns(a mat.Matrix, b *mat.Dense) *mat.Dense {
	r, _ := a.Dims()
	_, q := b.Dims()
	product := mat.NewDense(r, q, nil)
	for j := range q {
		var column mat.VecDense
		column.MulVec(a, mat.NewVecDense(b.RawMatrix().Rows, mat.Col(nil, j, b)))
		product.SetCol(j, column.RawVector().Data)
	}
	return product
}

// normalEquations are ZᵀWZ and ZᵀWY of blocks of rows Z of coordinates, W = diag(c).
type normalEquations struct {
	square *mat.SymDense // r×r
	right  *mat.Dense    // r×q
}

func newNormalEquations(r, q int) *normalEquations {
	return &normalEquations{mat.NewSymDense(r, nil), mat.NewDense(r, q, nil)}
}

// add takes the rows from … to−1 of a sample, z, which it overwrites: nr² flops.
func (e *normalEquations) add(p Sample, from, to int, z *mat.Dense) {
	defer p.phase("embed")()
	y, times := mat.DenseCopyOf(linalg.Rows(p.Responses, from, to)), p.weights().part(from, to)
	times.roots(y)
	times.roots(z)
	e.right.Add(e.right, byColumns(z.T(), y))
	linalg.SyrkUpper(blas.Trans, 1, z, e.square)
}
