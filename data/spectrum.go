package data

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/internal/lists"
)

// effectiveDimension is Σ λ/(λ+t), for t > 0.
func effectiveDimension(lambda []float64, t float64) (float64, error) {
	if err := checkLevel(t); err != nil {
		return 0, err
	}
	sum := 0.0
	for i := len(lambda) - 1; i >= 0; i-- {
		sum += lambda[i] / (lambda[i] + t)
	}
	return sum, nil
}

// powerSum is Σ λ^power.
func powerSum(lambda []float64, power int) float64 {
	sum := 0.0
	for i := len(lambda) - 1; i >= 0; i-- {
		sum += math.Pow(lambda[i], float64(power))
	}
	return sum
}

// second is FᵀF/N for a pivoted factor F (N×r) of a matrix of the points, FᵀPF under
// masses.
func (p *empiricalPopulation) second(factor linalg.PivotedCholesky) *mat.SymDense {
	f := factor.Factor
	if p.masses != nil {
		f = linalg.ScaledRows(f, linalg.Roots(lists.Map(factor.Piv, func(point int) float64 { return p.masses[point] })))
	}
	second := linalg.Gram(blas.Trans, f)
	second.ScaleSym(1/p.divisor(), second)
	return second
}

// valuesOf are the eigenvalues of second, falling, none below 0.
func (p *empiricalPopulation) valuesOf(factor linalg.PivotedCholesky) ([]float64, error) {
	values, _, err := linalg.EigenSym(p.second(factor))
	if err != nil {
		return nil, fmt.Errorf("spectrum of the population: %w", err)
	}
	for i, value := range values {
		values[i] = max(value, 0)
	}
	return values, nil
}

// Kappa is the largest k(z,z) of the N points.
func (p *empiricalPopulation) Kappa() float64 {
	return max(0, slices.Max(kernel.Diagonal(p.kernel, p.points)))
}

// meanNorm is tr C, the mean of the k(z,z).
func (p *empiricalPopulation) meanNorm() float64 {
	sum := 0.0
	for i, v := range kernel.Diagonal(p.kernel, p.points) {
		if p.masses != nil {
			v *= p.masses[i]
		}
		sum += v
	}
	return sum / p.divisor()
}

// wholeSpectrum are all eigenvalues of Σ but those that are rounding: N²r flops
// for a pivoted factorisation of the centred kernel matrix of numerical rank r,
// and about 10r³ more.
func (p *empiricalPopulation) wholeSpectrum() ([]float64, error) {
	if err := p.prepare(0); err != nil {
		return nil, err
	}
	n, _ := p.points.Dims()
	if p.trace[0] <= linalg.DefaultPivotTolerance(n)*p.Kappa() {
		return nil, nil // constant at all points but for rounding
	}
	factor, err := linalg.FactorPivoted(p.gram, -1)
	if err != nil {
		return nil, fmt.Errorf("centred kernel matrix of the population: %w", err)
	}
	return p.valuesOf(factor)
}

// EffectiveDimension is tr CKC(CKC+NtI)⁻¹; see wholeSpectrum for the cost at first
// use. What is left out is below N·2^−52·λ_1/t.
func (p *empiricalPopulation) EffectiveDimension(t float64) (float64, error) {
	values, err := p.spectrum()
	if err != nil {
		return 0, err
	}
	return effectiveDimension(values, t)
}

// uncentredValues are all eigenvalues of C but those that are rounding: N²r flops for a
// pivoted factorisation of the kernel matrix of numerical rank r, and about 10r³ more.
func (p *empiricalPopulation) uncentredValues() ([]float64, error) {
	factor, err := p.pivoted()
	if err != nil {
		return nil, err
	}
	return p.valuesOf(factor)
}

func (p *empiricalPopulation) UncentredEigenvalues(count int) ([]float64, error) {
	all, err := p.uncentredSpectrum()
	if err != nil {
		return nil, err
	}
	values := make([]float64, count)
	copy(values, all)
	return values, nil
}

// UncentredSum of the first power is the mean of the k(z,z), N kernel values.
func (p *empiricalPopulation) UncentredSum(power int) (float64, error) {
	if power == 1 {
		return p.scale(), nil
	}
	values, err := p.uncentredSpectrum()
	return powerSum(values, power), err
}
