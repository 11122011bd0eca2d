package data

import (
	"math"
	"strings"
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

// TestStandardizeOverflow: a column whose mean, or only its variance, is beyond float64 is an
// error with its name; the largest that is not keeps deviation 1.
func TestStandardizeOverflow(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		fails     bool
	}{{-1e308, 1e308, true}, {1.5e308, 1.6e308, true}, {-1e155, 1e155, true}, {-1e153, 1e153, false}} {
		train := files.Table{X: files.DensePool{X: mat.NewDense(2, 2, []float64{1, c.low, 2, c.high})}, Columns: []string{"a", "b"}}
		got, _, err := standardize(t.Context(), train, files.Table{})
		if c.fails != (err != nil && strings.Contains(err.Error(), `column "b" has numbers so large that its variance overflows`)) {
			t.Errorf("%g and %g: %v", c.low, c.high, err)
		}
		if !c.fails && got.Dense().At(1, 1) != 1 {
			t.Errorf("%g becomes %g", c.high, got.Dense().At(1, 1))
		}
	}
}
