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
	a, b, constant, err := standardize(t.Context(), train, test)
	if err != nil || constant != 1 {
		t.Fatal(constant, err)
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
		got, _, _, err := standardize(t.Context(), train, files.Table{})
		if c.fails != (err != nil && strings.Contains(err.Error(), `column "b" has numbers so large that its variance overflows`)) {
			t.Errorf("%g and %g: %v", c.low, c.high, err)
		}
		if !c.fails && got.Dense().At(1, 1) != 1 {
			t.Errorf("%g becomes %g", c.high, got.Dense().At(1, 1))
		}
	}
}

// TestStandardizeSmall: a column that is constant but for a last digit becomes 0 and is named,
// though the rounding of its mean is larger; one whose differences are small is scaled, and one
// whose variance underflows is an error with its name.
func TestStandardizeSmall(t *testing.T) {
	const n = 60
	for _, c := range []struct {
		name      string
		low, high float64
		constant  bool
		fails     bool
	}{
		{"constant", 0.1, 0.1, true, false},
		{"rounding", 0.3, 0.1 + 0.2 - 0.1 + 0.1, true, false},
		{"the last digit", 0.1, math.Nextafter(0.1, 1), true, false},
		{"small differences", 1, 1 + 1e-12, false, false},
		{"small numbers", -1e-140, 1e-140, false, false},
		{"underflow", -1e-200, 1e-200, false, true},
		{"underflow of some", 0, 1e-160, false, true},
		{"zero", 0, 0, true, false},
	} {
		x := mat.NewDense(n, 1, nil)
		for i := range n {
			x.Set(i, 0, []float64{c.low, c.high}[i%2])
		}
		got, _, constant, err := standardize(t.Context(), files.Table{X: files.DensePool{X: x}, Columns: []string{"b"}}, files.Table{})
		if c.fails != (err != nil && strings.Contains(err.Error(), `column "b" has differences so small that its variance underflows`)) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			continue
		}
		want := -1.0
		if c.constant {
			want = 0
		}
		if first := got.Dense().At(0, 0); math.Abs(first-want) > 1e-2 || c.constant != (constant == 1) { // 1e-12 beside 1 has 4 digits, and the mean of 60 loses one
			t.Errorf("%s: %g becomes %g, want %g; constant %d", c.name, c.low, first, want, constant)
		}
	}
}
