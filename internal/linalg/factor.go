package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"mercer/internal/linalg/vector"
)

// RightFactor is op(B) of many products A·op(B), made ready once where the back
// end can. B must not change. It is safe for concurrent use.
type RightFactor struct {
	trans  blas.Transpose
	b      blas64.General
	packed *vector.Packed
}

// NewRightFactor makes op(B) ready: a copy of B on this program's own kernels,
// nothing on a library.
func NewRightFactor(t blas.Transpose, b blas64.General) *RightFactor {
	f := &RightFactor{trans: t, b: b}
	if ownProducts() && b.Rows > 0 && b.Cols > 0 {
		f.packed = vector.Pack(t, b)
	}
	return f
}

// Mul is C = alpha·A·op(B) + beta·C with the bits of Gemm: 2mnk flops.
func (f *RightFactor) Mul(alpha float64, a blas64.General, beta float64, c blas64.General) {
	if f.packed != nil && a.Rows > 0 {
		f.packed.Mul(blas.NoTrans, alpha, a, beta, c)
		return
	}
	Gemm(blas.NoTrans, f.trans, alpha, a, f.b, beta, c)
}
