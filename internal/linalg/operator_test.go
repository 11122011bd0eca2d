package linalg

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSymmetricBlocks: a product whose matrix has several sums, panels and blocks,
// the last of each cut short, is A·X; it reads the upper triangle alone, within a
// wider matrix, and has the same bits at every GOMAXPROCS.
func TestSymmetricBlocks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	rng := newRand(31)
	for _, n := range []int{1, narrowRows, narrowRows + 1, wideRows + 1, symmetricColumns + wideRows, 3*symmetricShare + 77} {
		wide := normalDense(rng, n, n+3).RawMatrix()
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i {
				wide.Data[i*wide.Stride+j] = math.NaN()
			}
			for j := i; j < n; j++ {
				a.SetSym(i, j, wide.Data[i*wide.Stride+j])
			}
		}
		op := symmetric{general(wide, 0, 0, n, n)}
		x := normalDense(rng, n, symmetricVectors+2)
		var want, got mat.Dense
		want.Mul(a, x)
		got.CloneFrom(x)
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			before := slices.Clone(got.RawMatrix().Data)
			op.Apply(&got, x)
			// Two orders of summation of n products of normal numbers.
			within(t, fmt.Sprintf("n = %d on %d processors", n, procs), &got, &want, 10*eps*float64(n))
			if procs > 1 && !slices.Equal(before, got.RawMatrix().Data) {
				t.Errorf("n = %d: other bits on %d processors", n, procs)
			}
		}
	}
}
