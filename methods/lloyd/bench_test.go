package lloyd

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg/openblas"
)

// withBLAS runs the benchmarks on the library that MERCER_BLAS names, if any.
func TestMain(m *testing.M) {
	if path := os.Getenv("MERCER_BLAS"); path != "" {
		library, err := openblas.Load(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("BLAS:", library)
		blas64.Use(library.BLAS())
	}
	os.Exit(m.Run())
}

// BenchmarkCluster runs whole starts, cold and warm, on columns that fall off as
// features of a kernel do, and reports the median cost a point over the streams.
func BenchmarkCluster(b *testing.B) {
	const n, d, k = 20000, 1000, 10
	x := decaying(n, d, k, 3)
	for _, init := range []Init{PlusPlus, GreedyPlusPlus} {
		for _, warm := range []float64{0, 0.125} {
			b.Run(fmt.Sprintf("method=lloyd/n=%d/d=%d/k=%d/init=%s/warm=%v", n, d, k, init, warm), func(b *testing.B) {
				var costs []float64
				iterations, evaluated := 0, 0
				for b.Loop() {
					o := DefaultOptions()
					o.Init, o.Warm = init, warm
					r := cluster(b, x, k, o, uint64(len(costs)))
					costs = append(costs, r.Cost)
					iterations += r.Iterations
					evaluated += r.Evaluated
				}
				slices.Sort(costs)
				b.ReportMetric(costs[len(costs)/2]/n, "cost/point")
				b.ReportMetric(float64(iterations)/float64(len(costs)), "iterations/op")
				b.ReportMetric(float64(evaluated)/float64(n*len(costs)), "passes/op")
			})
		}
	}
}

func BenchmarkBounds(b *testing.B) {
	for _, s := range []struct {
		n, d, k int
		apart   float64 // 0: decaying columns
	}{{20000, 500, 10, 0}, {20000, 500, 10, 0.1}, {20000, 500, 10, 0.3}, {20000, 500, 100, 0}, {20000, 128, 10, 0}, {50000, 64, 10, 0}, {50000, 64, 100, 0}, {50000, 64, 10, 0.3}, {50000, 20, 100, 0.3}, {100000, 2, 10, 1}, {100000, 2, 100, 1}, {100000, 8, 100, 0.5}} {
		x := decaying(s.n, s.d, s.k, 3)
		if s.apart > 0 {
			x, _ = mixture(s.n, s.d, s.k, s.apart, 3)
		}
		seeds := DefaultOptions()
		seeds.MaxIter = 1
		start := cluster(b, x, s.k, seeds, 5).Centers
		spent := map[bool]time.Duration{}
		b.Run(fmt.Sprintf("method=lloyd/n=%d/d=%d/k=%d/apart=%v", s.n, s.d, s.k, s.apart), func(b *testing.B) {
			benchmarkBounds(b, x, start, spent)
		})
	}
}

// benchmarkBounds times the iterations.
func benchmarkBounds(b *testing.B, x, start *mat.Dense, spent map[bool]time.Duration) {
	n, _ := x.Dims()
	k, _ := start.Dims()
	rounds := 0
	for b.Loop() {
		for _, plain := range []bool{false, true} {
			began := time.Now()
			o := from(start)
			o.Plain, o.MaxIter = plain, 60
			r := cluster(b, x, k, o, 1)
			spent[plain] += time.Since(began)
			if rounds == 0 && !plain {
				b.ReportMetric(float64(r.Evaluated)/float64(n*(r.Iterations+1)), "evaluated")
				b.ReportMetric(float64(r.Iterations), "iterations")
			}
		}
		rounds++
	}
	b.ReportMetric(float64(spent[true])/float64(spent[false]), "speedup")
	b.ReportMetric(float64(spent[true])/float64(rounds)/1e6, "plain-ms")
}
