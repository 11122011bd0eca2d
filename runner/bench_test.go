package runner

import (
	"context"
	"testing"
	"time"

	"mercer/internal/linalg"
)

func benchRun(b *testing.B, text string, workers int) (records int, elapsed time.Duration) {
	b.Helper()
	begun := time.Now()
	p := planOf(b, text, "") // the time that takes is part of what is measured
	_, err := start(context.Background(), p, Options{Dir: b.TempDir(), Workers: workers})
	if err != nil {
		b.Fatal(err)
	}
	return len(p.IDs()), time.Since(begun)
}

// BenchmarkRecord is the cost of a record whose fit costs nearly nothing: what
// the harness adds to each, planning and storing included.
func BenchmarkRecord(b *testing.B) {
	const spec = `
name: overhead
title: overhead
seed: 1
repeats: 500
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [4, 5, 6, 7], ell: 2}
methods: [{id: ekpca, use: ekpca, center: u}]
measure: [eigenvalues]
`
	records, elapsed := 0, time.Duration(0)
	for b.Loop() {
		r, d := benchRun(b, spec, 1)
		records, elapsed = records+r, elapsed+d
	}
	b.ReportMetric(float64(elapsed.Microseconds())/float64(records), "µs/record")
}

// BenchmarkAtoms is two repeats at once, for three n, of all methods that take counts, on
// a population of 2000 atoms and two processors.
func BenchmarkAtoms(b *testing.B) {
	if _, err := linalg.Use(); err != nil {
		b.Fatal(err)
	}
	defer linalg.UseGonum()
	const spec = `
name: atoms
title: atoms
seed: 1
repeats: 2
datasets: [{id: atoms, use: atoms, atoms: 2000, decay: {power: 2}}]
grid:
  n: [1e4, 1e6, 1e8]
  ell: [10, 32, 100]
  m: 650
  d: 100
  k: 10
methods:
  - {id: kpca, use: kpca}
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom, landmarks: uniform, m: "ceil(sqrt(n) * log(n))"}
  - {id: lean, use: nystrom, landmarks: uniform, m: "ceil(6.5 * ell)"}
  - {id: leverage, use: nystrom, landmarks: leverage}
  - {id: rpcholesky, use: nystrom, landmarks: rpcholesky}
  - {id: seeds, use: nystrom, landmarks: kmeans++}
  - {id: greedy, use: nystrom, landmarks: greedy}
  - {id: rff, use: rff, features: mercer}
  - {id: randomized, use: randomized-kpca}
  - {id: kjl, use: kjl, subsample: all, kmeans: {}}
  - {id: subsample, use: kpca-subsample, subsample: all, kmeans: {}}
  - {id: embedding, use: nystrom-embedding, landmarks: uniform, kmeans: {}}
  - {id: features, use: rff-embedding, features: mercer, kmeans: {}}
  - {id: exact, use: kernel-kmeans}
measure: [recon_h, recon_l2, eigenspace_l2, cluster_cost]
`
	elapsed := time.Duration(0)
	for b.Loop() {
		_, d := benchRun(b, spec, 2)
		elapsed += d
	}
	b.ReportMetric(elapsed.Seconds()/float64(2*3*b.N), "s/repeat-n")
}
