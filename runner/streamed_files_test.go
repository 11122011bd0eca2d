package runner

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mercer/data/files"
	"mercer/runner/plan"
)

// dataDir is the test's directory of data, below which paths of its specs lie.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("MERCER_DATA")
	if !strings.Contains(dir, t.Name()) {
		dir = t.TempDir()
		t.Setenv("MERCER_DATA", dir)
	}
	return dir
}

// savedNPY writes an .npy file of n×d normal variates, and returns its name.
func savedNPY(t *testing.T, n, d int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(6, 6))
	var text bytes.Buffer
	err := files.WriteNPY(&text, n, d, func(int) []float64 {
		row := make([]float64, d)
		for i := range row {
			row[i] = rng.NormFloat64()
		}
		return row
	})
	if err = errors.Join(err, os.WriteFile(filepath.Join(dataDir(t), "saved.npy"), text.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	return "saved.npy"
}

// savedIDX writes n images of side×side bytes.
func savedIDX(t *testing.T, n, side int) string {
	t.Helper()
	raw := []byte{0, 0, 8, 3}
	for _, size := range []int{n, side, side} {
		raw = binary.BigEndian.AppendUint32(raw, uint32(size))
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range n * side * side {
		raw = append(raw, byte(rng.IntN(256)))
	}
	if err := os.WriteFile(filepath.Join(dataDir(t), "images.idx"), raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return "images.idx"
}

const holdSpec = `
name: hold
seed: 8
repeats: 1
datasets:
  - {id: mixture, use: gaussian-mixture, k: 3, d: 5, population: {held_out: 60}}
  - {id: npy, use: npy, path: NPY, population: {held_out: 60}}
  - {id: idx, use: idx, path: IDX, scale: true, sample: first, standardize: true, population: {held_out: 60}}
kernels:
  - {id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}
grid: {n: [200, 1025, 2304], m: 17, d: 6, ell: [2, 4]}
methods:
  - {id: nystrom-u, use: nystrom}
  - {id: nystrom-v, use: nystrom, center: v, landmarks: first}
  - {id: nystrom-none, use: nystrom, center: none, landmarks: {rule: uniform, replacement: true}}
  - {id: rff-u, use: rff, features: fourier}
  - {id: rff-v, use: rff, features: offset, center: v}
  - {id: rff-none, use: rff, features: orthogonal, center: none}
  - {id: oja-none, use: rf-oja, features: fourier, schedule: theorem-d3, components: 2, gap: 0.3, lambda: 0.8, delta: 0.9, c: 1}
  - {id: oja-u, use: rf-oja, features: fourier, center: u, schedule: adaoja}
  - {id: kjl, use: kjl}
  - {id: kjl-centred, use: kjl, subsample: first, sketch: srht, centered: true}
  - {id: kpca, use: kpca-subsample}
  - {id: embedding, use: nystrom-embedding}
  - {id: features, use: rff-embedding, features: fourier}
measure: [recon_h, recon_l2, eigenvalues, rank, kjl_operator, skp_objective, model_size]
plots:
  - {id: points, kind: scatter, where: {dataset: mixture, method: [nystrom-u, kjl], n: 1025, ell: 4}}
`

// TestStreamingChangesNoRecord: of all methods that can stream, all centres, from a
// generator and from files, at numbers of points that no block divides, records and
// the points of figures are the same, bit for bit, whether the sample is in memory
// or read in blocks.
func TestStreamingChangesNoRecord(t *testing.T) {
	text := strings.NewReplacer("NPY", savedNPY(t, 2500, 3), "IDX", savedIDX(t, 2500, 4)).Replace(holdSpec)
	var exports []string
	var points []map[string]string
	var digests []string
	for _, stream := range []bool{false, true} {
		plan := planWith(t, text, plan.Input{Stream: stream})
		for _, g := range plan.Groups {
			for _, f := range g.Fits {
				if f.Skip != nil {
					t.Fatalf("%s is skipped: %v", f.Method.ID, f.Skip)
				}
				if f.Streams != stream {
					t.Errorf("%s at n = %d streams: %v", f.Method.ID, f.Sizes.N, f.Streams)
				}
			}
			if want := 2304; stream && (g.MaxN != 0 || g.MaxRows != want) || !stream && (g.MaxN != want || g.MaxRows != 0) {
				t.Errorf("samples of %d in memory and %d in blocks", g.MaxN, g.MaxRows)
			}
		}
		dir := t.TempDir()
		run, summary := runIn(t, dir, plan, Options{Workers: 2})
		if summary.Failed != 0 {
			t.Fatalf("%d records failed: %+v", summary.Failed, run.Rows)
		}
		exports, digests = append(exports, export(t, run)), append(digests, plan.Hash())
		points = append(points, pointsIn(t, dir))
	}
	if digests[0] != digests[1] {
		t.Error("streaming changes keys")
	}
	if diff := cmp.Diff(exports[0], exports[1]); diff != "" {
		t.Errorf("in memory (-) and in blocks (+):\n%.2000s", diff)
	}
	if diff := cmp.Diff(points[0], points[1]); diff != "" || len(points[0]) != 2 {
		t.Errorf("points of %d cells, in memory (-) and in blocks (+):\n%.1000s", len(points[0]), diff)
	}
}
