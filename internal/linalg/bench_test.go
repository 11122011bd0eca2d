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

func BenchmarkGemm(b *testing.B) {
	for _, n := range []int{256, 1024} {
		x, y := normalDense(newRand(1), n, n), normalDense(newRand(2), n, n)
		z := mat.NewDense(n, n, nil)
		timed(b, fmt.Sprintf("op=gemm/n=%d", n), 2*math.Pow(float64(n), 3), func() {
			gemm(blas.NoTrans, blas.Trans, 1, x.RawMatrix(), y.RawMatrix(), 0, z.RawMatrix())
		})
	}
}

func BenchmarkSyrk(b *testing.B) {
	for _, n := range []int{256, 1024} {
		a, c := normalDense(newRand(1), n, n), mat.NewSymDense(n, nil)
		flops := math.Pow(float64(n), 3)
		for _, t := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			name := fmt.Sprintf("op=syrk/trans=%c/n=%d", t, n)
			timed(b, name+"/by=mercer", flops, func() { SyrkUpper(t, 1e-9, a, c) })
			timed(b, name+"/by=gonum", flops, func() {
				blas64.Syrk(t, 1e-9, a.RawMatrix(), 1, c.RawSymmetric())
			})
		}
	}
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

func BenchmarkTriangularSolve(b *testing.B) {
	for _, n := range []int{256, 1024} {
		l, rhs := wellConditionedLower(n, 1), normalDense(newRand(2), n, n)
		x := mat.NewDense(n, n, nil)
		flops := math.Pow(float64(n), 3)
		cases := []struct {
			op   string
			ours func()
			side blas.Side
			t    blas.Transpose
		}{
			{"solve-lower-trans", func() { SolveLowerTrans(l, x) }, blas.Left, blas.Trans},
			{"solve-right", func() { SolveRight(x, l) }, blas.Right, blas.Trans},
		}
		for _, c := range cases {
			name := fmt.Sprintf("op=%s/n=%d", c.op, n)
			timed(b, name+"/by=mercer", flops, func() { x.Copy(rhs); c.ours() })
			timed(b, name+"/by=gonum", flops, func() {
				x.Copy(rhs)
				blas64.Trsm(c.side, c.t, 1, l.RawTriangular(), x.RawMatrix())
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

func BenchmarkEigenSym(b *testing.B) {
	for _, n := range []int{256, 512} {
		a := withSpectrum(newRand(1), n, func(i int) float64 { return 1 / float64(i+1) })
		name, flops := fmt.Sprintf("op=eigen/n=%d", n), 9*math.Pow(float64(n), 3)
		timed(b, name+"/by=mercer", flops, func() {
			if _, _, err := EigenSym(a); err != nil {
				b.Fatal(err)
			}
		})
		timed(b, name+"/by=gonum", flops, func() {
			var e mat.EigenSym
			e.Factorize(a, true)
		})
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
