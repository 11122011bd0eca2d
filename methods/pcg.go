package methods

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// PCGOptions are the parameters of preconditioned conjugate gradients.
type PCGOptions struct {
	MaxIter int     `yaml:"max_iter" min:"1" doc:"largest number of iterations, beyond which the fit warns"`
	Tol     float64 `yaml:"tol" min:"1e-15" doc:"stop when the relative residual ‖b - Ax‖/‖b‖ is at most tol"`
}

func defaultPCG() PCGOptions { return PCGOptions{MaxIter: 100, Tol: 1e-6} }

// cost is that of max_iter iterations of so many flops for a system of order n, whose iterates
// are kept.
func (o PCGOptions) cost(n, flops float64) cost.Cost {
	iterations := float64(o.MaxIter)
	return cost.Cost{Flops: iterations * flops}.Plus(cost.Numbers(n * (iterations + 6)))
}

// linear sets dst to the image of src (n×q) under a linear map of R^n.
type linear func(dst, src *mat.Dense)

// identity is no preconditioner.
func identity(dst, src *mat.Dense) { dst.Copy(src) }

// regression completes a model with X, AX = B (n×q), as coefficients of kernel functions, by
// conjugate gradients from X = 0 with a preconditioner P, A and P positive definite: a product
// with A and one with P⁻¹ an iteration. Columns are one vector of R^(nq), with the Frobenius
// norm. Coefficients are √c_j·X_j where points stand for c_j. Residuals are by the recurrence,
// as in SciPy: once they are near rounding times the condition of A, the true ones are larger.
//
// Reference: Saad 2003, Algorithm 9.1.
func (o PCGOptions) regression(ctx context.Context, model *Regression, f kernel.Expansion, times weights, b *mat.Dense, apply, precondition linear) (Model, error) {
	n, q := b.Dims()
	x, p, r := mat.NewDense(n, q, nil), mat.NewDense(n, q, nil), mat.DenseCopyOf(b)
	image, all := mat.NewDense(n, q, nil), mat.NewDense(n, q*(o.MaxIter+1), nil)
	numbers := func(a *mat.Dense) []float64 { return a.RawMatrix().Data }
	columns := func(from, to int) *mat.Dense { return all.Slice(0, n, from*q, to*q).(*mat.Dense) }
	rho, size := 0.0, cmp.Or(mat.Norm(b, 2), 1)
	for t := 0; ; t++ {
		residual := mat.Norm(r, 2) / size
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case math.IsNaN(residual):
			return nil, fmt.Errorf("conjugate gradients: the residual is NaN after %d iterations: take a larger ridge, or points that are finite numbers", t)
		}
		columns(t, t+1).Copy(x)
		model.Residuals = append(model.Residuals, residual)
		if residual <= o.Tol || t == o.MaxIter {
			if model.Converged = residual <= o.Tol; !model.Converged {
				model.Warnings = append(model.Warnings, fmt.Sprintf("conjugate gradients not converged: relative residual %.1e after %d iterations, more than tol = %.1g", residual, t, o.Tol))
			}
			times.roots(all)
			f.Coef = columns(t, t+1)
			model.Functions = f
			f.Coef = columns(0, t+1)
			model.Iterates = f
			return model, nil
		}
		precondition(image, r)
		before := cmp.Or(rho, 1)
		rho = floats.Dot(numbers(r), numbers(image))
		floats.AddScaledTo(numbers(p), numbers(image), rho/before, numbers(p)) // p is 0 at first
		apply(image, p)
		step := rho / floats.Dot(numbers(p), numbers(image))
		floats.AddScaled(numbers(x), step, numbers(p))
		floats.AddScaled(numbers(r), -step, numbers(image))
	}
}

// orthonormal is Q in [Z; √t·I] = QR for Z (n×r) and t > 0, q1 beside Z and q2 below:
// (ZᵀZ + tI)⁻¹ = q2q2ᵀ/t, and by Woodbury's identity (ZZᵀ + tI)⁻¹ = (I − q1q1ᵀ)/t. Rounding is
// that of numbers of size 1/t; a factor of ZᵀZ would multiply it by the condition.
func orthonormal(z mat.Matrix, t float64) (q1, q2 *mat.Dense) {
	n, r := z.Dims()
	q := mat.NewDense(n+r, r, nil)
	q.Copy(z)
	for i := range r {
		q.Set(n+i, i, math.Sqrt(t))
	}
	linalg.Orthonormalise(q)
	return linalg.Rows(q, 0, n), linalg.Rows(q, n, n+r)
}

// orthonormalCost is that of orthonormal, with Z.
func orthonormalCost(n, r float64) cost.Cost {
	return cost.Cost{Flops: 4 * (n + r) * r * r}.Plus(cost.Numbers((2*n + r) * r))
}

// outer is QQᵀ/t, or (I − QQᵀ)/t: 4nr flops a column for Q n×r.
func outer(q *mat.Dense, t float64, complement bool) linear {
	return func(dst, src *mat.Dense) {
		var inner mat.Dense
		inner.Mul(q.T(), src)
		dst.Mul(q, &inner)
		if complement {
			dst.Sub(src, dst)
		}
		dst.Scale(1/t, dst)
	}
}
