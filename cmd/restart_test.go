//go:build unix

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mercer/runner/batch"
	"mercer/runner/batch/slurm"
)

// failingSpec has a method whose program fails while a file lies beside it, and
// waits while another does.
const failingSpec = `
name: failing
seed: 1
repeats: 3
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid: {n: [20], ell: [1]}
methods: [{id: fails, use: exec, command: [./fails.sh], model: subspace}]
measure: [recon_h]
`

const failingProgram = `#!/bin/sh
echo '{"ready":2}'
read -r request || exit 0
here=$(dirname "$0")
echo >> "$here/calls"
while [ -e "$here/wait" ]; do sleep 0.05; done
[ -e "$here/fail" ] && exit 1
echo '{"indices": [0], "coef": [[1]], "values": [0.5]}'
`

// TestRestarts: a shard that Slurm starts again leaves alone what failed in it, one
// that is submitted anew does not; and a warning, which the job's setup does not
// hear, puts a shard that got somewhere back into the queue.
func TestRestarts(t *testing.T) {
	dir := t.TempDir()
	path := fakeSlurm(t, dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(name string) int {
		text, _ := os.ReadFile(filepath.Join(dir, name))
		return strings.Count(string(text), "\n")
	}
	write("failing.yaml", failingSpec)
	write("fails.sh", failingProgram)
	write("fail", "")
	submit := mercerCommand(dir, "submit", "failing.yaml", "--out", "run", "--shards", "1", "--setup", "kill -USR1 $$")
	submit.Env = append(submit.Env, path)
	if text, err := submit.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	start := func(env ...string) (*exec.Cmd, *strings.Builder) {
		t.Helper()
		said := new(strings.Builder)
		c := exec.Command("/bin/bash", filepath.Join(dir, "run", batch.Folder, slurm.ArrayScript))
		c.Dir, c.Stdout, c.Stderr = dir, said, said
		c.Env = append(append(mercerCommand(dir).Env, path, "SLURM_ARRAY_JOB_ID=7", "SLURM_ARRAY_TASK_ID=0"), env...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, said
	}
	for _, life := range []struct {
		env   string
		calls int
	}{{"", 3}, {"SLURM_RESTART_COUNT=1", 3}, {"SLURM_RESTART_COUNT=0", 6}} {
		c, said := start(life.env)
		c.Wait()
		if c.ProcessState.ExitCode() != exitFailed || !strings.Contains(said.String(), "3 of 3 records failed") || lines("calls") != life.calls {
			t.Errorf("%q: %v after %d calls, want %d\n%s", life.env, c.ProcessState, lines("calls"), life.calls, said)
		}
	}
	if err := os.Remove(filepath.Join(dir, "fail")); err != nil {
		t.Fatal(err)
	}
	write("wait", "")
	c, said := start()
	for end := time.Now().Add(20 * time.Second); lines("calls") < 7 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	c.Process.Signal(syscall.SIGUSR1)
	time.Sleep(200 * time.Millisecond)
	if err := os.Remove(filepath.Join(dir, "wait")); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	asked, _ := os.ReadFile(filepath.Join(dir, "asked"))
	if c.ProcessState.ExitCode() != exitInterrupted || !strings.Contains(said.String(), "requeued as 7_0") || !strings.Contains(string(asked), "scontrol requeue 7_0\n") {
		t.Errorf("a warned shard: %v\n%s", c.ProcessState, said)
	}
}
