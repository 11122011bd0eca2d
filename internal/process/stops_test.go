//go:build unix

package process

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

func TestWatchStops(t *testing.T) {
	if WatchStops()() {
		t.Error("stopped, though nothing happened")
	}
	// On a busy machine the signal is late: what is to be seen is seen in one of some tries.
	noted := false
	for try := 1; try <= 20 && !noted; try++ {
		stopped := WatchStops()
		if err := syscall.Kill(os.Getpid(), syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(try) * 10 * time.Millisecond)
		noted = stopped()
	}
	if !noted {
		t.Error("continued, and not noted")
	}
	before := true
	for try := 1; try <= 20 && before; try++ {
		time.Sleep(time.Duration(try) * 10 * time.Millisecond)
		before = WatchStops()()
	}
	if before {
		t.Error("stopped before the watch counts")
	}
}

func TestStopped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	becomes := func(want bool) {
		t.Helper()
		for range 500 {
			if Stopped(c.Process.Pid) == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("Stopped is %v after 5 s", !want)
	}
	becomes(false)
	_ = c.Process.Signal(syscall.SIGSTOP)
	becomes(true)
	_ = c.Process.Signal(syscall.SIGCONT)
	becomes(false)
	if Stopped(1 << 30) {
		t.Error("a process that is not there is stopped")
	}
}
