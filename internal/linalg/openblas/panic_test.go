package openblas

import (
	"mercer/internal/linalg/blastest"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// TestPanics is [blastest.Panics] for the other routines.
func TestPanics(t *testing.T) {
	l := library(t)
	const n = 150
	a, x := make([]float64, n*n), make([]float64, n)
	short := make([]float64, n*n-1)
	work, piv := make([]float64, 100*n), make([]int, n)
	for what, f := range map[string]func(b blas.Float64, p lapack.Float64){
		"Dgemv inc":      func(b blas.Float64, _ lapack.Float64) { b.Dgemv('N', n, n, 1, a, n, x, 0, 0, x, 1) },
		"Dgemv short x":  func(b blas.Float64, _ lapack.Float64) { b.Dgemv('N', n, n, 1, a, n, x, 2, 0, x, 1) },
		"Dgemv short y":  func(b blas.Float64, _ lapack.Float64) { b.Dgemv('T', n, n, 1, a, n, x, 1, 0, x[1:], 1) },
		"Dsymv short a":  func(b blas.Float64, _ lapack.Float64) { b.Dsymv('U', n, 1, short, n, x, 1, 0, x, 1) },
		"Dger short y":   func(b blas.Float64, _ lapack.Float64) { b.Dger(n, n, 1, x, 1, x[1:], 1, a, n) },
		"Dpotrf short a": func(_ blas.Float64, p lapack.Float64) { p.Dpotrf('U', n, short, n) },
		"Dpstrf piv":     func(_ blas.Float64, p lapack.Float64) { p.Dpstrf('U', n, a, n, piv[1:], -1, work) },
		"Dpstrf work":    func(_ blas.Float64, p lapack.Float64) { p.Dpstrf('U', n, a, n, piv, -1, work[:2*n-1]) },
		"Dsyev job":      func(_ blas.Float64, p lapack.Float64) { p.Dsyev('X', 'U', n, a, n, x, work, len(work)) },
		"Dsyev short w":  func(_ blas.Float64, p lapack.Float64) { p.Dsyev('V', 'U', n, a, n, x[1:], work, len(work)) },
		"Dsyev lwork":    func(_ blas.Float64, p lapack.Float64) { p.Dsyev('V', 'U', n, a, n, x, work, 3*n-2) },
		"Dgeqrf tau":     func(_ blas.Float64, p lapack.Float64) { p.Dgeqrf(n, n, a, n, x[1:], work, len(work)) },
		"Dgeqrf work":    func(_ blas.Float64, p lapack.Float64) { p.Dgeqrf(n, n, a, n, x, work[:n], n+1) },
		"Dorgqr k":       func(_ blas.Float64, p lapack.Float64) { p.Dorgqr(n, n, n+1, a, n, work[:n+1], work, len(work)) },
		"Dorgqr short a": func(_ blas.Float64, p lapack.Float64) { p.Dorgqr(n, n, n, short, n, x, work, len(work)) },
		"Dgesvd job": func(_ blas.Float64, p lapack.Float64) {
			p.Dgesvd('O', 'A', n, n, a, n, x, a, n, a, n, work, len(work))
		},
		"Dgesvd ldu": func(_ blas.Float64, p lapack.Float64) {
			p.Dgesvd('A', 'A', n, n, a, n, x, a, n-1, a, n, work, len(work))
		},
		"Dgesvd short u": func(_ blas.Float64, p lapack.Float64) {
			p.Dgesvd('S', 'S', n, n, a, n, x, short, n, a, n, work, len(work))
		},
		"Dgesvd short s": func(_ blas.Float64, p lapack.Float64) {
			p.Dgesvd('N', 'N', n, n, a, n, x[1:], nil, 1, nil, 1, work, len(work))
		},
	} {
		want := blastest.PanicOf(func() { f(reference, lapackReference) })
		if want == "" {
			t.Errorf("%s: gonum does not panic: the case tests nothing", what)
		}
		if got := blastest.PanicOf(func() { f(l.BLAS(), l.LAPACK()) }); got != want {
			t.Errorf("%s: panics with %q, want %q", what, got, want)
		}
	}
}

// TestNoAllocation: calls must not burden the collector, once frames are warm.
func TestNoAllocation(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random")
	}
	impl := library(t).BLAS()
	const n = 20
	a, c := make([]float64, n*n), make([]float64, n*n)
	allocated := testing.AllocsPerRun(1000, func() {
		impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
	})
	if allocated != 0 {
		t.Errorf("%g allocations a call", allocated)
	}
}
