package kernel

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestPrecomputedTakesIndices: values are those of the matrix, and points that are no index of
// it panic, such as means of points.
func TestPrecomputedTakesIndices(t *testing.T) {
	x := normalPoints(newRand(23), 40, 3)
	k := Precomputed{"of normal points", Gram(NewGaussian(0.3), x)}
	rows, columns := mat.NewDense(3, 1, []float64{39, 0, 17}), mat.NewDense(2, 1, []float64{5, 17})
	block := Cross(k, rows, columns)
	for i := range 3 {
		for j := range 2 {
			if want := k.K.At(int(rows.At(i, 0)), int(columns.At(j, 0))); block.At(i, j) != want {
				t.Errorf("entry (%d, %d) is %v, want %v", i, j, block.At(i, j), want)
			}
		}
	}
	if k.Bound() != 1 || Maps["fourier"].Check(k) == nil || CheckCoordinates(k) == nil || CheckCoordinates(Cosine{}) != nil {
		t.Errorf("bound %v, features %v, coordinates %v", k.Bound(), Maps["fourier"].Check(k), CheckCoordinates(k))
	}
	for _, point := range [][]float64{{0.5}, {-1}, {40}, {1, 2}} {
		mustPanic(t, "no index", func() { k.At(point, []float64{0}) })
	}
}
