package kernel

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// BenchmarkTransform is in ns a coordinate of Φ, and in GFLOP/s of the product
// ⟨ω_i, x_j⟩ where one is computed, on the back end that the program would use.
func BenchmarkTransform(b *testing.B) {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(linalg.UseGonum)
	const n, m = 1000, 750
	for _, name := range slices.Sorted(maps.Keys(Maps)) {
		for _, d := range []int{10, 784} {
			k, d := kernelOf(name, NewGaussian(1/float64(2*d)), d)
			x := normalPoints(newRand(1), n, d)
			b.Run(fmt.Sprintf("map=%s/n=%d/D=%d/m=%d", name, n, d, m), func(b *testing.B) {
				f := Maps[name].New(k, m, d, newRand(2))
				dst := mat.NewDense(n, f.Dim(), nil)
				for b.Loop() {
					f.Transform(dst, x)
				}
				perCall := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(perCall*1e9/float64(n*f.Dim()), "ns/coordinate")
				if name != "mercer" {
					b.ReportMetric(2*n*m*float64(d)/perCall/1e9, "GFLOP/s")
				}
			})
		}
	}
}

// BenchmarkDraw is the cost of a draw of each map.
func BenchmarkDraw(b *testing.B) {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(linalg.UseGonum)
	for _, name := range slices.Sorted(maps.Keys(Maps)) {
		k, d := kernelOf(name, NewGaussian(1), 784)
		b.Run(fmt.Sprintf("map=%s/D=%d/m=750", name, d), func(b *testing.B) {
			for b.Loop() {
				Maps[name].New(k, 750, d, newRand(2))
			}
		})
	}
}

// BenchmarkGram is in ns a value of the upper triangle.
func BenchmarkGram(b *testing.B) {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(linalg.UseGonum)
	const n = 1000
	for name, k := range map[string]Kernel{
		"power-2":     must(NewPowerSeries(2)),
		"power-8":     must(NewPowerSeries(8)),
		"exponential": must(NewExponentialSeries(0.5)),
		"gaussian":    NewGaussian(1),
	} {
		b.Run("kernel="+name, func(b *testing.B) {
			x := uniformPoints(newRand(1), n)
			for b.Loop() {
				Gram(k, x)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e9/(n*(n+1)/2), "ns/value")
		})
	}
}
