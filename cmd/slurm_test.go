//go:build system && linux

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mercer/results"
)

const quickSpec = `
name: quick
seed: 9
repeats: 8
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: [100, 200], ell: [2, 5], m: [40]}
methods:
  - {id: ekpca, use: ekpca, center: u}
  - {id: nystrom, use: nystrom}
  - {id: oja, use: rf-oja, features: mercer, schedule: adaoja}
measure: [recon_h, recon_l2]
claims:
  - {id: nystrom-is-near, says: "", ratio: {of: recon_h, method: nystrom, to: ekpca, at_most: 4}}
plots:
  - {id: points, kind: scatter, where: {n: 200, ell: 5}}
`

// sharded is a directory, with a blank in its name, with a spec and its whole run.
type sharded struct {
	*testing.T
	dir string
}

func newSharded(t *testing.T) sharded {
	s := sharded{t, filepath.Join(t.TempDir(), "my runs")}
	if err := os.Mkdir(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "quick.yaml"), []byte(quickSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	s.mercer("run", "quick.yaml", "--out", "whole", "--quiet")
	return s
}

func (s sharded) mercer(args ...string) string {
	s.Helper()
	text, err := mercerCommand(s.dir, args...).CombinedOutput()
	if err != nil {
		s.Fatalf("mercer %v: %v\n%s", args, err, text)
	}
	return string(text)
}

// same wants the numbers and points of the whole run in another one.
func (s sharded) same(run string) {
	s.Helper()
	if s.mercer("export", run, "--no-times") != s.mercer("export", "whole", "--no-times") {
		s.Errorf("%s has other numbers than the run without shards", run)
	}
	points := func(run string) (text string) {
		files, _ := filepath.Glob(filepath.Join(s.dir, run, results.PointsFolder, "*.json"))
		for _, file := range files {
			read, _ := os.ReadFile(file)
			text += filepath.Base(file) + string(read)
		}
		return text
	}
	if points("whole") == "" || points(run) != points("whole") {
		s.Errorf("%s has other points than the run without shards", run)
	}
}

// TestSlurm: on a real Slurm of this machine, mercer submit ends with the report of a run that
// has the numbers of mercer run; given again, it computes nothing.
func TestSlurm(t *testing.T) {
	t.Parallel()
	cluster := startCluster(t, 2, 4)
	s := newSharded(t)
	log := filepath.Join(s.dir, "run", "merge.log")
	for range 2 {
		os.Remove(log)
		s.mercer("submit", "quick.yaml", "--shards", "5", "--out", "run", "--", "--time=10")
		for end := time.Now().Add(150 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			if text, _ := os.ReadFile(log); strings.Contains(string(text), "next: mercer export") {
				break
			}
			if time.Now().After(end) {
				logs, _ := exec.Command("sh", "-c", "tail -n 20 '"+s.dir+"'/run/*.log").CombinedOutput()
				t.Fatalf("waited in vain for the last job\n%s\n%s", logs, cluster.logs())
			}
		}
		s.same("run")
		if _, err := os.Stat(filepath.Join(s.dir, "run", "report", "index.html")); err != nil {
			t.Error(err)
		}
	}
	if run, err := results.Load(filepath.Join(s.dir, "run")); err != nil || run.Missing() != 0 {
		t.Errorf("%d rows are missing (%v)", run.Missing(), err)
	}
}

// TestParallel is the recipe of docs/schedulers.md for GNU parallel.
func TestParallel(t *testing.T) {
	if _, err := exec.LookPath("parallel"); err != nil {
		t.Skip("SKIPPED: GNU parallel is not here")
	}
	s := newSharded(t)
	c := mercerCommand(s.dir)
	c.Path, c.Args = "/bin/sh", []string{"sh", "-e", "-c", `seq 4 | parallel '"$MERCER" run quick.yaml --shard {}/4 --out parts/{} --workers 1' && "$MERCER" merge parts/* --out run`}
	c.Env = append(c.Env, "MERCER="+os.Args[0])
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	s.same("run")
}
