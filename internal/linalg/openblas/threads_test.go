package openblas

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// work is one call of each kind on fixed data; it returns all results.
// misaligned shifts every array by so many elements.
func work(l *Library, misaligned int) []float64 {
	const m, n, k = 130, 210, 170
	rng := newRand(51)
	array := func(r, c int) []float64 {
		x := make([]float64, misaligned+r*c)[misaligned:]
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	impl, solver := l.BLAS(), l.LAPACK()
	a, b, c := array(m, k), array(k, n), array(m, n)
	impl.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, b, n, 0.5, c, n)
	g := array(n, n)
	impl.Dsyrk(blas.Upper, blas.Trans, n, k, 1, b, n, 0, g, n)
	eigen := slices.Clone(g)
	for i := range n {
		g[i*n+i] += n
	}
	solver.Dpotrf(blas.Upper, n, g, n)
	y := array(1, m)
	impl.Dgemv(blas.NoTrans, m, k, 1, a, k, b, 1, 0, y, 1)
	values := make([]float64, n)
	l.SymEigen(n, eigen, n, values)
	return slices.Concat(c, g, y, values, eigen)
}

// TestDeterminism repeats work alone and from many goroutines at once: all must give the same
// bits.
func TestDeterminism(t *testing.T) {
	l := library(t)
	want := work(l, 0)
	for i := range 6 {
		identical(t, fmt.Sprintf("repetition %d", i), work(l, 0), want)
	}
	results := make([][]float64, 3*runtime.NumCPU())
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() {
			for range 2 {
				results[i] = work(l, 0)
			}
		})
	}
	group.Wait()
	for i, got := range results {
		identical(t, fmt.Sprintf("concurrent caller %d of %d", i, len(results)), got, want)
	}
}

// TestAlignment: arrays of Go, other than tiny ones, start at any multiple of
// 16 bytes, which must not show in results. Views that start at odd elements
// may show: OpenBLAS's routines for processors before AVX2 load pairs.
func TestAlignment(t *testing.T) {
	l := library(t)
	want := work(l, 0)
	for shift := 2; shift < 8; shift += 2 {
		identical(t, fmt.Sprintf("%d elements off", shift), work(l, shift), want)
	}
	if !slices.Equal(work(l, 1), want) {
		t.Logf("%s: results depend on the alignment to 16 bytes", l)
	}
}

// TestManyCallers has far more goroutines call than the library has buffers
// for.
func TestManyCallers(t *testing.T) {
	l := library(t)
	impl := l.BLAS()
	var group sync.WaitGroup
	for i := range 500 {
		group.Go(func() {
			const n = 24
			a, c := make([]float64, n*n), make([]float64, n*n)
			for j := range a {
				a[j] = float64(i)
			}
			for range 50 {
				impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
			}
			for j, v := range c {
				if v != float64(n*i*i) {
					t.Errorf("caller %d: element %d is %g, want %d", i, j, v, n*i*i)
					return
				}
			}
		})
	}
	group.Wait()
}
