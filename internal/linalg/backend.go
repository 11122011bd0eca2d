package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// Backend names the BLAS that every routine of this package runs on, for
// records and reports: "gonum, pure Go" unless another implementation
// was registered by blas64.Use. A registered implementation that is a
// fmt.Stringer names itself; otherwise its Go type is the name.
func Backend() string {
	switch impl := blas64.Implementation().(type) {
	case gonum.Implementation:
		return "gonum, pure Go"
	case fmt.Stringer:
		return impl.String()
	default:
		return fmt.Sprintf("%T", impl)
	}
}

// general is a view of r rows and c columns of a row-major matrix, starting at
// (i, j). An empty view has no data, which Gemm accepts.
func general(a blas64.General, i, j, r, c int) blas64.General {
	if r == 0 || c == 0 {
		return blas64.General{Rows: r, Cols: c, Stride: max(1, c)}
	}
	return blas64.General{
		Rows: r, Cols: c, Stride: a.Stride,
		Data: a.Data[i*a.Stride+j : (i+r-1)*a.Stride+j+c],
	}
}

func newGeneral(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(1, c), Data: make([]float64, r*c)}
}

// rowOf is row i of a.
func rowOf(a blas64.General, i int) []float64 {
	return a.Data[i*a.Stride : i*a.Stride+a.Cols]
}

func vectorOf(x []float64) blas64.Vector {
	return blas64.Vector{N: len(x), Data: x, Inc: 1}
}

// transposeInto writes srcᵀ to dst in tiles that stay in cache.
func transposeInto(dst, src blas64.General) {
	const tile = 32
	for i0 := 0; i0 < src.Rows; i0 += tile {
		i1 := min(i0+tile, src.Rows)
		for j0 := 0; j0 < src.Cols; j0 += tile {
			j1 := min(j0+tile, src.Cols)
			for i := i0; i < i1; i++ {
				row := rowOf(src, i)
				for j := j0; j < j1; j++ {
					dst.Data[j*dst.Stride+i] = row[j]
				}
			}
		}
	}
}

// denseOf wraps row-major data as a *mat.Dense without copying; an empty
// matrix is the zero value, since gonum has no other.
func denseOf(a blas64.General) *mat.Dense {
	if a.Rows == 0 || a.Cols == 0 {
		return &mat.Dense{}
	}
	var d mat.Dense
	d.SetRawMatrix(a)
	return &d
}
