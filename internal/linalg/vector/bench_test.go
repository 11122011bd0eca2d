package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

var implementations = []struct {
	name string
	level3
}{{"vector", Implementation{}}, {"gonum", gonum.Implementation{}}}

func gflops(b *testing.B, flops float64) {
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

func BenchmarkGemm(b *testing.B) {
	shapes := [][3]int{}
	for _, n := range []int{2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 2000} {
		shapes = append(shapes, [3]int{n, n, n})
	}
	shapes = append(shapes, [3]int{1, 1000, 1000}, [3]int{4, 1000, 1000}, [3]int{1000, 1, 1000}, [3]int{1000, 10, 1000},
		[3]int{1000, 1000, 2}, [3]int{2000, 2000, 10}, [3]int{2, 1000, 10}, [3]int{1000, 2, 10}, [3]int{4, 4, 1000})
	for _, s := range shapes {
		m, n, k := s[0], s[1], s[2]
		size := fmt.Sprintf("n=%d", n)
		if m != n || n != k {
			size = fmt.Sprintf("m=%d/n=%d/k=%d", m, n, k)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		x, y, z := random(rng, m, k, 0).Data, random(rng, k, n, 0).Data, make([]float64, m*n)
		for _, t := range []struct {
			name     string
			a, b     blas.Transpose
			lda, ldb int
		}{{"NN", blas.NoTrans, blas.NoTrans, k, n}, {"NT", blas.NoTrans, blas.Trans, k, k}, {"TN", blas.Trans, blas.NoTrans, m, n}} {
			for _, impl := range implementations {
				b.Run(fmt.Sprintf("op=gemm/%s/t=%s/impl=%s", size, t.name, impl.name), func(b *testing.B) {
					for b.Loop() {
						impl.Dgemm(t.a, t.b, m, n, k, 1, x, t.lda, y, t.ldb, 0, z, n)
					}
					gflops(b, 2*float64(m)*float64(n)*float64(k))
				})
			}
		}
	}
}

func BenchmarkSyrk(b *testing.B) {
	for _, s := range [][2]int{{32, 32}, {256, 256}, {1000, 1000}, {1000, 10}} {
		n, k := s[0], s[1]
		x, c := random(rand.New(rand.NewPCG(1, 2)), n, k, 0).Data, make([]float64, n*n)
		for _, impl := range implementations {
			b.Run(fmt.Sprintf("op=syrk/n=%d/k=%d/impl=%s", n, k, impl.name), func(b *testing.B) {
				for b.Loop() {
					impl.Dsyrk(blas.Upper, blas.NoTrans, n, k, 1, x, k, 0, c, n)
				}
				gflops(b, float64(n)*float64(n)*float64(k))
			})
		}
	}
}

// BenchmarkTriangular is op(A)⁻¹·B and symmetric A·B.
func BenchmarkTriangular(b *testing.B) {
	for _, n := range []int{8, 32, 100, 300, 1000} {
		rng := rand.New(rand.NewPCG(1, 2))
		a, x, c := random(rng, n, n, 0).Data, random(rng, n, n, 0).Data, make([]float64, n*n)
		for i := range n { // a well-conditioned triangle keeps solutions finite
			for j := range n {
				a[i*n+j] /= float64(n)
			}
			a[i*n+i] = 1
		}
		for _, op := range []struct {
			name string
			call func(impl level3)
		}{
			{"trsm/side=L", func(impl level3) {
				impl.Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, n, n, 1, a, n, x, n)
			}},
			{"symm/side=L", func(impl level3) { impl.Dsymm(blas.Left, blas.Lower, n, n, 1, a, n, x, n, 0, c, n) }},
		} {
			for _, impl := range implementations {
				b.Run(fmt.Sprintf("op=%s/n=%d/impl=%s", op.name, n, impl.name), func(b *testing.B) {
					start := append([]float64(nil), x...)
					for i := 0; b.Loop(); i++ {
						if i%16 == 0 {
							copy(x, start)
						}
						op.call(impl)
					}
					copy(x, start)
					flops := float64(n) * float64(n) * float64(n)
					if op.name[:4] == "symm" {
						flops *= 2
					}
					gflops(b, flops)
				})
			}
		}
	}
}

// BenchmarkElementwise is in ns an element, on slices that fit in the
// first-level cache.
func BenchmarkElementwise(b *testing.B) {
	const n = 1000
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = -20 * rng.Float64()
	}
	best := detect()
	defer func() { active = best }()
	for _, op := range []struct {
		name              string
		vector, reference func()
	}{
		{"exp", func() { ExpScaled(y, x, 0.7) }, func() {
			for i, v := range x {
				y[i] = math.Exp(0.7 * v)
			}
		}},
		{"sincos", func() { Sincos(y, z, x) }, func() {
			for i, v := range x {
				y[i], z[i] = math.Sincos(v)
			}
		}},
	} {
		run := func(impl string, f func()) {
			b.Run("op="+op.name+"/impl="+impl, func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/elem")
			})
		}
		for set := best; set > portable; set-- {
			active = set
			run(set.String(), op.vector)
		}
		run("math", op.reference)
	}
}
