//go:build linux

package cmd

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// running are the processes whose command line contains a text.
func running(t *testing.T, text string) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, file := range files {
		line, err := os.ReadFile(file) // empty for one that has ended
		if err != nil || !strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// children are the processes that a process has started and not yet waited for.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children") // of its threads
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, list := range lists {
		text, _ := os.ReadFile(list) // the thread may have ended
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

// leakSpec has a program that starts another, and both sleep for so many seconds.
const leakSpec = `
name: leak
seed: 1
repeats: 1
datasets:
  - {id: poly2, use: series, decay: {power: 2}}
grid: {n: 20, ell: 2}
methods:
  - {id: program, use: exec, command: [sh, -c, "echo '{\"ready\":2}'; trap '' HUP TERM; sleep SECONDS & sleep SECONDS"], model: subspace}
measure: [recon_h]
`

// TestKilledWorkersPrograms: what the program of a method has started ends with the
// worker process that ran it, whoever kills that.
func TestKilledWorkersPrograms(t *testing.T) {
	dir := t.TempDir()
	const seconds = "86413.25"
	spec := strings.ReplaceAll(leakSpec, "SECONDS", seconds)
	if err := os.WriteFile(filepath.Join(dir, "leak.yaml"), []byte(spec), 0o644); err != nil {
		t.Fatal(err)
	}
	c := mercerCommand(dir, "run", "leak.yaml", "--isolate", "process", "--quiet")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	sleeping := func() []int { return running(t, "sleep "+seconds) }
	eventually(t, "the program runs", func() bool { return len(sleeping()) >= 2 })
	first := sleeping()
	killWorker := func() {
		t.Helper()
		workers := children(t, c.Process.Pid)
		if len(workers) != 1 {
			t.Fatalf("%d workers", len(workers))
		}
		if err := syscall.Kill(workers[0], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	killWorker()
	eventually(t, "the first programs end", func() bool {
		for _, pid := range first {
			for _, now := range sleeping() {
				if pid == now {
					return false
				}
			}
		}
		return true
	})
	eventually(t, "the cell is tried again", func() bool { return len(sleeping()) >= 2 })
	time.Sleep(300 * time.Millisecond)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	killWorker() // what it does is not begun again
	if err := c.Wait(); exitCode(err) != "130" {
		t.Errorf("exit code %s, want 130", exitCode(err))
	}
	eventually(t, "all programs end with the run", func() bool { return len(sleeping()) == 0 })
}
