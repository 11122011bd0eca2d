//go:build system

package runner

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"mercer/internal/process"
	"mercer/runner/plan"
)

// TestLargerThanMemory: the memory of a run does not grow with the sample's
// matrix, which takes 240 MB, but by some ten bytes a point: labels, indices, marks
// of landmarks, and garbage that is not yet collected, of which there may be as much
// again. Measured are 25 to 45 MB. MERCER_LARGE=1 takes 2,000,000 points, 1.6 GB,
// of which 70 to 100 MB are measured.
func TestLargerThanMemory(t *testing.T) {
	n, most := 300_000, 130.0
	if os.Getenv("MERCER_LARGE") != "" {
		n, most = 2_000_000, 190
	}
	for name, dataset := range map[string]string{
		"generator": "{id: x, use: gaussian-mixture, k: 3, d: 100}",
		"file":      "{id: x, use: npy, path: " + bytesNPY(t, n, 100) + "}",
	} {
		p := planWith(t, fmt.Sprintf(`
name: large
seed: 1
repeats: 1
datasets:
  - %s
kernels:
  - {id: rbf, use: gaussian, bandwidth: {median: 1}, form: two-sigma-squared}
grid: {n: %d, m: 8, d: 3, ell: 2}
methods:
  - {id: nystrom, use: nystrom}
  - {id: rff, use: rff, features: fourier}
  - {id: oja, use: rf-oja, features: fourier, schedule: adaoja}
  - {id: kjl, use: kjl}
measure: [model_size]
`, dataset, n), plan.Input{Stream: true})
		debug.FreeOSMemory()
		before := forgetPeak()
		if before == 0 {
			t.Skip("this system does not tell how much memory was used at most")
		}
		run, summary := runIn(t, t.TempDir(), p, Options{Workers: 1})
		after, _ := process.Peak(os.Getpid())
		growth := float64(after-before) / 1e6
		if summary.Failed != 0 || len(run.Rows) != 4 {
			t.Fatalf("%s: %+v", name, run.Rows)
		}
		t.Logf("%s: %d points took %.0f MB, estimated %.0f MB", name, n, growth, float64(p.Groups[0].Bytes)/1e6)
		if growth > most {
			t.Errorf("%s: %d points in blocks took %.0f MB, want at most %.0f", name, n, growth, most)
		}
	}
}

// bytesNPY writes n points of d bytes.
func bytesNPY(t *testing.T, n, d int) string {
	t.Helper()
	dict := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }", n, d)
	f, err := os.Create(filepath.Join(dataDir(t), "bytes.npy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("\x93NUMPY\x01\x00\x76\x00" + dict + strings.Repeat(" ", 117-len(dict)) + "\n"); err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 1000*d) // divides n
	rng := rand.New(rand.NewPCG(9, 9))
	for i := range block {
		block[i] = byte(rng.IntN(256))
	}
	for range n / 1000 {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	return "bytes.npy"
}
