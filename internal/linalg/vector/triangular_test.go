package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// TestTriangular compares Dtrsm, Dtrmm and Dsymm with gonum's on matrices whose
// triangles are well conditioned, so that solutions differ by rounding only.
func TestTriangular(t *testing.T) {
	every(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(89, 97))
		sizes := [][2]int{{16, 3}, {17, 1}, {33, 40}, {100, 129}, {150, 20}, {20, 300}}
		for range count(10) {
			sizes = append(sizes, [2]int{1 + rng.IntN(70), 1 + rng.IntN(70)})
		}
		for _, size := range sizes {
			for _, s := range []blas.Side{blas.Left, blas.Right} {
				k, other := size[0], size[1]
				m, n := k, other
				if s == blas.Right {
					m, n = other, k
				}
				a := random(rng, k, k, 3)
				for i := range k {
					for j := range k {
						a.Data[i*a.Stride+j] /= float64(k)
					}
					a.Data[i*a.Stride+i]++
				}
				for _, ul := range []blas.Uplo{blas.Upper, blas.Lower} {
					for _, alpha := range []float64{1, -0.7, 0} {
						for _, tA := range transposes {
							for _, d := range []blas.Diag{blas.Unit, blas.NonUnit} {
								what := fmt.Sprintf("%c%c%c%c %dx%d alpha %v", s, ul, tA, d, m, n, alpha)
								b := random(rng, m, n, 2)
								compare(t, "trsm "+what, b, k, func(impl level3, x blas64.General) {
									impl.Dtrsm(s, ul, tA, d, m, n, alpha, a.Data, a.Stride, x.Data, x.Stride)
								})
								compare(t, "trmm "+what, b, k, func(impl level3, x blas64.General) {
									impl.Dtrmm(s, ul, tA, d, m, n, alpha, a.Data, a.Stride, x.Data, x.Stride)
								})
							}
						}
						b, c := random(rng, m, n, 2), random(rng, m, n, 1)
						for _, beta := range []float64{0, 1, 0.3} {
							compare(t, fmt.Sprintf("symm %c%c %dx%d alpha %v beta %v", s, ul, m, n, alpha, beta), c, k, func(impl level3, x blas64.General) {
								impl.Dsymm(s, ul, m, n, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, x.Data, x.Stride)
							})
						}
					}
				}
			}
		}
	})
}

func compare(t *testing.T, what string, start blas64.General, k int, f func(level3, blas64.General)) {
	t.Helper()
	got, want := clone(start), clone(start)
	f(Implementation{Workers: 2}, got)
	f(gonum.Implementation{}, want)
	closeTo(t, what, got, want, k)
}

// TestChecks wants gonum's panics for bad arguments.
func TestChecks(t *testing.T) {
	ok := make([]float64, 40*40)
	const n = 40
	for name, f := range map[string]func(impl level3){
		"gemm transpose": func(impl level3) { impl.Dgemm('x', blas.NoTrans, n, n, n, 1, ok, n, ok, n, 0, ok, n) },
		"gemm m":         func(impl level3) { impl.Dgemm(blas.NoTrans, blas.Trans, -1, n, n, 1, ok, n, ok, n, 0, ok, n) },
		"gemm lda":       func(impl level3) { impl.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, ok, n-1, ok, n, 0, ok, n) },
		"gemm a":         func(impl level3) { impl.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, ok[1:], n, ok, n, 0, ok, n) },
		"gemm b":         func(impl level3) { impl.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, ok, n, ok[1:], n, 0, ok, n) },
		"gemm c":         func(impl level3) { impl.Dgemm(blas.NoTrans, blas.Trans, n, n, n, 1, ok, n, ok, n, 0, ok[1:], n) },
		"syrk uplo":      func(impl level3) { impl.Dsyrk('x', blas.NoTrans, n, n, 1, ok, n, 0, ok, n) },
		"syrk k":         func(impl level3) { impl.Dsyrk(blas.Upper, blas.NoTrans, n, -1, 1, ok, n, 0, ok, n) },
		"syrk a":         func(impl level3) { impl.Dsyrk(blas.Upper, blas.Trans, n, n, 1, ok[1:], n, 0, ok, n) },
		"syrk c":         func(impl level3) { impl.Dsyrk(blas.Upper, blas.Trans, n, n, 1, ok, n, 0, ok, n-1) },
		"trsm side":      func(impl level3) { impl.Dtrsm('x', blas.Upper, blas.Trans, blas.Unit, n, n, 1, ok, n, ok, n) },
		"trsm diag":      func(impl level3) { impl.Dtrsm(blas.Left, blas.Upper, blas.Trans, 'x', n, n, 1, ok, n, ok, n) },
		"trsm a":         func(impl level3) { impl.Dtrsm(blas.Left, blas.Upper, blas.Trans, blas.Unit, n, n, 1, ok[1:], n, ok, n) },
		"trmm b":         func(impl level3) { impl.Dtrmm(blas.Left, blas.Upper, blas.Trans, blas.Unit, n, n, 1, ok, n, ok[1:], n) },
		"trmm n":         func(impl level3) { impl.Dtrmm(blas.Left, blas.Upper, blas.Trans, blas.Unit, n, -1, 1, ok, n, ok, n) },
		"symm side":      func(impl level3) { impl.Dsymm('x', blas.Upper, n, n, 1, ok, n, ok, n, 0, ok, n) },
		"symm c":         func(impl level3) { impl.Dsymm(blas.Left, blas.Upper, n, n, 1, ok, n, ok, n, 0, ok[1:], n) },
	} {
		got, want := recovered(func() { f(Implementation{}) }), recovered(func() { f(gonum.Implementation{}) })
		if want == nil || got != want {
			t.Errorf("%s: panic %v, gonum's %v", name, got, want)
		}
	}
}
