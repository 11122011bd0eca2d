//go:build linux

package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
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
// Its scratch directory does, until it is swept; those of runs that live stay.
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
		t.Setenv("TMPDIR", dir)
		own := scratch(t)
		sweeps := func(want int) {
			t.Helper()
			if err := Sweep(); err != nil {
				t.Error(err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, scratchPrefix+"*")); len(left) != want {
				t.Errorf("scratch directories after a sweep: %q, want %d", left, want)
			}
		}
		sweeps(2)
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
		sweeps(1)
		if _, err := os.Stat(own.dir); err != nil {
			t.Error(err)
		}
	}
}

// TestSweepLeaves: what is not the scratch directory of a process of this machine stays,
// and one that cannot be removed is named.
func TestSweepLeaves(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	outside := filepath.Join(t.TempDir(), "kept")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, scratchPrefix+"7."+machine()+"2", "x"), 0o700), // another machine's
		os.Mkdir(filepath.Join(dir, scratchPrefix+"7"), 0o700),
		os.MkdirAll(filepath.Join(dir, scratchPrefix+"6."+machine(), "x"), 0o700), // nobody's, by its content
		os.Mkdir(filepath.Join(dir, "7."+machine()), 0o700),
		os.Mkdir(outside, 0o700),
		os.Symlink(outside, filepath.Join(dir, scratchPrefix+"8."+machine())),
		os.WriteFile(filepath.Join(dir, scratchPrefix+"9."+machine()), nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	before, _ := os.ReadDir(dir)
	if err := Sweep(); err != nil {
		t.Error(err)
	}
	after, _ := os.ReadDir(dir)
	if len(after) != len(before) || len(after) != 6 {
		t.Errorf("%v before, %v after", before, after)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}

// TestSweepWhileWorking: directories that are made and used while others sweep are
// theirs to the end.
func TestSweepWhileWorking(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	x := mat.NewDense(1, 1, []float64{1})
	stop := make(chan struct{})
	var sweepers, workers sync.WaitGroup
	for range 4 {
		sweepers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := Sweep(); err != nil {
					t.Error(err)
				}
			}
		})
		workers.Go(func() {
			for range 100 {
				s, err := NewScratch()
				if err != nil {
					t.Error(err)
					return
				}
				if err := errors.Join(s.Write("x.npy", x), s.Remove()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
	close(stop)
	sweepers.Wait()
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
