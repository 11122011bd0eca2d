package data

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
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

// second is FᵀF/N for a pivoted factor F (N×r) of a matrix of the points, FᵀPF under
// masses.
func (p *empiricalPopulation) second(factor linalg.PivotedCholesky) *mat.SymDense {
	f := factor.Factor
	if p.masses != nil {
		f = scaledRows(f, linalg.Roots(p.masses), factor.Piv)
	}
	second := linalg.Gram(blas.Trans, f)
	second.ScaleSym(1/p.divisor(), second)
	return second
}

// squares returns the eigenvalues of second, falling, none below 0, and with vectors
// (FV)∘(FV), N×r, V the eigenvectors.
func (p *empiricalPopulation) squares(factor linalg.PivotedCholesky, vectors bool) ([]float64, *mat.Dense, error) {
	values, v, err := linalg.EigenSym(p.second(factor))
	if err != nil {
		return nil, nil, fmt.Errorf("spectrum of the population: %w", err)
	}
	for i, value := range values {
		values[i] = max(value, 0)
	}
	if !vectors {
		return values, nil, nil
	}
	var squared mat.Dense
	squared.Mul(factor.Factor, v)
	squared.MulElem(&squared, &squared)
	return values, &squared, nil
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
	values, _, err := p.squares(factor, false)
	return values, err
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

// leverages are what C says of the N points: with unit eigenfunctions v_a of
// eigenvalue μ_a, ⟨k(·,z), (C+tI)⁻¹k(·,z)⟩ = Σ_a v_a(z)²/(μ_a+t).
type leverages struct {
	mu      []float64  // r, falling
	squared *mat.Dense // N×r, v_a(z_i)², the points in any order
}

// allLeverages costs N²r flops for a pivoted factorisation of the kernel matrix of
// numerical rank r, about 10r³ more, and 8·N·r bytes.
func (p *empiricalPopulation) allLeverages() (leverages, error) {
	factor, err := p.pivoted()
	if err != nil {
		return leverages{}, err
	}
	mu, squared, err := p.squares(factor, true)
	return leverages{mu, squared}, err
}

// MaxLeverage is N·max_i [K(K+NtI)⁻¹]_ii over the N points, but for
// rounding of N·2^−52·κ/t; N·r flops after the first use.
func (p *empiricalPopulation) MaxLeverage(t float64) (float64, error) {
	l, err := p.leverages()
	if err != nil {
		return 0, err
	}
	if err := checkLevel(t); err != nil {
		return 0, err
	}
	n, _ := l.squared.Dims()
	largest := 0.0
	for i := range n {
		sum := 0.0
		for a, v := range l.squared.RawRowView(i) {
			sum += v / (l.mu[a] + t)
		}
		largest = max(largest, sum)
	}
	return largest, nil
}

func (p *empiricalPopulation) UncentredEigenvalues(count int) ([]float64, error) {
	l, err := p.leverages()
	if err != nil {
		return nil, err
	}
	values := make([]float64, count)
	copy(values, l.mu)
	return values, nil
}

// UncentredSum of the first power is the mean of the k(z,z), N kernel values.
func (p *empiricalPopulation) UncentredSum(power int) (float64, error) {
	if power == 1 {
		return p.scale(), nil
	}
	l, err := p.leverages()
	sum := 0.0
	for i := len(l.mu) - 1; i >= 0; i-- {
		sum += math.Pow(l.mu[i], float64(power))
	}
	return sum, err
}
