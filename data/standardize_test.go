package data

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// TestStandardize: three columns by hand, one of them constant; the test part is
// scaled as the training part is.
func TestStandardize(t *testing.T) {
	train := files.Table{X: files.DensePool{X: mat.NewDense(4, 3, []float64{1, 7.1, 10, 3, 7.1, 20, 5, 7.1, 10, 7, 7.1, 20})}}
	test := files.Table{X: files.DensePool{X: mat.NewDense(1, 3, []float64{4, 8, 25})}}
	a, b, err := standardize(t.Context(), train, test)
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt(5)
	want := mat.NewDense(4, 3, []float64{-3 / root, 0, -1, -1 / root, 0, 1, 1 / root, 0, -1, 3 / root, 0, 1})
	if !mat.EqualApprox(a.Dense(), want, 1e-15) {
		t.Errorf("train %v", mat.Formatted(a.Dense()))
	}
	if want := mat.NewDense(1, 3, []float64{0, 0, 2}); !mat.EqualApprox(b.Dense(), want, 1e-15) {
		t.Errorf("test %v", mat.Formatted(b.Dense()))
	}
	if train.Dense().At(0, 0) != 1 {
		t.Error("the points themselves were written to")
	}
}
