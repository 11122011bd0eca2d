package metrics

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// BenchmarkForms is what a record of random features takes of the kernel matrix of 4000
// held-out points in R^784, where it is kept and where it is streamed, and the ratio.
func BenchmarkForms(b *testing.B) {
	rng := newRand(74)
	x, y, k := points(4000, 784, rng.NormFloat64), points(4000, 5, rng.NormFloat64), kernel.NewGaussian(1)
	kept, streamed := NewHeldOutKernel(x, k, 5), NewHeldOutKernel(x, k, 5)
	streamed.stored = false
	took := map[*HeldOutKernel]time.Duration{}
	kept.gram()
	for b.Loop() {
		for _, h := range []*HeldOutKernel{kept, streamed} {
			begun := time.Now()
			if _, err := h.forms(b.Context(), []*mat.Dense{y}); err != nil {
				b.Fatal(err)
			}
			took[h] += time.Since(begun)
		}
	}
	b.ReportMetric(float64(took[streamed])/float64(took[kept]), "streamed/kept")
}
