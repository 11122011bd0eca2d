package cost

import "testing"

// TestSums: arrays beside each other add up, of those after each other the larger
// count; flops add up in both.
func TestSums(t *testing.T) {
	a, b := Cost{Flops: 3, Bytes: 10}, Cost{Flops: 4, Bytes: 7}
	if got, want := a.Plus(b), (Cost{Flops: 7, Bytes: 17}); got != want {
		t.Errorf("beside: %+v, want %+v", got, want)
	}
	if got, want := a.Then(b), (Cost{Flops: 7, Bytes: 10}); got != want || b.Then(a) != want {
		t.Errorf("after: %+v and %+v, want %+v", got, b.Then(a), want)
	}
}

func TestBlocks(t *testing.T) {
	if got := Numbers(12).Bytes; got != 96 {
		t.Errorf("12 numbers take %g bytes", got)
	}
	for _, n := range []float64{1, 100, 511, 512, 5000, 1e6} {
		half, whole := 4*n*n, 8*n*n
		if got := Symmetric(n).Bytes; got < half || got > whole || !wholeSquares() && n == 1e6 && got > 1.01*half {
			t.Errorf("a symmetric matrix of order %g takes %g bytes, its triangle %g", n, got, half)
		}
	}
	gram, values := Gram(100, 7), Values(100*100/2, 7)
	if gram.Flops < values.Flops || gram.Flops > 2*values.Flops || gram.Bytes != Symmetric(100).Bytes {
		t.Errorf("Gram matrix %+v, its triangle's values %+v", gram, values)
	}
}
