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
	stopped := WatchStops()
	if err := syscall.Kill(os.Getpid(), syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if !stopped() {
		t.Error("continued, and not noted")
	}
	if WatchStops()() {
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
