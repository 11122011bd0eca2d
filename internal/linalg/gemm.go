package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Gemm is C = alpha·op(A)·op(B) + beta·C, op chosen by tA and tB, C m×n, inner
// dimension k. Empty operands are allowed. C must not overlap A or B.
//
// Cost: 2mnk flops. Bit-identical at every GOMAXPROCS. Gemm panics if the
// shapes do not match.
func Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, k := opDims(tA, a)
	kb, n := opDims(tB, b)
	if m != c.Rows || n != c.Cols || k != kb {
		panic(mat.ErrShape)
	}
	gemm(tA, tB, alpha, a, b, beta, c)
}

func opDims(t blas.Transpose, a blas64.General) (r, c int) {
	if t == blas.NoTrans {
		return a.Rows, a.Cols
	}
	return a.Cols, a.Rows
}

// gemm is Gemm without checks; gonum refuses empty operands.
func gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, k := opDims(tA, a)
	switch {
	case m == 0 || c.Cols == 0:
	case k == 0:
		scaleRows(beta, c)
	default:
		blas64.Gemm(tA, tB, alpha, a, b, beta, c)
	}
}

func scaleRows(beta float64, c blas64.General) {
	for i := range c.Rows {
		switch beta {
		case 0:
			clear(rowOf(c, i))
		case 1:
		default:
			blas64.Scal(beta, vectorOf(rowOf(c, i)))
		}
	}
}
