package exec

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// own puts the program into a process group of its own, so that all it starts
// can be killed together, and has the kernel kill it should this process be
// killed. The latter looks at the thread that starts the program: start and Wait
// must be called on one goroutine, which own binds to its thread until release.
func own(c *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}

// killGroup kills the program and what it started, as far as that stayed in its
// group. The group may be gone already.
func killGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if err == syscall.ESRCH {
		return os.ErrProcessDone
	}
	return err
}
