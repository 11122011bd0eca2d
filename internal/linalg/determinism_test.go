package linalg

import (
	"math"
	"runtime"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// everything runs each routine on fixed data and returns all bits of the
// results.
func everything() []uint64 {
	var bits []uint64
	add := func(a mat.Matrix) {
		r, c := a.Dims()
		for i := range r {
			for j := range c {
				bits = append(bits, math.Float64bits(a.At(i, j)))
			}
		}
	}
	b := normalDense(newRand(1), 420, 300)
	g := Gram(blas.Trans, b)
	add(g)
	k := gaussianGram(newRand(2), 420, 2, 0.2)
	f, err := FactorPivoted(k, 1e-8)
	if err != nil {
		panic(err)
	}
	add(f.Factor)
	x := normalDense(newRand(3), 70, f.Rank)
	SolveRight(x, f.L)
	add(x)
	_, v, err := EigenSym(g)
	if err != nil {
		panic(err)
	}
	add(v)
	top, err := Top(Centred(Symmetric(k)), 20, iterative(20))
	if err != nil {
		panic(err)
	}
	add(top.Vectors)
	return bits
}

// TestBitIdentical demands equal bits from every GOMAXPROCS and from
// concurrent callers.
func TestBitIdentical(t *testing.T) {
	want := everything()
	same := func(what string, got []uint64) {
		if len(got) != len(want) {
			t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
			return
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: number %d of %d differs", what, i, len(want))
				return
			}
		}
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		same("GOMAXPROCS", everything())
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { same("concurrent caller", everything()) })
	}
	wg.Wait()
}
