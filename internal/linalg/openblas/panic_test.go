package openblas

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"mercer/internal/linalg/blastest"
)

// TestPanics makes one argument at a time bad and expects gonum's panic with gonum's words.
func TestPanics(t *testing.T) {
	l := library(t)
	const n = 150
	a, x := make([]float64, n*n), make([]float64, n)
	short := make([]float64, n*n-1)
	blastest.CompareProductPanics(t, l.BLAS())
	for what, f := range map[string]func(b blas.Float64, p lapack.Float64){
		"Dgemv inc":      func(b blas.Float64, _ lapack.Float64) { b.Dgemv('N', n, n, 1, a, n, x, 0, 0, x, 1) },
		"Dgemv short x":  func(b blas.Float64, _ lapack.Float64) { b.Dgemv('N', n, n, 1, a, n, x, 2, 0, x, 1) },
		"Dgemv short y":  func(b blas.Float64, _ lapack.Float64) { b.Dgemv('T', n, n, 1, a, n, x, 1, 0, x[1:], 1) },
		"Dsymv short a":  func(b blas.Float64, _ lapack.Float64) { b.Dsymv('U', n, 1, short, n, x, 1, 0, x, 1) },
		"Dger short y":   func(b blas.Float64, _ lapack.Float64) { b.Dger(n, n, 1, x, 1, x[1:], 1, a, n) },
		"Dpotrf short a": func(_ blas.Float64, p lapack.Float64) { p.Dpotrf('U', n, short, n) },
	} {
		blastest.SamePanic(t, what, func() { f(l.BLAS(), l.LAPACK()) }, func() { f(blastest.Reference, lapackReference) })
	}
}
