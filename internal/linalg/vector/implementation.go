package vector

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's BLAS with the level-3 operations for float64 on
// this package's micro-kernels:
//
//	blas64.Use(vector.Implementation{})
//
// Arguments are checked as gonum does and with its messages. What is not
// overridden is gonum's.
type Implementation struct{ gonum.Implementation }

// String names the implementation, for records and reports.
func (Implementation) String() string { return "mercer vector, " + Instructions() }

// Dgemm is
//
//	C = alpha·op(A)·op(B) + beta·C
//
// for an m×n matrix C, op(A) m×k and op(B) k×n, op being the transpose for
// blas.Trans and blas.ConjTrans. C must not overlap A or B. With beta = 0 what
// C held is ignored, NaN included; with alpha = 0 A and B are. Otherwise Inf
// and NaN propagate, zeros in A or B notwithstanding.
//
// An element of the result depends on its row of op(A), its column of op(B),
// alpha, beta and its old value alone: not on its place, on the other rows and
// columns, on strides and transposes, or on the number of goroutines. So a
// product computed in blocks of rows or columns has the bits of the whole.
//
// Cost: 2·m·n·k flops on as many goroutines as threads.For allows, less where
// rows of A that stand together are zero at the same places, as in images, and
// pooled memory of about 3 MB a call and 0.4 MB a goroutine. It panics as gonum's.
func (impl Implementation) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	rowsA, colsA, rowsB, colsB := m, k, k, n
	if tA != blas.NoTrans {
		rowsA, colsA = k, m
	}
	if tB != blas.NoTrans {
		rowsB, colsB = n, k
	}
	if !transpose(tA) || !transpose(tB) || m <= 0 || n <= 0 || k < 0 ||
		!fits(a, rowsA, colsA, lda) || !fits(b, rowsB, colsB, ldb) || !fits(c, m, n, ldc) {
		impl.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	p := product{
		m: m, n: n, k: k, alpha: alpha, beta: beta,
		a: operand(tA, a, lda), b: operand(tB, b, ldb), c: matrix{c, ldc, 1},
	}
	p.run()
}

// Dsyrk is C = alpha·A·Aᵀ + beta·C or C = alpha·Aᵀ·A + beta·C on one triangle
// of C; the other one is neither read nor written. An element of an upper triangle has
// the bits that Dgemm gives it; a lower one is gonum's.
//
// Cost: n²·k flops and those of the tiles that the diagonal crosses; memory is that of
// Dgemm.
func (impl Implementation) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	rows, columns := n, k
	if t != blas.NoTrans {
		rows, columns = k, n
	}
	if ul != blas.Upper || !transpose(t) || n <= 0 || k < 0 || !fits(a, rows, columns, lda) || !fits(c, n, n, ldc) {
		impl.Implementation.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	op := operand(t, a, lda)
	p := product{
		m: n, n: n, k: k, alpha: alpha, beta: beta,
		a: op, b: op.transposed(), c: matrix{c, ldc, 1},
		upper: true,
	}
	p.run()
}

// valid says that a triangle and a transpose are legal.
func valid(ul blas.Uplo, t blas.Transpose) bool {
	return (ul == blas.Upper || ul == blas.Lower) && transpose(t)
}

func transpose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

// fits says that a rows×columns matrix is in data. Where it is not, or where
// there is nothing to do, the call goes to gonum, which panics with its message
// or returns.
func fits(data []float64, rows, columns, stride int) bool {
	return stride >= max(1, columns) && len(data) >= (rows-1)*stride+columns
}
