package linalg

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"
)

// largeBytes is the size from which a matrix is worth huge pages.
const largeBytes = 16 << 20

// NewLarge is an r×c matrix of zeros. Where the system can, a large one is backed
// by huge pages: touching its memory for the first time then costs a tenth.
func NewLarge(r, c int) *mat.Dense {
	data := make([]float64, r*c)
	if 8*len(data) >= largeBytes {
		hugePages(data)
	}
	return mat.NewDense(r, c, data)
}

// NewLargeSingle is NewLarge in single precision.
func NewLargeSingle(r, c int) blas32.General {
	data := make([]float32, r*c)
	if 4*len(data) >= largeBytes {
		hugePages(data)
	}
	return blas32.General{Rows: r, Cols: c, Stride: c, Data: data}
}
