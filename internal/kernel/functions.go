package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// Functions is a finite family f_1 … f_ℓ of functions on the input space.
type Functions interface {
	// Len is ℓ.
	Len() int
	// Eval returns the n×ℓ matrix of f_i(x_j) for the rows of x (n×D), by row
	// blocks.
	Eval(x *mat.Dense) *mat.Dense
}

// Expansion is the family f_i = Σ_j Coef_ji k(·, p_j) in the kernel's space.
type Expansion struct {
	Kernel Kernel
	Points *mat.Dense // p×D
	Coef   *mat.Dense // p×ℓ
}

// Len is ℓ.
func (e Expansion) Len() int { _, l := e.Coef.Dims(); return l }

// Eval costs n·p kernel evaluations and 2·n·p·ℓ flops; it holds a
// block of about 8 MiB of kernel values at a time. It panics where the shapes do not fit.
func (e Expansion) Eval(x *mat.Dense) *mat.Dense {
	n, dx := x.Dims()
	p, d := e.Points.Dims()
	if r, _ := e.Coef.Dims(); dx != d || r != p {
		panic(fmt.Sprintf("kernel: %d coefficients of %d×%d points evaluated at %d×%d points", r, p, d, n, dx))
	}
	values := mat.NewDense(n, e.Len(), nil)
	fill := against(e.Kernel, e.Points)
	eachBlock(n, p, func(from, to int, buffer *mat.Dense) {
		fill(buffer, linalg.Rows(x, from, to), 0)
		linalg.Rows(values, from, to).Mul(buffer, e.Coef)
	})
	return values
}

// FeatureExpansion is the family f_i = Σ_a Coef_ai Φ_a of functions linear in
// random features.
type FeatureExpansion struct {
	Map  FeatureMap
	Coef *mat.Dense // Dim×ℓ
}

// Len is ℓ.
func (e FeatureExpansion) Len() int { _, l := e.Coef.Dims(); return l }

// Eval costs the features of n points and 2·n·Dim·ℓ flops.
func (e FeatureExpansion) Eval(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, e.Len(), nil)
	eachBlock(n, e.Map.Dim(), func(from, to int, buffer *mat.Dense) {
		e.Map.Transform(buffer, linalg.Rows(x, from, to))
		linalg.Rows(values, from, to).Mul(buffer, e.Coef)
	})
	return values
}

// eachBlock is byBlocks with a (to−from)×width buffer of undefined contents for
// each range.
func eachBlock(n, width int, f func(from, to int, buffer *mat.Dense)) {
	var free buffers
	byBlocks(n, width, func(from, to int) {
		buffer, release := free.take(to-from, width)
		defer release()
		f(from, to, buffer)
	})
}
