package data

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// negligible bounds what is left out of C³, relative to its norm. Errors of
// estimates of C³ that matter are above 1e-4 of it.
const negligible = 1e-16

// uncentred is C with eigenvalues lambda, falling, and eigenfunctions u_j =
// √λ_j e_j, given e_1 … e_p.
func uncentred(lambda []float64, rest float64, eigenfunctions func(x *mat.Dense) *mat.Dense) Uncentred {
	sigma := mat.NewSymDense(len(lambda), nil)
	for i, v := range lambda {
		sigma.SetSym(i, i, v)
	}
	return Uncentred{Sigma: sigma, Rest: rest, coordinates: func(x *mat.Dense) *mat.Dense {
		u := eigenfunctions(x)
		u.Apply(func(_, j int, v float64) float64 { return math.Sqrt(lambda[j]) * v }, u)
		return u
	}}
}

// significant is the least p with λ_{p+1}³ ≤ negligible·λ_1³: 465 for a decay of
// i^−2, 22 for one of i^−4.
func significant(k *kernel.Series) int {
	count, most := 1, k.Terms()
	least := math.Cbrt(negligible) * k.Eigenvalue(1)
	for (most == 0 || count < most) && k.Eigenvalue(count+1) > least {
		count++
	}
	return count
}

// Uncentred is Σ itself: the mean embedding is 0.
func (p seriesPopulation) Uncentred() (Uncentred, error) {
	count := significant(p.kernel)
	lambda, err := p.Eigenvalues(count + 1)
	if err != nil {
		return Uncentred{}, err
	}
	return uncentred(lambda[:count], lambda[count], func(x *mat.Dense) *mat.Dense {
		return p.kernel.Eigenfunctions(x, count)
	}), nil
}

// UncentredEigenvalues are those of Σ: the mean embedding is 0.
func (p seriesPopulation) UncentredEigenvalues(count int) ([]float64, error) {
	return p.Eigenvalues(count)
}

func (p seriesPopulation) UncentredSum(power int) (float64, error) {
	return p.kernel.PowerSum(power, 0), nil
}

// UncentredEigenvalues are √(2a/A)·B^j, j = 0 … count−1.
func (p *gaussianPopulation) UncentredEigenvalues(count int) ([]float64, error) {
	total := p.a + p.b + p.c
	values := make([]float64, count)
	for j := range values {
		values[j] = math.Sqrt(2*p.a/total) * math.Pow(p.b/total, float64(j))
	}
	return values, nil
}

// UncentredSum is the geometric series (2a/A)^(power/2)/(1−B^power).
func (p *gaussianPopulation) UncentredSum(power int) (float64, error) {
	total, r := p.a+p.b+p.c, float64(power)
	return math.Pow(2*p.a/total, r/2) / -math.Expm1(r*math.Log1p(-(p.a+p.c)/total)), nil
}

// Uncentred has the eigenvalues √(2a/A)·B^j of math.md §2.2.
func (p *gaussianPopulation) Uncentred() (Uncentred, error) {
	count := 1
	least := math.Cbrt(negligible) * p.lambda[0]
	for count < len(p.lambda)-1 && p.lambda[count] > least {
		count++
	}
	return uncentred(p.lambda[:count], p.lambda[count], func(x *mat.Dense) *mat.Dense {
		all := p.eigenfunctions(x)
		n, _ := all.Dims()
		return mat.DenseCopyOf(all.Slice(0, n, 0, count))
	}), nil
}

// Uncentred is the finite sum over the N points, from a pivoted factorisation of
// their kernel matrix K_ZZ = FFᵀ: N²/2 kernel values, N²r flops and 24·N² bytes
// at first use, and r² + r·D numbers kept, r the numerical rank.
func (p *empiricalPopulation) Uncentred() (Uncentred, error) { return p.uncentred() }

func (p *empiricalPopulation) factor() (Uncentred, error) {
	factor, err := p.pivoted()
	if err != nil {
		return Uncentred{}, err
	}
	_, d := p.points.Dims()
	pivots := mat.NewDense(factor.Rank, d, nil)
	for i := range factor.Rank {
		pivots.SetRow(i, p.points.RawRowView(factor.Piv[i]))
	}
	rest := factor.Trace / p.divisor()
	if p.masses != nil {
		rest *= floats.Max(p.masses)
	}
	return Uncentred{Sigma: p.second(factor), Rest: rest, coordinates: func(x *mat.Dense) *mat.Dense {
		u := kernel.Cross(p.kernel, x, pivots)
		linalg.SolveRight(u, factor.L)
		return u
	}}, nil
}

// pivoted factors the kernel matrix of the points.
func (p *empiricalPopulation) pivoted() (linalg.PivotedCholesky, error) {
	n, _ := p.points.Dims()
	if err := CheckOperators(n); err != nil {
		return linalg.PivotedCholesky{}, err
	}
	factor, err := linalg.FactorPivoted(kernel.Gram(p.kernel, p.points), -1)
	if err != nil {
		return factor, fmt.Errorf("kernel matrix of the population: %w", err)
	}
	if factor.Rank == 0 {
		return factor, fmt.Errorf("the kernel is 0 at all points of the population: %s", p)
	}
	return factor, nil
}
