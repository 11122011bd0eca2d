package openblas

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"

	"mercer/internal/linalg/blastest"
)

// backend is one side of a comparison.
type backend struct {
	name string
	ours bool // it is the library
}

func (k backend) blas(b *testing.B, l *Library) blas.Float64 {
	if !k.ours {
		return blastest.Reference
	}
	return l.BLAS()
}

func normal(seed uint64, n int) []float64 {
	rng, x := newRand(seed), make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// BenchmarkThreshold calls the library around the thresholds, beside gonum: where
// the two meet is where leastProduct and its like belong.
func BenchmarkThreshold(b *testing.B) {
	l := library(b)
	for _, n := range []int{6, 8, 10, 12, 16, 24} {
		x, y, c := normal(1, n*n), normal(2, n*n), make([]float64, n*n)
		for _, k := range []backend{{"gonum", false}, {"library", true}} {
			impl := k.blas(b, l)
			b.Run(fmt.Sprintf("method=dgemm/backend=%s/n=%d", k.name, n), func(b *testing.B) {
				for b.Loop() {
					impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, c, n)
				}
			})
		}
	}
	for _, n := range []int{24, 32, 64, 80, 128} {
		a, x, y := normal(1, n*n), normal(2, n), make([]float64, n)
		for _, k := range []backend{{"gonum", false}, {"library", true}} {
			impl := k.blas(b, l)
			b.Run(fmt.Sprintf("method=dgemv/backend=%s/n=%d", k.name, n), func(b *testing.B) {
				for b.Loop() {
					impl.Dgemv(blas.NoTrans, n, n, 1, a, n, x, 1, 0, y, 1)
				}
			})
			b.Run(fmt.Sprintf("method=dsymv/backend=%s/n=%d", k.name, n), func(b *testing.B) {
				for b.Loop() {
					impl.Dsymv(blas.Upper, n, 1, a, n, x, 1, 0, y, 1)
				}
			})
		}
	}
}
