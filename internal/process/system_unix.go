//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// Own puts the program into a process group of its own, so that all it starts
// can be killed together.
func Own(c *exec.Cmd) (release func()) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() {}
}

// guardAttributes: a process group of its own.
func guardAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
