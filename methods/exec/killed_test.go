//go:build linux

package exec

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asRunner makes this test binary run a program that starts another, writes that one's
// number into the named file and hangs.
const asRunner = "MERCER_TEST_AS_RUNNER"

func TestMain(m *testing.M) {
	out := os.Getenv(asRunner)
	if out == "" {
		os.Exit(m.Run())
	}
	command, err := Find(".", []string{"sh", "-c", `echo '` + readyLine + `'; trap '' HUP TERM; sleep 600 & echo $! > "$OUT"; exec sleep 600`}, map[string]string{"OUT": out})
	if err != nil {
		panic(err)
	}
	_, err = fit(context.Background(), command)
	panic(err)
}

// TestKilledRunner: what a program has started does not outlive a run that is killed, which
// can do nothing about it any more, also where the program and its guard were stopped before.
func TestKilledRunner(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, stopped := range []bool{false, true} {
		dir := t.TempDir()
		runner := exec.Command(self)
		runner.Env = append(os.Environ(), asRunner+"="+filepath.Join(dir, "pid"), "TMPDIR="+dir)
		if err := runner.Start(); err != nil {
			t.Fatal(err)
		}
		pid := pidIn(t, filepath.Join(dir, "pid"))
		for _, child := range children(t, runner.Process.Pid) {
			if stopped {
				_ = syscall.Kill(child, syscall.SIGSTOP)
			}
		}
		if err := runner.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = runner.Wait() // killed
		gone(t, pid)
	}
}

// TestNoZombies: programs that ended, in whatever way, are waited for.
func TestNoZombies(t *testing.T) {
	for _, script := range []string{"exit 1", "kill -9 $$", "sleep 600", "sleep 600 & echo x"} { // each fails
		command := shell(t, script)
		command.Timeout = 200 * time.Millisecond
		if _, err := fit(context.Background(), command); err == nil {
			t.Errorf("%s: no error", script)
		}
	}
	for _, child := range children(t, os.Getpid()) {
		if stat := contentOf(fmt.Sprintf("/proc/%d/stat", child)); strings.Contains(stat, ") Z ") {
			t.Errorf("process %d is a zombie: %s", child, stat)
		}
	}
}

// children are the processes that a process has started and not yet waited for.
func children(t *testing.T, pid int) (found []int) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // of its threads
	if err != nil || len(lists) == 0 {
		t.Skipf("SKIPPED: the system does not list children (%v)", err)
	}
	for _, list := range lists {
		for _, child := range strings.Fields(contentOf(list)) {
			if number, err := strconv.Atoi(child); err == nil {
				found = append(found, number)
			}
		}
	}
	return found
}

// contentOf is a file of /proc; empty for one of a process that is gone.
func contentOf(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}
