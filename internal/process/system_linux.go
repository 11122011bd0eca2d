package process

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Own puts the program into a process group of its own, so that all it starts
// can be killed together, and has the kernel kill it should this process be
// killed. The latter looks at the thread that starts the program: start and Wait
// must be called on one goroutine, which Own binds to its thread until release.
func Own(c *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}

// guardAttributes: a process group of its own. At the end of this process the kernel
// continues a guard that was stopped, and takes back a stop that has not happened yet.
// Continuing one that runs does nothing, so it may come from the end of a thread.
func guardAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGCONT}
}
