//go:build system && unix

package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"mercer/results"
)

// Both have something on the edge, so that many looks are needed.
var adaptiveSpecs = map[string]string{
	"claims": `
name: killed
seed: 7
repeats: {from: 4, to: 160, until: decided}
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100, 200], ell: [3], m: [40]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
  - {id: fewer, use: nystrom, m: 20}
measure: [recon_h]
claims:
  - {id: true-by-far, ratio: {of: recon_h, method: fewer, to: ekpca, at_most: 3}}
  - {id: edge, value: {of: "recon_h - 0.3017", where: {method: nystrom, n: 200}, at_most: 0}}
`,
	"targets": `
name: killed
seed: 7
repeats: {from: 8, to: 64, until: decided}
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [60, 100], ell: [2], step: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], m: "4 + 2*step"}
methods:
  - {id: exact, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
measure: [recon_h]
targets:
  - {id: least-m, find: m, over: n, such_that: {ratio: {of: recon_h, method: nystrom, to: exact, at_most: 1.1}}}
`,
}

// A run whose repeats follow from what is decided, and that is killed ten times, ends as one
// that nobody disturbed: with the same export, and the same verdicts and answers.
func TestAdaptiveKilled(t *testing.T) {
	for name, spec := range adaptiveSpecs {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "spec.yaml"), []byte(spec), 0o666); err != nil {
				t.Fatal(err)
			}
			finish := func(out string) (shown, export []byte) {
				shown, err := mercerCommand(dir, "run", "spec.yaml", "--out", out, "--quiet").Output()
				if err != nil {
					t.Fatal(err)
				}
				if export, err = mercerCommand(dir, "export", out, "--no-times").Output(); err != nil {
					t.Fatal(err)
				}
				return bytes.ReplaceAll(shown, []byte(out), []byte("OUT")), export
			}
			shown, export := finish("whole")
			same := func(kills int) {
				t.Helper()
				if again, exported := finish("killed"); !bytes.Equal(exported, export) || !bytes.Equal(again, shown) {
					t.Errorf("after %d kills the export or what is shown differs from that of an undisturbed run, at byte %d; shown:\n%s\nwithout kills:\n%s",
						kills, difference(exported, export), again, shown)
				}
			}
			kills, isolation := 0, []string{"none", "process"}
			for start := 0; kills < 10; start++ {
				if start == 100 {
					t.Fatalf("%d starts met the run %d times", start, kills)
				}
				if killAfterRecords(t, dir, "killed", 2, isolation[start%2]) {
					kills++
					continue
				}
				same(kills) // it had ended: the next start begins anew
				if err := os.RemoveAll(filepath.Join(dir, "killed")); err != nil {
					t.Fatal(err)
				}
			}
			same(kills)
		})
	}
}

// killAfterRecords starts a run, and kills it once it has stored so many records more; false
// where it had ended before.
func killAfterRecords(t *testing.T, dir, out string, more int, isolation string) bool {
	t.Helper()
	file := filepath.Join(dir, out, results.RecordsFile)
	stored := func() int {
		text, _ := os.ReadFile(file)
		return bytes.Count(text, []byte("\n"))
	}
	enough := stored() + more
	command := mercerCommand(dir, "run", "spec.yaml", "--out", out, "--quiet", "--isolate", isolation, "--workers", "1")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for stored() < enough {
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	_ = command.Process.Signal(syscall.SIGKILL)
	err := <-ended
	return err != nil
}
