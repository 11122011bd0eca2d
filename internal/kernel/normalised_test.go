package kernel

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestNormaliseOfNorm0: a point of norm 0 in the kernel's space has value 0 with all others
// and itself, and every other point exactly 1 with itself.
func TestNormaliseOfNorm0(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0, 3, 4, -0.3, 1e-9})
	gram := Gram(Normalised{Polynomial{Degree: 3, Gamma: 1}}, x)
	for i := range 3 {
		if want := min(float64(i), 1); gram.At(i, i) != want || gram.At(0, i) != 0 {
			t.Errorf("row %d: k(x,x) = %v, want %v; with the zero point %v", i, gram.At(i, i), want, gram.At(0, i))
		}
	}
}
