//go:build unix && !linux

package exec

import (
	"os"
	"os/exec"
	"syscall"
)

// own puts the program into a process group of its own, so that all it starts
// can be killed together.
func own(c *exec.Cmd) (release func()) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}
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
