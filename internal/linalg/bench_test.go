package linalg

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Each operation is timed beside gonum's own routine (by=gonum), so that
// benchstat -col /by gives the ratio of one run:
//
//	go test ./internal/linalg -run '^$' -bench . -count 6 | benchstat -col /by -

func timed(b *testing.B, name string, flops float64, f func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			f()
		}
		b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
}

// BenchmarkSymmetric is a symmetric matrix times a block of vectors, beside the
// product by one call (by=symm), both on the machine's best back end.
func BenchmarkSymmetric(b *testing.B) {
	if _, err := Use(); err != nil {
		b.Fatal(err)
	}
	defer UseGonum()
	for _, n := range []int{500, 1000, 4000} {
		a := withSpectrum(newRand(1), n, func(i int) float64 { return 1 / float64(i+1) })
		for _, columns := range []int{16, 64} {
			x, y := normalDense(newRand(2), n, columns), mat.NewDense(n, columns, nil)
			name := fmt.Sprintf("op=symmetric/n=%d/columns=%d", n, columns)
			flops := 2 * float64(n) * float64(n) * float64(columns)
			op := Symmetric(a)
			timed(b, name+"/by=mercer", flops, func() { op.Apply(y, x) })
			timed(b, name+"/by=symm", flops, func() {
				blas64.Symm(blas.Left, 1, a.RawSymmetric(), x.RawMatrix(), 0, y.RawMatrix())
			})
		}
	}
}

func BenchmarkPivotedCholesky(b *testing.B) {
	for _, n := range []int{256, 1024, 2048} {
		a := withSpectrum(newRand(1), n, func(i int) float64 { return 1 / float64(i+1) })
		name, flops := fmt.Sprintf("op=pivoted-cholesky/n=%d", n), math.Pow(float64(n), 3)/3
		timed(b, name+"/by=mercer", flops, func() {
			if _, err := FactorPivoted(a, -1); err != nil {
				b.Fatal(err)
			}
		})
		timed(b, name+"/by=gonum", flops, func() { lapackPivoted(a, -1) })
	}
}

// BenchmarkTop compares with gonum's full decomposition only at n = 1000,
// where that takes seconds; the flops are those of the applications of A.
func BenchmarkTop(b *testing.B) {
	for _, s := range spectra[:3] {
		for _, n := range []int{1000, 4000} {
			a := withSpectrum(newRand(1), n, s.f)
			for _, ell := range []int{10, 64} {
				b.Run(fmt.Sprintf("op=top/spectrum=%s/n=%d/ell=%d/by=mercer", s.name, n, ell), func(b *testing.B) {
					var r TopResult
					for b.Loop() {
						var err error
						if r, err = Top(Symmetric(a), ell, DefaultTopOptions(ell)); err != nil || !r.Converged {
							b.Fatalf("converged %v, error %v", r.Converged, err)
						}
					}
					b.ReportMetric(float64(r.Iterations), "applications")
				})
			}
			if n > 1000 {
				continue
			}
			b.Run(fmt.Sprintf("op=top/spectrum=%s/n=%d/ell=64/by=gonum", s.name, n), func(b *testing.B) {
				for b.Loop() {
					var e mat.EigenSym
					e.Factorize(a, true)
				}
			})
		}
	}
}
