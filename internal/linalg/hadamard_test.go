package linalg

import (
	"fmt"
	"math/bits"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// walsh is H_ij = (−1)^popcount(i∧j).
func walsh(n int) *mat.Dense {
	h := mat.NewDense(n, n, nil)
	h.Apply(func(i, j int, _ float64) float64 { return 1 - 2*float64(bits.OnesCount(uint(i&j))%2) }, h)
	return h
}

// Sums of n numbers in another order: 1e-14·n for normal ones.
func TestHadamardIsItsMatrix(t *testing.T) {
	for n := 1; n <= 1024; n *= 2 {
		x := mat.Col(nil, 0, normalDense(newRand(uint64(n)), n, 1))
		want := mat.NewVecDense(n, nil)
		want.MulVec(walsh(n), mat.NewVecDense(n, append([]float64(nil), x...)))
		Hadamard(x)
		if !floats.EqualApprox(x, want.RawVector().Data, 1e-14*float64(n)) {
			t.Errorf("n = %d: differs from the matrix", n)
		}
	}
	// Sylvester's construction, by Kronecker products.
	h := mat.NewDense(1, 1, []float64{1})
	for range 5 {
		var next mat.Dense
		next.Kronecker(mat.NewDense(2, 2, []float64{1, 1, 1, -1}), h)
		h = &next
	}
	if !mat.Equal(h, walsh(32)) {
		t.Error("the matrix of popcounts is not Sylvester's")
	}
	for d, want := range map[int]int{1: 1, 2: 2, 3: 4, 5: 8, 64: 64, 784: 1024} {
		if p := NextPowerOfTwo(d); p != want {
			t.Errorf("the power of two after %d is %d, want %d", d, p, want)
		}
	}
}

// BenchmarkHadamard is in ns an element.
func BenchmarkHadamard(b *testing.B) {
	for _, n := range []int{4, 16, 64, 1024, 16384} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x := make([]float64, n)
			for b.Loop() {
				Hadamard(x)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*n), "ns/elem")
		})
	}
}
