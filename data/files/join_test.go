package files

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestJoin(t *testing.T) {
	a := WithLabels(DensePool{mat.NewDense(2, 2, []float64{1, 2, 3, 4})}, []int{7, 5})
	b := WithLabels(DensePool{mat.NewDense(3, 2, []float64{5, 6, 7, 8, 9, 10})}, []int{9, 7, 9})
	j := Join(a, b)
	if got := fmt.Sprint(j.Len(), j.Dim(), j.Names(), j.Classes); got != "5 2 [7 5 9 7 9] [5 7 9]" {
		t.Error(got)
	}
	var x mat.Dense
	j.X.Rows([]int{4, 0, 3, 0}, &x)
	if want := mat.NewDense(4, 2, []float64{9, 10, 1, 2, 7, 8, 1, 2}); !mat.Equal(&x, want) {
		t.Errorf("rows %v", mat.Formatted(&x))
	}
	if got := Join(a, Table{}); got.Len() != 2 {
		t.Errorf("%d points after joining nothing", got.Len())
	}
	a.Labels = nil
	if j := Join(a, b); j.Labels != nil {
		t.Errorf("labels %v of points of which some have none", j.Labels)
	}
}
