package methods

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// iterate solves the equations of the coefficients of the pivots' kernel functions,
// (K_mn W K_nm + nλK_mm)β = K_mn W Y, by conjugate gradients. It holds K_nm.
//
// Reference: Rudi, Carratino & Rosasco 2017 (FALKON), Algorithm 1; Díaz, Epperly, Frangella,
// Tropp & Webber 2023 (Robust, randomized preconditioning for kernel ridge regression), §3.
// Deviation: falkon has no weights of landmarks that leverage scores drew.
func (y nystromKRR) iterate(ctx context.Context, p Sample, basis *landmarkBasis, model *Regression, rng *rand.Rand) (Model, error) {
	defer p.phase("solve")()
	t, n, r := float64(p.Sizes.N)*model.Lambda, p.n(), basis.rank()
	rows, responses := mat.NewDense(n+r, r, nil), mat.DenseCopyOf(p.Responses) // [W^(1/2)K_nm; √t·Lᵀ]
	knm := linalg.Rows(rows, 0, n)
	basis.columns.To(knm, p.X)
	linalg.Rows(rows, n, n+r).Scale(math.Sqrt(t), basis.factor.L.T())
	p.weights().roots(knm)
	p.weights().roots(responses)
	var b mat.Dense
	b.Mul(knm.T(), responses)
	f := kernel.Expansion{Kernel: p.Kernel, Points: linalg.SelectRows(basis.points, basis.factor.Piv[:r])}
	return y.pcg.regression(ctx, model, f, nil, &b, func(dst, src *mat.Dense) {
		var v mat.Dense
		v.Mul(rows, src)
		dst.Mul(rows.T(), &v)
	}, y.precondition(basis, knm, float64(p.Sizes.N), t, rng))
}

// precondition is P⁻¹ for nλ = t. With K_mm = LLᵀ on the pivots it is L⁻ᵀ(ZᵀZ + tI)⁻¹L⁻¹, where
// Z = SK_nm L⁻ᵀ, or √(n/m)·F for the factor F (m×r) of K_mm on all landmarks.
func (y nystromKRR) precondition(basis *landmarkBasis, knm *mat.Dense, n, t float64, rng *rand.Rand) linear {
	var z mat.Dense
	switch y.preconditioner {
	case "none":
		return identity
	case "falkon":
		m, _ := basis.points.Dims()
		z.Scale(math.Sqrt(n/float64(m)), basis.factor.Factor)
	case "krill":
		z = *sparseSigns(knm, 2*basis.rank(), rng)
		basis.solver.Solve(&z)
	}
	_, q := orthonormal(&z, t)
	linalg.SolveLowerTrans(basis.factor.L, q)
	return outer(q, t, false)
}

// sparsity is how many signs a column of a sparse sign sketch has.
const sparsity = 8

// sparseSigns is SA (d×r), S d×n: each column of S is the sum of ±1/√8 at eight rows that are
// drawn with replacement, so that E[SᵀS] = I. 16nr flops.
//
// Reference: Martinsson & Tropp 2020, §9.2. Deviation: they draw without replacement.
func sparseSigns(a *mat.Dense, d int, rng *rand.Rand) *mat.Dense {
	n, r := a.Dims()
	sketch := mat.NewDense(d, r, nil)
	for i := range n {
		for range sparsity {
			sign := float64(2*rng.IntN(2)-1) / math.Sqrt(sparsity)
			floats.AddScaled(sketch.RawRowView(rng.IntN(d)), sign, a.RawRowView(i))
		}
	}
	return sketch
}
