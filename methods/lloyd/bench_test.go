package lloyd

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/linalg/openblas"
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
		library.SetThreads(1)
	}
	os.Exit(m.Run())
}

func BenchmarkBounds(b *testing.B) {
	for _, s := range []struct {
		n, d, k int
		apart   float64
	}{{20000, 500, 10, 0.1}, {20000, 500, 10, 0.3}, {20000, 500, 100, 0.1}, {100000, 2, 10, 1}, {100000, 2, 100, 1}, {100000, 8, 100, 0.5}, {50000, 20, 10, 0.3}, {50000, 20, 100, 0.3}, {50000, 64, 10, 0.3}, {50000, 64, 100, 0.3}} {
		x, _ := mixture(s.n, s.d, s.k, s.apart, 3)
		seeds := DefaultOptions()
		seeds.MaxIter = 1
		start := cluster(b, x, s.k, seeds, 5).Centers
		spent := map[Bounds]time.Duration{}
		b.Run(fmt.Sprintf("n=%d/d=%d/k=%d/apart=%v", s.n, s.d, s.k, s.apart), func(b *testing.B) {
			benchmarkBounds(b, x, start, spent)
		})
	}
}

func benchmarkBounds(b *testing.B, x, start *mat.Dense, spent map[Bounds]time.Duration) {
	ctx := context.Background()
	n, _ := x.Dims()
	k, _ := start.Dims()
	rounds := 0
	for b.Loop() {
		for _, bounds := range []Bounds{None, Hamerly, Subspace} {
			p, err := newPoints(ctx, x, bounds, nil)
			if err != nil {
				b.Fatal(err)
			}
			o := from(start)
			o.Bounds, o.MaxIter = bounds, 60
			r := newRun(p, k, o)
			if err := r.init(ctx, o, nil); err != nil {
				b.Fatal(err)
			}
			began := time.Now()
			if err := r.iterate(ctx, o); err != nil {
				b.Fatal(err)
			}
			spent[bounds] += time.Since(began)
			if rounds == 0 {
				b.ReportMetric(float64(r.result.Evaluated)/float64(n*(r.result.Iterations+1)), string(bounds)+"-evaluated")
				b.ReportMetric(float64(r.result.Iterations), "iterations")
			}
		}
		rounds++
	}
	for _, bounds := range []Bounds{Hamerly, Subspace} {
		b.ReportMetric(float64(spent[None])/float64(spent[bounds]), string(bounds)+"-speedup")
	}
	b.ReportMetric(float64(spent[None])/float64(rounds)/1e6, "plain-ms")
}
