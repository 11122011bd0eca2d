package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Gram returns A·Aᵀ (r×r, t = blas.NoTrans) or Aᵀ·A (c×c, t = blas.Trans) of
// an r×c matrix. Only the upper triangle of the result is stored, as in every
// *mat.SymDense. Cost: r²c (or c²r) flops, half of the full product.
// Gram panics if a is empty.
func Gram(t blas.Transpose, a *mat.Dense) *mat.SymDense {
	r, c := a.Dims()
	n := r
	if t != blas.NoTrans {
		n = c
	}
	g := mat.NewSymDense(n, nil)
	SyrkUpper(t, 1, a, g)
	return g
}

// SyrkUpper adds alpha·A·Aᵀ (t = blas.NoTrans, A n×k) or alpha·Aᵀ·A
// (t = blas.Trans, A k×n) to the n×n symmetric matrix c. Streaming a tall
// matrix in row blocks through t = blas.Trans needs memory for one block
// only. Elements below the diagonal of c's storage are neither read nor
// written.
//
// Cost: n²k flops. NaN and Inf propagate as in Gemm.
// SyrkUpper panics if the shapes do not match.
func SyrkUpper(t blas.Transpose, alpha float64, a *mat.Dense, c *mat.SymDense) {
	s := c.RawSymmetric()
	n, _ := opDims(t, a.RawMatrix())
	if n != s.N {
		panic(mat.ErrShape)
	}
	syrk(t, alpha, a.RawMatrix(), blas64.General{Rows: n, Cols: n, Stride: s.Stride, Data: s.Data})
}

// syrk is upper(C) += alpha·op(A)·op(A)ᵀ.
func syrk(t blas.Transpose, alpha float64, a, c blas64.General) {
	if n, k := opDims(t, a); n > 0 && k > 0 {
		blas64.Syrk(t, alpha, a, 1, blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: c.Stride, Data: c.Data})
	}
}

// SymmetricProduct returns aᵀb, which is symmetric but for rounding, as the mean of it and its
// transpose.
func SymmetricProduct(a, b mat.Matrix) *mat.SymDense {
	var product mat.Dense
	product.Mul(a.T(), b)
	n, _ := product.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
	}
	return s
}
