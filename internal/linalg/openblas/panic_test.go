package openblas

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// panicOf is what f panics with, "" if it does not.
func panicOf(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// TestPanics makes one argument at a time bad and expects gonum's panic with gonum's words.
func TestPanics(t *testing.T) {
	l := library(t)
	const n = 150
	a, x := make([]float64, n*n), make([]float64, n)
	short := make([]float64, n*n-1)
	huge := math.MaxInt32
	huge++ // on 64 bits
	for what, f := range map[string]func(b blas.Float64, p lapack.Float64){
		"Dgemm transpose": func(b blas.Float64, _ lapack.Float64) { b.Dgemm('X', 'N', n, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm m":         func(b blas.Float64, _ lapack.Float64) { b.Dgemm('N', 'N', -1, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm huge":      func(b blas.Float64, _ lapack.Float64) { b.Dgemm('N', 'N', huge, n, n, 1, a, n, a, n, 0, a, n) },
		"Dgemm lda":       func(b blas.Float64, _ lapack.Float64) { b.Dgemm('N', 'N', n, n, n, 1, a, n-1, a, n, 0, a, n) },
		"Dgemm huge lda":  func(b blas.Float64, _ lapack.Float64) { b.Dgemm('N', 'N', n, n, n, 1, a, huge, a, n, 0, a, n) },
		"Dgemm short a":   func(b blas.Float64, _ lapack.Float64) { b.Dgemm('T', 'N', n, n, n, 1, short, n, a, n, 0, a, n) },
		"Dgemm short b":   func(b blas.Float64, _ lapack.Float64) { b.Dgemm('N', 'T', n, n, n, 1, a, n, short, n, 0, a, n) },
		"Dgemm short c":   func(b blas.Float64, _ lapack.Float64) { b.Dgemm('N', 'N', n, n, n, 1, a, n, a, n, 0, short, n) },
		"Dsyrk uplo":      func(b blas.Float64, _ lapack.Float64) { b.Dsyrk('X', 'N', n, n, 1, a, n, 0, a, n) },
		"Dsyrk k":         func(b blas.Float64, _ lapack.Float64) { b.Dsyrk('U', 'N', n, -1, 1, a, n, 0, a, n) },
		"Dsyrk short a":   func(b blas.Float64, _ lapack.Float64) { b.Dsyrk('U', 'T', n, n, 1, short, n, 0, a, n) },
		"Dsyrk short c":   func(b blas.Float64, _ lapack.Float64) { b.Dsyrk('U', 'N', n, n, 1, a, n, 0, short, n) },
		"Dgemv inc":       func(b blas.Float64, _ lapack.Float64) { b.Dgemv('N', n, n, 1, a, n, x, 0, 0, x, 1) },
		"Dgemv short x":   func(b blas.Float64, _ lapack.Float64) { b.Dgemv('N', n, n, 1, a, n, x, 2, 0, x, 1) },
		"Dgemv short y":   func(b blas.Float64, _ lapack.Float64) { b.Dgemv('T', n, n, 1, a, n, x, 1, 0, x[1:], 1) },
		"Dsymv short a":   func(b blas.Float64, _ lapack.Float64) { b.Dsymv('U', n, 1, short, n, x, 1, 0, x, 1) },
		"Dger short y":    func(b blas.Float64, _ lapack.Float64) { b.Dger(n, n, 1, x, 1, x[1:], 1, a, n) },
		"Dpotrf short a":  func(_ blas.Float64, p lapack.Float64) { p.Dpotrf('U', n, short, n) },
	} {
		want := panicOf(func() { f(reference, lapackReference) })
		if want == "" {
			t.Errorf("%s: gonum does not panic: the case tests nothing", what)
		}
		if got := panicOf(func() { f(l.BLAS(), l.LAPACK()) }); got != want {
			t.Errorf("%s: panics with %q, want %q", what, got, want)
		}
	}
}
