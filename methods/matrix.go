package methods

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// leading is a copy of the first count columns.
func leading(a *mat.Dense, count int) *mat.Dense {
	n, _ := a.Dims()
	return mat.DenseCopyOf(a.Slice(0, n, 0, count))
}

// product is a·b.
func product(a, b *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	_, c := b.Dims()
	p := mat.NewDense(n, c, nil)
	linalg.Gemm(blas.NoTrans, blas.NoTrans, 1, a.RawMatrix(), b.RawMatrix(), 0, p.RawMatrix())
	return p
}

// centreColumns subtracts from each column its mean.
func centreColumns(a *mat.Dense) {
	linalg.SubtractRow(a, weights(nil).means(a))
}

// centreRows subtracts from each row its mean.
func centreRows(a *mat.Dense) {
	n, c := a.Dims()
	for i := range n {
		row := a.RawRowView(i)
		floats.AddConst(-floats.Sum(row)/float64(c), row)
	}
}

func scaleColumns(a *mat.Dense, factor func(i int) float64) {
	n, c := a.Dims()
	for i := range c {
		f := factor(i)
		for j := range n {
			a.Set(j, i, f*a.At(j, i))
		}
	}
}
