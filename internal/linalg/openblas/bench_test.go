package openblas

import (
	"fmt"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
)

// backend is one side of a comparison.
type backend struct {
	name    string
	threads int // 0 for gonum
}

// backends are gonum and the library on 1 and 2 threads.
var backends = []backend{{"gonum", 0}, {"library/threads=1", 1}, {"library/threads=2", 2}}

func (k backend) blas(b *testing.B, l *Library) blas.Float64 {
	if k.threads == 0 {
		return reference
	}
	threads(b, l, k.threads)
	return l.BLAS()
}

func normal(seed uint64, n int) []float64 {
	rng, x := newRand(seed), make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func gflops(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkDgemm(b *testing.B) {
	l := library(b)
	for _, n := range []int{256, 2048} {
		x, y, c := normal(1, n*n), normal(2, n*n), make([]float64, n*n)
		for _, k := range backends {
			b.Run(fmt.Sprintf("backend=%s/n=%d", k.name, n), func(b *testing.B) {
				impl := k.blas(b, l)
				for b.Loop() {
					impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, c, n)
				}
				gflops(b, 2*float64(n)*float64(n)*float64(n))
			})
		}
	}
}

// BenchmarkOverhead is a product of 1×1 matrices.
func BenchmarkOverhead(b *testing.B) {
	l := library(b)
	threads(b, l, 1)
	x := []float64{1}
	for b.Loop() {
		l.gemm(blas.NoTrans, blas.NoTrans, 1, 1, 1, 1, x, 1, x, 1, 0, x, 1)
	}
}

// BenchmarkThreshold calls the library below the thresholds, too, beside
// gonum: where the two meet is where leastProduct and its like belong.
func BenchmarkThreshold(b *testing.B) {
	l := library(b)
	threads(b, l, 1)
	for _, n := range []int{6, 8, 10, 12, 16, 24} {
		x, y, c := normal(1, n*n), normal(2, n*n), make([]float64, n*n)
		b.Run(fmt.Sprintf("method=dgemm/backend=gonum/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				reference.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, c, n)
			}
		})
		b.Run(fmt.Sprintf("method=dgemm/backend=library/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				l.gemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, c, n)
			}
		})
	}
	for _, n := range []int{24, 32, 64, 80, 128} {
		a, x, y := normal(1, n*n), normal(2, n), make([]float64, n)
		for _, k := range []backend{{"gonum", 0}, {"library", 1}} {
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

// BenchmarkConcurrent is 16 products from 1, 2 or 4 goroutines.
func BenchmarkConcurrent(b *testing.B) {
	l := library(b)
	const n, products = 512, 16
	x, y := normal(1, n*n), normal(2, n*n)
	for _, k := range backends[1:] {
		for _, callers := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("backend=%s/callers=%d", k.name, callers), func(b *testing.B) {
				impl := k.blas(b, l)
				for b.Loop() {
					var group sync.WaitGroup
					for range callers {
						group.Go(func() {
							c := make([]float64, n*n)
							for range products / callers {
								impl.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, c, n)
							}
						})
					}
					group.Wait()
				}
				gflops(b, 2*n*n*n*products)
			})
		}
	}
}

// BenchmarkEigen is the whole symmetric eigenproblem by Dsyev and SymEigen, and
// its top by SymEigenTop, of a Gram matrix.
func BenchmarkEigen(b *testing.B) {
	l := library(b)
	const n = 1000
	x, gram := normal(1, n*n), make([]float64, n*n)
	l.BLAS().Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, x, n, x, n, 0, gram, n)
	a, w, work := make([]float64, n*n), make([]float64, n), make([]float64, 40*n)
	for _, k := range backends {
		b.Run(fmt.Sprintf("method=dsyev/backend=%s/n=%d", k.name, n), func(b *testing.B) {
			solve := lapackReference.Dsyev
			if k.threads > 0 {
				threads(b, l, k.threads)
				solve = l.LAPACK().Dsyev
			}
			for b.Loop() {
				copy(a, gram)
				solve(lapack.EVCompute, blas.Upper, n, a, n, w, work, len(work))
			}
		})
	}
	for _, k := range backends[1:] {
		for _, top := range []int{10, 100, 500, n} {
			b.Run(fmt.Sprintf("method=top%d/backend=%s/n=%d", top, k.name, n), func(b *testing.B) {
				threads(b, l, k.threads)
				for b.Loop() {
					copy(a, gram)
					if _, _, err := l.SymEigenTop(a, n, n, top); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkFactor is Cholesky and QR.
func BenchmarkFactor(b *testing.B) {
	l := library(b)
	const n = 1000
	x, gram := normal(1, n*n), make([]float64, n*n)
	l.BLAS().Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, x, n, x, n, 0, gram, n)
	a, tau, work, piv := make([]float64, n*n), make([]float64, n), make([]float64, 40*n), make([]int, n)
	for _, k := range backends {
		var p lapack.Float64 = lapackReference
		if k.threads > 0 {
			p = l.LAPACK()
		}
		for name, f := range map[string]func(){
			"dpotrf": func() { p.Dpotrf(blas.Upper, n, a, n) },
			"dpstrf": func() { p.Dpstrf(blas.Upper, n, a, n, piv, -1, work) },
			"dgeqrf": func() { p.Dgeqrf(n, n, a, n, tau, work, len(work)) },
		} {
			b.Run(fmt.Sprintf("method=%s/backend=%s/n=%d", name, k.name, n), func(b *testing.B) {
				if k.threads > 0 {
					threads(b, l, k.threads)
				}
				for b.Loop() {
					copy(a, gram)
					f()
				}
			})
		}
	}
}
