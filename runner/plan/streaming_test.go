package plan

import (
	"strings"
	"testing"
)

// TestChooseStreaming: which fits stream is a matter of the method, of what is measured, of
// what others need, and of the size of the sample.
func TestChooseStreaming(t *testing.T) {
	const text = `
name: hold
seed: 1
repeats: 1
datasets:
  - {id: mixture, use: gaussian-mixture, k: 3, d: 100, population: {held_out: 50}}
kernels:
  - {id: rbf, use: gaussian, sigma: 4, form: sigma-squared}
grid: {n: [1000, 2000000], m: 20, d: 6, ell: 2}
methods:
  - METHOD
measure: [MEASURE]
`
	const nystrom, kjl = "{id: a, use: nystrom}", "{id: a, use: kjl}"
	for _, test := range []struct {
		method, measure string
		stream          bool
		maxN, maxRows   int
		note            string
	}{
		{nystrom, "recon_h", false, 1000, 2e6, ""},
		{nystrom, "recon_h", true, 0, 2e6, ""},
		{nystrom, "recon_h, time", false, 1000, 2e6, ""},
		{kjl, "kjl_operator", false, 1000, 2e6, ""},
		{"{id: a, use: rff, features: fourier}", "recon_l2", false, 1000, 2e6, ""},
		{"{id: a, use: rf-oja, features: fourier, schedule: c/t, c: 1}", "recon_l2", false, 1000, 2e6, ""},
		{nystrom, "recon_h, nystrom_residual", true, 2e6, 0, `method "a" has its sample of n = 2000000 in memory, 1.49 GiB: measure "nystrom_residual" works on its points`},
		{"{id: a, use: nystrom, landmarks: rpcholesky}", "recon_h", true, 2e6, 0, ""},
		{"{id: a, use: kjl, subsample: all}", "kjl_operator", true, 2e6, 0, ""},
		{"{id: a, use: kjl, kmeans: {}, n: 1000, k: 3}", "clusters", true, 1000, 0, ""},
		{"{id: a, use: nystrom-embedding, stream: true, kmeans: {}, k: 3}", "cluster_cost", false, 0, 2e6, ""},
		{nystrom + "\n  - {id: b, use: ekpca, center: u, n: 3000}", "recon_h", true, 3000, 2e6, ""},
		{nystrom + "\n  - {id: b, use: ekpca, center: u}", "recon_h", true, 2e6, 0, `method "a" has its sample of n = 2000000 in memory, 1.49 GiB: other fits`},
	} {
		plan := planWith(t, strings.NewReplacer("METHOD", test.method, "MEASURE", test.measure).Replace(text), Input{Stream: test.stream})
		g := plan.Groups[0]
		if g.MaxN != test.maxN || g.MaxRows != test.maxRows {
			t.Errorf("%s, %s, stream %v: samples of %d in memory and %d in blocks, want %d and %d", test.method, test.measure, test.stream, g.MaxN, g.MaxRows, test.maxN, test.maxRows)
		}
		for _, f := range g.Fits {
			if f.Streams && (f.Sizes.N <= g.MaxN || f.Sizes.N > g.MaxRows) || !f.Streams && f.Sizes.N > g.MaxN {
				t.Errorf("%s, %s: %s at %d streams: %v", test.method, test.measure, f.Method, f.Sizes.N, f.Streams)
			}
		}
		if all := strings.Join(plan.Notes, "\n"); test.note == "" && strings.Contains(all, "in memory") || !strings.Contains(all, test.note) {
			t.Errorf("%s, %s: notes %q", test.method, test.measure, all)
		}
		// 100 coordinates in double precision are 1.6 GB, labels and indices 48 MB; what
		// clustering keeps of embedded points 290 MB.
		if small := g.Memory.Total() < 500e6; small != (g.MaxN < 1e6) {
			t.Errorf("%s, %s: %d bytes", test.method, test.measure, g.Memory.Total())
		}
	}
}

// TestRefusedWithAdvice: a fit that is too large is refused with what would make it
// smaller, and with --stream only where that would let it run or its sample takes most.
func TestRefusedWithAdvice(t *testing.T) {
	const text = `
name: refused
seed: 1
repeats: 1
datasets:
  - {id: sphere, use: sphere, d: 100, population: {held_out: HELDOUT}}
kernels:
  - {id: rbf, use: gaussian, sigma: 4, form: sigma-squared}
grid: {n: N, m: M, ell: 2}
methods:
  - METHODS
measure: [recon_h]
`
	const nystrom, both = "{id: a, use: nystrom}", "{id: a, use: nystrom}\n  - {id: b, use: ekpca, center: u}"
	for _, test := range []struct {
		name, heldOut, n, m, methods string
		stream                       bool
		memory                       int64
		advice                       string
	}{
		{"sample", "50", "20000", "20", nystrom, false, 12 << 20, "take a smaller n, give --stream, or raise"},
		{"sample, too large in blocks", "50", "20000", "20", nystrom, false, 1000, "take a smaller n, give --stream, or raise"},
		{"sample in blocks", "50", "20000", "20", nystrom, true, 1000, "take a smaller n, or raise"},
		{"sample held for others", "50", "20000", "20", both, false, 12 << 20, "take a smaller n, or raise"},
		{"landmarks", "50", "5000", "2000", nystrom, false, 1000, "take a smaller n, m or ell, or raise"},
		{"landmarks, and little more", "50", "5000", "2000", nystrom, false, -1, "take a smaller n, m or ell, give --stream, or raise"},
		{"population", "3000", "100", "20", nystrom, false, 60 << 20, "take a smaller population, or raise"},
	} {
		plan := planWith(t, strings.NewReplacer("HELDOUT", test.heldOut, "METHODS", test.methods, "N", test.n, "M", test.m).Replace(text), Input{Stream: test.stream})
		if test.memory < 0 {
			test.memory += plan.Groups[0].Fits[0].Memory.Total()
		}
		refused := plan.Refused(test.memory)
		if len(refused) == 0 || refused[0].Fit.Method != "a" || !strings.Contains(refused[0].Error(), "; "+test.advice) {
			t.Errorf("%s: refused %v, want %q", test.name, refused, test.advice)
		}
	}
	// What of a population is largest is its spectrum, or measuring against it.
	plan := planWith(t, strings.NewReplacer("HELDOUT", "3000", "METHODS", nystrom, "N", "100", "M", "20").Replace(text), Input{})
	m := plan.Groups[0].Memory
	if held := plan.population(plan.Groups[0]).kept.Bytes; float64(m.Population) < 1.5*held || m.Fit > 1<<20 {
		t.Errorf("%s; the population holds %s", m, Bytes(int64(held)))
	}
}
