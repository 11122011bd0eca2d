package linalg

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// The first j columns of A lie in the span of the first j of Q, which are
// orthonormal: of a matrix of full rank, of rank 2, of zeros, of one whose
// columns shrink by 1e-3 each, where normal equations fail.
func TestOrthonormalise(t *testing.T) {
	rank2, graded := mat.NewDense(50, 7, nil), normalDense(newRand(3), 50, 7)
	rank2.Mul(normalDense(newRand(1), 50, 2), normalDense(newRand(2), 2, 7))
	graded.Apply(func(_, j int, v float64) float64 { return v * math.Pow(1e-3, float64(j)) }, graded)
	wide := mat.NewDense(40, 20, nil)
	view := wide.Slice(3, 33, 5, 12).(*mat.Dense)
	view.Copy(normalDense(newRand(4), 30, 7))
	for name, a := range map[string]*mat.Dense{
		"full rank": normalDense(newRand(5), 300, 150), "square": normalDense(newRand(6), 9, 9),
		"rank 2": rank2, "zero": mat.NewDense(6, 3, nil), "graded": graded, "a view": view,
	} {
		t.Run(name, func(t *testing.T) {
			n, k := a.Dims()
			q := mat.DenseCopyOf(a)
			if a == view {
				q = view
				a = mat.DenseCopyOf(view)
			}
			Orthonormalise(q)
			gram := Gram(blas.Trans, q)
			for i := range k {
				for j := i; j < k; j++ {
					want := 0.0
					if i == j {
						want = 1
					}
					if off := math.Abs(gram.At(i, j) - want); !(off <= 1e-14) {
						t.Fatalf("columns %d and %d: inner product off by %g", i, j, off)
					}
				}
			}
			for j := range k {
				lead := q.Slice(0, n, 0, j+1)
				var part, rest mat.VecDense
				part.MulVec(lead.T(), a.ColView(j))
				rest.MulVec(lead, &part)
				rest.SubVec(a.ColView(j), &rest)
				if !(mat.Norm(&rest, 2) <= 1e-13*mat.Norm(a.ColView(j), 2)) {
					t.Errorf("column %d leaves %g of %g", j, mat.Norm(&rest, 2), mat.Norm(a.ColView(j), 2))
				}
			}
		})
	}
	if wide.At(2, 6) != 0 || wide.At(33, 6) != 0 || wide.At(10, 4) != 0 || wide.At(10, 12) != 0 {
		t.Error("written outside the view")
	}
}

func TestOrthonormalisePanicsOnWideMatrices(t *testing.T) {
	defer func() {
		if v := fmt.Sprint(recover()); v != "linalg: Orthonormalise: 4 columns of length 3" {
			t.Errorf("panic %s", v)
		}
	}()
	Orthonormalise(mat.NewDense(3, 4, nil))
}
