package linalg

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// SelectRows is a copy of the rows of the given indices, in that order. It panics
// without indices.
func SelectRows(a *mat.Dense, indices []int) *mat.Dense {
	_, c := a.Dims()
	selected := mat.NewDense(len(indices), c, nil)
	for i, index := range indices {
		selected.SetRow(i, a.RawRowView(index))
	}
	return selected
}

// Rows is the view of the rows from … to−1.
func Rows(a *mat.Dense, from, to int) *mat.Dense {
	_, c := a.Dims()
	return a.Slice(from, to, 0, c).(*mat.Dense)
}

// SubtractRow takes a row off each.
func SubtractRow(a *mat.Dense, row []float64) {
	n, _ := a.Dims()
	for i := range n {
		floats.Sub(a.RawRowView(i), row)
	}
}
