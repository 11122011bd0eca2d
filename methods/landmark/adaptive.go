package landmark

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// adaptive picks m points by the m leading eigenvectors V of K: one after another with
// probability proportional to ‖v_i‖², after each of which V is projected off its row, so
// that S is drawn with probability det(V_S)². Then
//
//	E[tr(K − K_{:S}K_SS⁻¹K_{S:})] ≤ (m+1)·Σ_{i>m} λ_i,
//
// and derandomised, each point the one of least conditional expectation, so for certain.
// Where the numerical rank of K is below m, that many points are picked.
//
// Cost: beside the eigenproblem nm² flops, derandomised 4n²m and 8n² bytes.
//
// Reference: Cortinovis & Kressner 2024 (Adaptive randomized pivoting for column subset
// selection, DEIM, and low-rank approximation), for a root of K; derandomised Osinsky
// 2023. Deviation: the points of the projection are drawn by randomly pivoted Cholesky,
// which has the same law.
func (p *problem) adaptive() (Set, error) {
	values, vectors, err := p.spectrum(p.ctx)
	if err != nil {
		return Set{}, err
	}
	k := min(p.m, numericalRank(values))
	basis := mat.DenseCopyOf(vectors.Slice(0, p.n, 0, k))
	if !p.Derandomized {
		return p.drawProjection(basis)
	}
	rest := mat.NewDense(p.n, max(1, p.n-k), nil) // a root of K − VΛVᵀ
	for i := range p.n {
		for j := k; j < p.n; j++ {
			rest.Set(i, j-k, vectors.At(i, j)*math.Sqrt(values[j]))
		}
	}
	if err := p.ctx.Err(); err != nil {
		return Set{}, err
	}
	return p.short(Set{Indices: leastExpected(basis, rest)}, noHigherRank), nil
}

// leastExpected picks as many rows as V (basis, n×k, overwritten) has columns. For R
// (rest, overwritten) with RᵀV = 0 and S drawn with probability det(V_S)²,
// E‖(R_S)ᵀV_S⁻ᵀ‖_F² = k‖R‖_F². Given the first point i it is (k−1)‖R‖_F² +
// k‖r_i‖²/‖v_i‖²: row i is eliminated from V and R, and what is left is the same problem
// with k−1 columns.
func leastExpected(basis, rest *mat.Dense) []int {
	n, k := basis.Dims()
	var chosen []int
	done := make([]bool, n)
	for range k {
		best, least, length := -1, 0.0, 0.0
		for i := range n {
			v, r := basis.RawRowView(i), rest.RawRowView(i)
			square := floats.Dot(v, v)
			if done[i] || square <= linalg.DefaultPivotTolerance(n) {
				continue
			}
			ratio := floats.Dot(r, r) / square
			if best < 0 || ratio < least || ratio == least && square > length {
				best, least, length = i, ratio, square
			}
		}
		if best < 0 {
			break
		}
		chosen, done[best] = append(chosen, best), true
		eliminatePoint(basis, rest, best, length)
	}
	return chosen
}

// eliminatePoint takes u_j/‖v_i‖ times row i off every row j of V and R, u = Vv_i/‖v_i‖
// and ‖v_i‖² = square.
func eliminatePoint(basis, rest *mat.Dense, i int, square float64) {
	v, r := mat.VecDenseCopyOf(basis.RowView(i)), mat.VecDenseCopyOf(rest.RowView(i))
	var shares mat.VecDense
	shares.MulVec(basis, v)
	blas64.Ger(-1/square, shares.RawVector(), v.RawVector(), basis.RawMatrix())
	blas64.Ger(-1/square, shares.RawVector(), r.RawVector(), rest.RawMatrix())
}
