package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// syrkBlock is the height of a block row of C. The diagonal blocks are
	// computed whole, so the flops are (1 + syrkBlock/n) times those of an
	// ideal SYRK.
	syrkBlock = 128
	// syrkPanel is how many rows of A are transposed at a time for AᵀA: the
	// dot-product form A·Bᵀ of gonum's Dgemm is 1.4 times as fast as AᵀB.
	syrkPanel = 512
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
// Cost: n²k flops (1 + 128/n), all in Gemm. NaN and Inf propagate as in Gemm.
// SyrkUpper panics if the shapes do not match.
func SyrkUpper(t blas.Transpose, alpha float64, a *mat.Dense, c *mat.SymDense) {
	s := c.RawSymmetric()
	out := blas64.General{Rows: s.N, Cols: s.N, Stride: s.Stride, Data: s.Data}
	in := a.RawMatrix()
	if t == blas.NoTrans {
		if in.Rows != s.N {
			panic(mat.ErrShape)
		}
		syrkRows(alpha, in, out)
		return
	}
	if in.Cols != s.N {
		panic(mat.ErrShape)
	}
	syrkColumns(alpha, in, out)
}

// syrkRows is upper(C) += alpha·A·Aᵀ: one Gemm for the part of each block row
// right of its diagonal block, and one into a scratch block for the latter.
func syrkRows(alpha float64, a, c blas64.General) {
	n, k := a.Rows, a.Cols
	scratch := newGeneral(min(n, syrkBlock), min(n, syrkBlock))
	for i := 0; i < n; i += syrkBlock {
		b := min(syrkBlock, n-i)
		rows := general(a, i, 0, b, k)
		diagonal := general(scratch, 0, 0, b, b)
		gemm(blas.NoTrans, blas.Trans, alpha, rows, rows, 0, diagonal)
		for p := range b {
			dst := c.Data[(i+p)*c.Stride+i+p : (i+p)*c.Stride+i+b]
			for q, v := range rowOf(diagonal, p)[p:] {
				dst[q] += v
			}
		}
		rest := n - i - b
		gemm(blas.NoTrans, blas.Trans, alpha, rows, general(a, i+b, 0, rest, k), 1, general(c, i, i+b, b, rest))
	}
}

// syrkColumns is upper(C) += alpha·Aᵀ·A, a panel of rows of A at a time.
func syrkColumns(alpha float64, a, c blas64.General) {
	k, n := a.Rows, a.Cols
	scratch := make([]float64, n*min(k, syrkPanel))
	for i := 0; i < k; i += syrkPanel {
		b := min(syrkPanel, k-i)
		panel := blas64.General{Rows: n, Cols: b, Stride: b, Data: scratch[:n*b]}
		transposeInto(panel, general(a, i, 0, b, n))
		syrkRows(alpha, panel, c)
	}
}
