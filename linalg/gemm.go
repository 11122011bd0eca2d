package linalg

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const (
	// gemmRows × gemmColumns is the block of C that is one unit of work. The
	// grid is fixed, whatever GOMAXPROCS is, so that each element is summed
	// in the same order.
	gemmRows, gemmColumns = 32, 64
	// gemmDepth is how much of the inner dimension passes at a time:
	// gemmColumns rows (or columns) of B of that length stay in L2.
	gemmDepth = 512
	// gemmSerial is the number of multiplications below which goroutines cost
	// more than they give.
	gemmSerial = 1 << 17
)

// Gemm is C = alpha·op(A)·op(B) + beta·C, op chosen by tA and tB, C m×n, inner
// dimension k. With gonum's pure Go BLAS it runs tiles of B through Dgemv,
// whose kernel keeps values of four rows in registers where Dgemm's keeps one;
// any other BLAS gets the call as it is. Empty operands are allowed. C must not
// overlap A or B.
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

// gemm is Gemm without checks; all level-3 work of the package passes here or
// through blas64.Trsm on diagonal blocks.
func gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, k := opDims(tA, a)
	if m == 0 || c.Cols == 0 {
		return
	}
	if k == 0 {
		scaleRows(beta, c)
		return
	}
	if !pureGo() {
		blas64.Gemm(tA, tB, alpha, a, b, beta, c)
		return
	}
	across := (c.Cols + gemmColumns - 1) / gemmColumns
	blocks := across * ((m + gemmRows - 1) / gemmRows)
	inParallel(blocks, m*c.Cols*k < gemmSerial, func(i int) {
		r, s := i/across*gemmRows, i%across*gemmColumns
		rows, columns := min(gemmRows, m-r), min(gemmColumns, c.Cols-s)
		block := general(c, r, s, rows, columns)
		scaleRows(beta, block)
		for d := 0; d < k; d += gemmDepth {
			depth := min(gemmDepth, k-d)
			gemmBlock(tA, tB, alpha, a, b, block, r, s, d, depth)
		}
	})
}

// gemmBlock adds to a block of C, at (r, s) of the whole, what the inner
// indices d to d+depth give: row by row, a tile of op(B) times a row of op(A).
func gemmBlock(tA, tB blas.Transpose, alpha float64, a, b, block blas64.General, r, s, d, depth int) {
	var tile blas64.General
	t := blas.NoTrans
	if tB == blas.NoTrans {
		tile, t = general(b, d, s, depth, block.Cols), blas.Trans
	} else {
		tile = general(b, s, d, block.Cols, depth)
	}
	for i := range block.Rows {
		x := blas64.Vector{N: depth, Inc: 1}
		if tA == blas.NoTrans {
			x.Data = a.Data[(r+i)*a.Stride+d:]
		} else {
			x.Inc, x.Data = a.Stride, a.Data[d*a.Stride+r+i:]
		}
		blas64.Gemv(t, alpha, tile, x, 1, vectorOf(rowOf(block, i)))
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

// inParallel calls f(0), …, f(n−1) on up to GOMAXPROCS goroutines, or in order
// on this one if serial.
func inParallel(n int, serial bool, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if serial || workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}
