package kernel

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// midpoints are the K atoms.
func midpoints(atoms int) *mat.Dense {
	x := mat.NewDense(atoms, 1, nil)
	for j := range atoms {
		x.Set(j, 0, (float64(j)+0.5)/float64(atoms))
	}
	return x
}

// TestGridSeries compares kernel values on and beside the grid with those of the
// same series without one, to some roundings of κ, for the kernel and its square.
func TestGridSeries(t *testing.T) {
	for _, atoms := range []int{2, 7, 64, 501} {
		lambda := make([]float64, atoms-1)
		for i := range lambda {
			lambda[i] = math.Pow(float64(i+1), -1.5)
		}
		grid, err := NewGridSeries(lambda, atoms)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := NewFiniteSeries(lambda)
		if err != nil {
			t.Fatal(err)
		}
		x := midpoints(atoms)
		beside := mat.NewDense(5, 1, []float64{0, 0.3, 1, 0.77777, 1.0 / 3})
		for _, points := range []*mat.Dense{x, beside} {
			for r := 1; r <= 2; r++ {
				want := Cross(plain.Iterated(r), x, points)
				for _, got := range []mat.Matrix{Cross(grid.Iterated(r), x, points), Cross(grid.Iterated(r), points, x).T()} {
					var off mat.Dense
					off.Sub(got, want)
					if worst := mat.Max(&off) - mat.Min(&off); worst > 1e-13*plain.Bound() {
						t.Errorf("%d atoms, power %d: off by %.1e", atoms, r, worst)
					}
				}
			}
		}
		for r := 1; r <= 2; r++ {
			k, more := grid.Iterated(r), mat.NewDense(2, 1, []float64{0.3, 1 + 0.5/float64(atoms)})
			all, wide := mat.NewDense(atoms+2, 1, nil), mat.NewDense(atoms+1, 1, nil)
			all.Stack(x, more)
			wide.Stack(x, more.Slice(1, 2, 0, 1)) // beyond [0,1], where nothing is looked up
			for _, points := range []*mat.Dense{x, wide} {
				values := Cross(k, all, points)
				for i := range atoms + 2 {
					for j := range points.RawMatrix().Rows {
						if want := k.At(all.RawRowView(i), points.RawRowView(j)); values.At(i, j) != want {
							t.Fatalf("%d atoms, power %d: k(%d, %d) is %v in a block and %v alone", atoms, r, i, j, values.At(i, j), want)
						}
					}
				}
			}
		}
		gram := Gram(grid, x)
		if d := math.Abs(gram.At(0, atoms-1) - plain.At(x.RawRowView(0), x.RawRowView(atoms-1))); d > 1e-13*plain.Bound() {
			t.Errorf("%d atoms: the Gram matrix is off by %.1e", atoms, d)
		}
		f := grid.Eigenfunctions(x, atoms-1)
		var off mat.Dense
		off.Sub(grid.Eigenfunctions(x, 3*atoms), plain.Eigenfunctions(x, 3*atoms)) // by i roundings of x
		if worst := mat.Norm(&off, math.Inf(1)) / float64(3*atoms); worst > 1e-15*float64(3*atoms) {
			t.Errorf("%d atoms: eigenfunctions are off by %.1e on average", atoms, worst)
		}
		var inner mat.Dense
		inner.Mul(f.T(), f)
		for i := range atoms - 1 {
			for j := range atoms - 1 {
				want := 0.0
				if i == j {
					want = 1
				}
				if v := inner.At(i, j) / float64(atoms); math.Abs(v-want) > 1e-12 {
					t.Fatalf("%d atoms: eigenfunctions %d and %d have the inner product %v", atoms, i+1, j+1, v)
				}
			}
			if mean := mat.Sum(f.ColView(i)) / float64(atoms); math.Abs(mean) > 1e-13 {
				t.Fatalf("%d atoms: eigenfunction %d has the mean %v", atoms, i+1, mean)
			}
		}
	}
	if _, err := NewGridSeries([]float64{1, 0.5, 0.2}, 3); err == nil || !strings.Contains(err.Error(), "at most 2 functions") {
		t.Errorf("three eigenvalues on three atoms: %v", err)
	}
}
