package methods

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// orthonormalise replaces a (p×ℓ, p ≥ ℓ) by the factor Q of its decomposition QR
// with a positive diagonal of R: column j of Q depends on columns 1 … j of a
// only. Through the Cholesky factor of aᵀa, 2pℓ² flops, once for a nearly
// orthonormal matrix and twice for others; by Householder reflections where that
// would lose digits, or the rank is below ℓ.
func orthonormalise(a *mat.Dense) {
	for range 2 {
		l, smallest := choleskyOf(linalg.Gram(blas.Trans, a))
		if smallest < leastPivot {
			householder(a)
			return
		}
		linalg.SolveRight(a, l)
		if smallest > nearlyOrthonormal {
			return
		}
	}
}

const (
	// leastPivot is the smallest ratio of the factor's diagonal that Cholesky's
	// factor is used at: rounding ε is multiplied by up to its inverse square,
	// and a second pass mends what 1e-10 is off.
	leastPivot = 1e-3
	// nearlyOrthonormal is the ratio from which one pass is enough.
	nearlyOrthonormal = 0.5
)

// choleskyOf is the lower factor of the symmetric matrix s, which it overwrites,
// with the ratio of its smallest and largest diagonal entries; 0 if s is not
// positive definite.
func choleskyOf(s *mat.SymDense) (l *mat.TriDense, smallest float64) {
	n := s.SymmetricDim()
	raw := s.RawSymmetric()
	factor, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: raw.Stride, Data: raw.Data})
	if !ok {
		return nil, 0
	}
	l = mat.NewTriDense(n, mat.Lower, nil)
	low, high := factor.Data[0], factor.Data[0]
	for i := range n {
		for j := i; j < n; j++ {
			l.SetTri(j, i, factor.Data[i*factor.Stride+j])
		}
		low, high = min(low, l.At(i, i)), max(high, l.At(i, i))
	}
	return l, low / high
}

// householder is orthonormalise by Householder reflections.
func householder(a *mat.Dense) {
	raw := a.RawMatrix()
	tau := make([]float64, raw.Cols)
	size := make([]float64, 1)
	lapack64.Geqrf(raw, tau, size, -1)
	work := make([]float64, int(size[0]))
	lapack64.Geqrf(raw, tau, work, len(work))
	negative := make([]bool, raw.Cols)
	for j := range negative {
		negative[j] = a.At(j, j) < 0
	}
	lapack64.Orgqr(raw, tau, size, -1)
	work = make([]float64, int(size[0]))
	lapack64.Orgqr(raw, tau, work, len(work))
	scaleColumns(a, func(j int) float64 {
		if negative[j] {
			return -1
		}
		return 1
	})
}

// normalColumns is a p×ℓ matrix of standard normal numbers, drawn column by
// column: the first columns do not depend on ℓ.
func normalColumns(p, ell int, rng *rand.Rand) *mat.Dense {
	a := mat.NewDense(p, ell, nil)
	for j := range ell {
		for i := range p {
			a.Set(i, j, rng.NormFloat64())
		}
	}
	return a
}
