package runner

import (
	"fmt"
	"maps"
	"testing"

	"mercer/results"
)

const spectraSpec = `
name: spectra
seed: 3
repeats: 1
datasets:
  - {id: counts, use: atoms, atoms: 60, decay: {power: 2}}
  - {id: points, use: series, decay: {power: 2}}
grid: {n: [40, 55], ell: 3, m: 12, d: 3, k: 2}
methods:
  - {id: leverage, use: nystrom, landmarks: leverage}
  - {id: sharp, use: nystrom, landmarks: {rule: leverage, level: 0.1}}
  - {id: uniform, use: nystrom}
  - {id: embedding, use: nystrom-embedding, landmarks: {rule: leverage, level: 0.01}, rank: full}
  - {id: divided-by-n-1, use: ekpca, center: u}
  - {id: divided-by-n, use: ekpca, center: v}
  - {id: uncentred, use: ekpca, center: none}
  - {id: embedded, use: kpca-subsample, subsample: all, kmeans: {}}
measure: [eigenvalues, kernel_entries, cluster_cost]
`

// TestSharedSpectrum: the kernel matrix of each sample is decomposed once for all rules
// of landmarks that take its eigenpairs; records are those of methods that run alone, bit for bit.
func TestSharedSpectrum(t *testing.T) {
	p := planOf(t, spectraSpec, "")
	c := newComputation(p, 0)
	for _, g := range p.Groups {
		if g.MaxSpectrumN == 0 {
			t.Fatalf("%s: nothing is shared", g.Dataset.ID)
		}
		w, err := c.draw(g, 0)
		if err != nil {
			t.Fatal(err)
		}
		found, asked := map[*float64]bool{}, 0
		for _, u := range p.Units(g, 0) {
			spectrum := w.problem(u.Fits[0]).Spectrum
			if spectrum == nil {
				if _, _, err := w.model(t.Context(), u.Fits[0]); err != nil {
					t.Fatal(err)
				}
				continue
			}
			values, _, err := spectrum(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			found[&values[0]], asked = true, asked+1
		}
		if len(found) != 2 || asked != 6 {
			t.Errorf("%s: %d decompositions for %d fits at 2 sizes", g.Dataset.ID, len(found), asked)
		}
	}
	all, _ := runIn(t, t.TempDir(), p, Options{})
	shared := map[string]string{}
	text := func(r results.Row) (key, metrics string) {
		return fmt.Sprint(r.Dataset(), r.Method(), at(r, "n")), fmt.Sprint(r.Status, maps.Collect(r.Metrics.All()))
	}
	for _, r := range all.Rows {
		key, metrics := text(r)
		shared[key] = metrics
	}
	for _, method := range p.Spec.Methods {
		alone, _ := runIn(t, t.TempDir(), planOf(t, spectraSpec, fmt.Sprintf("method == %q", method.ID)), Options{})
		for _, r := range alone.Rows {
			if key, metrics := text(r); metrics != shared[key] {
				t.Errorf("%s: %s shared, %s alone", key, shared[key], metrics)
			}
		}
	}
}
