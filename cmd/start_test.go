package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mercer/results"
)

const tinySpec = `
name: tiny
seed: 1
repeats: 1
datasets: [{id: p, use: series, decay: {power: 2}}]
grid: {n: [50], ell: [2], m: [10]}
methods: [{id: nystrom, use: nystrom}]
measure: [recon_h]
`

// BenchmarkFirstRecord takes the time from the start of mercer run to its first record: the
// fastest of all, which other work on the machine disturbs least.
func BenchmarkFirstRecord(b *testing.B) {
	dir := b.TempDir()
	spec := filepath.Join(dir, "tiny.yaml")
	if err := os.WriteFile(spec, []byte(tinySpec), 0o600); err != nil {
		b.Fatal(err)
	}
	fastest := time.Minute
	for b.Loop() {
		out := filepath.Join(dir, "out")
		if err := os.RemoveAll(out); err != nil {
			b.Fatal(err)
		}
		c := exec.Command(os.Args[0], "run", spec, "--quiet", "--out", out)
		c.Env = append(os.Environ(), asMercer+"=1")
		begun := time.Now()
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		for written := false; !written; time.Sleep(100 * time.Microsecond) {
			info, err := os.Stat(filepath.Join(out, results.RecordsFile))
			written = err == nil && info.Size() > 0
			if time.Since(begun) > time.Minute {
				b.Fatal("no record in a minute")
			}
		}
		fastest = min(fastest, time.Since(begun))
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(fastest.Seconds()*1e3, "ms-to-record")
}
