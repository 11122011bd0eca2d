package openblas

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"mercer/internal/linalg/blastest"
)

// loadOnce loads what $MERCER_BLAS names or what is installed, so that
// `MERCER_BLAS=/path/to/lib go test -count=1` tests any library.
var loadOnce = sync.OnceValues(func() (*Library, error) { return Load("") })

func library(tb testing.TB) *Library {
	tb.Helper()
	l, err := loadOnce()
	if errors.Is(err, ErrDisabled) || errors.Is(err, ErrNotFound) || errors.Is(err, ErrNotSupported) {
		tb.Skipf("NOT TESTED: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 3)) }

// positive is a positive definite matrix of a rank.
func positive(rng *rand.Rand, n, rank int) blastest.Matrix {
	m, factor := blastest.New(rng, n, n), blastest.New(rng, n, rank)
	for i := range n {
		for j := range n {
			s := 0.0
			for k := range rank {
				s += factor.At(i, k) * factor.At(j, k)
			}
			m.Set(i, j, s)
		}
	}
	return m
}

// identical fails unless the arrays agree bit for bit.
func identical(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("%s: element %d of %d is %.17g, was %.17g", what, i, len(want), got[i], want[i])
			return
		}
	}
}
