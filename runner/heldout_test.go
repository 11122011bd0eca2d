package runner

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mercer/results"
	"mercer/runner/plan"
)

const apartSpec = `
name: apart
seed: 9
repeats: 5
datasets:
  - {id: random, use: csv, path: points.csv, population: {held_out: 8}}
  - {id: first, use: csv, path: points.csv, sample: first, population: {held_out: 8}}
  - {id: counts, use: csv, path: points.csv, sample: with_replacement, population: {held_out: 8}}
  - {id: npy, use: npy, path: saved.npy, population: {held_out: 8}}
kernels: [{id: narrow, use: gaussian, sigma: 1.0e-6, form: sigma-squared}]
grid: {n: [12, 32], m: 12, ell: 4, k: 2}
methods:
  - {id: ekpca, use: ekpca, center: none}
  - {id: nystrom, use: nystrom, center: none}
  - {id: clusters, use: nystrom-embedding, kmeans: {}}
measure: [recon_h, cluster_cost]
`

// savedApart writes 40 points with whole coordinates, no two of them equal, in each form
// that the spec names.
func savedApart(t *testing.T) {
	t.Helper()
	savedNPY(t, 40, 2)
	var table strings.Builder
	for i := range 40 {
		fmt.Fprintf(&table, "%d,%d\n", i, 39-i)
	}
	if err := os.WriteFile(filepath.Join(dataDir(t), "points.csv"), []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMeasuresTakeHeldOutPoints: errors are those at points that no sample has. The
// kernel is so narrow that different points are orthogonal unit vectors of H. Then a
// subspace of the span of a sample leaves all of N = 8 other points: without centring R
// is their variance 1 − 1/N, and the squared distance to a centroid is 1 and what that
// is long. Of points of the sample R would be less by what is projected, and the distance
// to their own centroid would be less than 1. The kernel's values are 0 to all digits;
// 1e-12 leaves room for the rounding of sums.
func TestMeasuresTakeHeldOutPoints(t *testing.T) {
	savedApart(t)
	for _, stream := range []bool{false, true} {
		run, _ := runIn(t, t.TempDir(), planWith(t, apartSpec, plan.Input{Stream: stream}), Options{Workers: 1})
		checked := 0
		for _, r := range run.Rows {
			at := fmt.Sprintf("%s repeat %d, streamed: %v", r.At, r.Repeat, stream)
			if r.Status != results.OK {
				t.Fatalf("%s: %s (%s)", at, r.Status, r.Reason)
			}
			checked++
			if r.Method() == "clusters" {
				if cost := r.Metrics["cluster_cost_test"]; !(cost > 1) {
					t.Errorf("%s: held-out points cost %v; want more than 1, for they are not in the sample", at, cost)
				}
				continue
			}
			if got, want := r.Metrics["recon_h"], 1-1.0/8; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: R = %v, and %v of held-out points", at, got, want)
			}
		}
		if want := 4 * 5 * 2 * 3; checked != want {
			t.Errorf("%d records, want %d", checked, want)
		}
	}
}
