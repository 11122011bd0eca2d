package data

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// Population is a distribution P together with a kernel whose covariance
// operator Σ (centred) is known, so that errors against it are computed, not
// estimated. It is safe for concurrent use. Methods fail where they would need
// more eigenpairs than the population was opened with (see Draw).
type Population interface {
	// String names the population in reports.
	String() string
	// Tail is Σ_{i>ell} λ_i^power, for power 1 or 2: Tail(1, 0) = tr Σ,
	// Tail(1, ℓ) is the floor of R^ℓ, Tail(2, ℓ) that of T^ℓ.
	Tail(power, ell int) (float64, error)
	// Eigenvalues are λ_1 … λ_count of Σ; 0 past its rank.
	Eigenvalues(count int) ([]float64, error)
	// Kappa is κ, the supremum of k(x,x) over the support of P.
	Kappa() float64
	// EffectiveDimension is N_Σ(t) = tr Σ(Σ+tI)⁻¹, for t > 0.
	EffectiveDimension(t float64) (float64, error)
	// UncentredEigenvalues are the first eigenvalues of C = E k(·,X)⊗k(·,X),
	// falling; 0 past its rank.
	UncentredEigenvalues(count int) ([]float64, error)
	// UncentredSum is the sum of all eigenvalues of C to a power of 1, 2 or 3.
	UncentredSum(power int) (float64, error)
	// Moments are the operators of P between functions f_1 … f_ℓ, and between
	// them and the first `eigen` eigenfunctions. ErrUndefined where this
	// population has no exact form for such functions.
	Moments(f kernel.Functions, eigen int) (Moments, error)
	// Uncentred is the uncentred covariance operator C.
	Uncentred() (Uncentred, error)
}

// ErrUndefined says that a population knows no exact moments of functions of
// this kind.
var ErrUndefined = errors.New("not defined on this population")

// Moments of functions f_1 … f_ℓ under a population, with f centred by its
// mean: L is the centred integral operator, e_i its L²-normalised
// eigenfunctions.
type Moments struct {
	Mean  []float64     // E f_i(X)
	Cov   *mat.SymDense // S_ij = Cov(f_i(X), f_j(X)) = ⟨f_i, Σf_j⟩ for f in H; ℓ×ℓ
	Tau   []float64     // ⟨f_i, L f_i⟩ in L²(P) = ⟨f_i, Σ²f_i⟩ for f in H
	Eigen *mat.Dense    // C_ij = ⟨e_i, f_j⟩ in L²(P); eigen×ℓ, nil for eigen = 0

	image func() *mat.SymDense
	rest  func(ell int) *mat.SymDense
}

// Rest is ⟨(I−P)f_i, (I−P)f_j⟩ in L²(P), ℓ×ℓ, P the projection onto the first ell of the
// eigenfunctions of Eigen. What P leaves is found before squares are taken, so that the rest of a
// function that lies in their span but for a share of 1e-16 is right to two digits or so, where
// Cov − EigenᵀEigen has none. Of series of infinite rank, and of Fourier features under a
// Gaussian population, it is that difference; their errors are far above its rounding.
//
// Reference: Björck & Golub 1973, who find small angles by sines.
func (m Moments) Rest(ell int) *mat.SymDense { return m.rest(ell) }

// Image is ⟨L f_i, L f_j⟩ in L²(P), ℓ×ℓ. It is computed at each call, from what
// the other moments were computed from.
func (m Moments) Image() *mat.SymDense { return m.image() }

// checkLevel refuses a level t of regularisation that is not positive.
func checkLevel(t float64) error {
	if t > 0 && !math.IsInf(t, 1) {
		return nil
	}
	return fmt.Errorf("level t = %v: must be positive and finite", t)
}

func undefined(f kernel.Functions, population Population) error {
	return fmt.Errorf("functions of kind %T: %w: %s", f, ErrUndefined, population)
}

// besides is cov − CᵀC for the first ell rows C of eigen.
func besides(cov *mat.SymDense, eigen *mat.Dense, ell int) *mat.SymDense {
	_, l := eigen.Dims()
	known := eigen.Slice(0, ell, 0, l)
	rest := linalg.SymmetricProduct(known, known)
	rest.ScaleSym(-1, rest)
	rest.AddSym(cov, rest)
	return rest
}

// columnProducts returns Σ_j a_ji·b_ji for each column i.
func columnProducts(a, b *mat.Dense) []float64 {
	n, l := a.Dims()
	sums := make([]float64, l)
	for j := range n {
		ra, rb := a.RawRowView(j), b.RawRowView(j)
		for i := range sums {
			sums[i] += ra[i] * rb[i]
		}
	}
	return sums
}

// Uncentred is the uncentred covariance operator C = E k(·,X)⊗k(·,X) of a
// population, seen from p orthonormal functions u_1 … u_p of H that carry it.
type Uncentred struct {
	Sigma *mat.SymDense // p×p, ⟨u_i, C u_j⟩
	// Rest bounds C on the complement of the u_j: for series and Gaussian, where
	// the u_j are eigenfunctions, ‖C − Σ_ij Sigma_ij u_i⊗u_j‖_op itself. There
	// Rest³ ≤ 1e-16·‖C‖³; elsewhere it is rounding of kernel values.
	Rest float64

	coordinates func(x *mat.Dense) *mat.Dense
}

// Coordinates are ⟨u_j, k(·,x_i)⟩ for the rows of x (n×D), n×p.
func (u Uncentred) Coordinates(x *mat.Dense) *mat.Dense { return u.coordinates(x) }
