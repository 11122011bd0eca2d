package methods_test

import (
	"context"
	"fmt"
	"testing"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// backendUse takes the fastest back end; what it returns gives gonum's back.
func backendUse(b *testing.B) func() {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	return linalg.UseGonum
}

// benchmarkFit reports nanoseconds a point and the counted flops a second.
func benchmarkFit(b *testing.B, m methods.Method, p methods.Sample) {
	_, d := p.X.Dims()
	for b.Loop() {
		if _, err := m.Fit(context.Background(), p, newRand(1)); err != nil {
			b.Fatal(err)
		}
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	flops := m.Cost(nil, p.Sizes, float64(d)).Flops
	b.ReportMetric(seconds*1e9/float64(p.Sizes.N), "ns/point")
	b.ReportMetric(flops/seconds/1e9, "GFLOP/s")
}

func BenchmarkRFF(b *testing.B) {
	defer backendUse(b)()
	for _, dim := range []int{2, 784} {
		b.Run(fmt.Sprintf("method=rff/m=750/ell=50/D=%d", dim), func(b *testing.B) {
			m, err := (&methods.RFFOptions{Features: "fourier", Center: "none"}).Method()
			if err != nil {
				b.Fatal(err)
			}
			benchmarkFit(b, m, methods.Sample{
				X: uniformPoints(1, 4096, dim), Kernel: kernel.NewGaussian(1 / float64(dim)), Sizes: methods.Sizes{N: 4096, M: 750, Ell: 50},
			})
		})
	}
}
