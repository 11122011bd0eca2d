package process

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
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

// Continued says whether a child of this process was stopped (SIGSTOP, SIGTSTP) and
// continued (SIGCONT) since this was asked last, or since its start. The kernel notes
// it before the child runs again and keeps it until it is asked for, as long as the
// child lives. So if a child sends something and this is asked on its receipt, no stop
// before the sending is missed, however busy the machine is. Only this process may ask:
// the kernel tells nobody else, and a child that another process waits for is none.
func Continued(pid int) bool {
	var state unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &state, unix.WCONTINUED|unix.WNOHANG, nil)
	return err == nil && state.Signo != 0
}

// Discard gives the memory of whole pages of b back to the system; they read as
// zeros from then on.
func Discard(b []byte) {
	if len(b) == 0 {
		return
	}
	page := os.Getpagesize()
	lead := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if whole := (len(b) - lead) &^ (page - 1); lead < len(b) && whole > 0 {
		_ = syscall.Madvise(b[lead:lead+whole], syscall.MADV_DONTNEED) // it is advice
	}
}
