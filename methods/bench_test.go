package methods_test

import (
	"fmt"
	"testing"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
	"mercer/methods"
)

// BenchmarkFit times the fits of each method on the fastest linear algebra of
// this machine, at the flops that its entry estimates:
//
//	go test ./methods -run '^$' -bench Fit -count 6 | benchstat -col /method -
func BenchmarkFit(b *testing.B) {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(linalg.UseGonum)
	const ell = 10
	for _, s := range []struct{ n, m, dim int }{{2000, 100, 20}, {1000, 100, 784}} {
		p := methods.Sample{X: uniformPoints(41, s.n, s.dim), Kernel: kernel.NewGaussian(3 / float64(s.dim)), Sizes: methods.Sizes{N: s.n, M: s.m, Ell: ell}}
		for _, m := range measured() {
			b.Run(fmt.Sprintf("method=%s/n=%d/m=%d/D=%d/ell=%d", m.name, s.n, s.m, s.dim, ell), func(b *testing.B) {
				method, err := m.options.Method()
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := method.Fit(b.Context(), p, newRand(1)); err != nil {
						b.Fatal(err)
					}
				}
				flops := costOf(m.options, p.Sizes, s.dim).Flops
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
