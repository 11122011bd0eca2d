package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestWeights holds weighted matrices to the plain ones of points that are repeated:
// the same eigenvalues, centred or not.
func TestWeights(t *testing.T) {
	weights := []float64{3, 1, 4, 2}
	factor := mat.NewDense(4, 3, []float64{1, 0.2, -3, 0.4, 5, 0.6, -0.7, 0.8, 0.9, 2, -1, 1})
	repeated := mat.NewDense(10, 3, nil)
	row := 0
	for i, w := range weights {
		for range int(w) {
			repeated.SetRow(row, factor.RawRowView(i))
			row++
		}
	}
	gram := func(f *mat.Dense) *mat.SymDense {
		n, _ := f.Dims()
		g := mat.NewSymDense(n, nil)
		g.SymOuterK(1, f)
		return g
	}
	few, many := gram(factor), gram(repeated)
	for _, centred := range []bool{false, true} {
		if centred {
			few = gram(factor)
			CentreSymBy(few, weights)
			CentreSym(many)
		}
		WeighSym(few, weights)
		got, _, err := EigenSym(few)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := EigenSym(many)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			v := 0.0
			if i < len(got) {
				v = got[i]
			}
			if math.Abs(v-want[i]) > 1e-13*want[0] {
				t.Errorf("centred %v: eigenvalue %d is %v, want %v", centred, i+1, v, want[i])
			}
		}
	}
}
