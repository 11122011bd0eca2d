package methods_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/methods"
)

// normalEquations: f̂ minimises (1/n)Σ(f(x_i) − y_i)² + λ‖f‖² over the span of functions
// g_j exactly if (1/n)Σ_i g_j(x_i)(f̂(x_i) − y_i) + λ⟨g_j, f̂⟩ = 0 for all of them, where
// ⟨k(·,p), f⟩ = f(p) in H, and of features it is the coefficient. By loops over kernel
// values, to 1e-7 of the sizes that cancel: steps end at a residual of 1e-12, the g_j are
// combined with the inverse of a root of K_mm, and so lose half of the digits at worst.
func normalEquations(s Subject, c sample, m *methods.Regression) error {
	f := open(m)
	n, _ := c.x.Dims()
	values, y := mat.Col(nil, 0, f.at(c.x)), responses(c.x)
	// Kernel values are exact to a few roundings, which coefficients multiply.
	rounding := 16 * 0x1p-52 * floats.Norm(mat.Col(nil, 0, f.coef), 1)
	if off := floats.Distance(mat.Col(nil, 0, m.Eval(c.x)), values, math.Inf(1)); !(off <= max(1e-9*floats.Norm(values, math.Inf(1)), rounding)) {
		return fmt.Errorf("values by Eval differ from those by loops over kernel values by %.2g", off)
	}
	if s.Shape != methods.ShapeOf(m) || m.Lambda <= 0 {
		return fmt.Errorf("shape %q, λ = %v", methods.ShapeOf(m), m.Lambda)
	}
	products := mat.Col(nil, 0, f.coef)
	if f.features == nil {
		products = mat.Col(nil, 0, f.at(f.points))
	}
	gradient, size := make([]float64, len(products)), make([]float64, len(products))
	for i := range n {
		for j, g := range f.basisAt(c.x, i) {
			gradient[j] += g * (values[i] - y[i]) / float64(n)
			size[j] += math.Abs(g*y[i]) / float64(n)
		}
	}
	for j, v := range gradient {
		if off := v + m.Lambda*products[j]; !(math.Abs(off) <= 1e-7*floats.Max(size)) {
			return fmt.Errorf("function %d: the derivative is %.3g, of terms of size %.3g", j+1, off, size[j])
		}
	}
	return nil
}
