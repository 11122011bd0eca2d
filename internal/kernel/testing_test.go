package kernel

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func normalPoints(rng *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
	return x
}

func uniformPoints(rng *rand.Rand, n int) *mat.Dense {
	x := mat.NewDense(n, 1, nil)
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	return x
}

// must is for constructors whose arguments the test knows to be right.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// mustPanic fails unless f panics.
func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
