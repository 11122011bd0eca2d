package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Orthonormalise overwrites the columns of a (n×k, k ≤ n) with orthonormal ones
// whose first j span those of a, for every j: the thin Q of A = QR by
// Householder reflections. Columns that depend on those before give arbitrary
// directions; all are orthonormal to rounding whatever the rank of A.
//
// Cost: 4nk² − 4k³/3 flops, 64k numbers of memory. NaN and Inf give NaN. It
// panics if k > n.
func Orthonormalise(a *mat.Dense) {
	n, k := a.Dims()
	if k > n {
		panic(fmt.Sprintf("linalg: Orthonormalise: %d columns of length %d", k, n))
	}
	raw, tau := a.RawMatrix(), make([]float64, k)
	work := make([]float64, 64*k)
	lapack64.Geqrf(raw, tau, work, len(work))
	lapack64.Orgqr(raw, tau, work, len(work))
}
