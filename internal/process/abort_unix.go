//go:build unix

package process

import (
	"os"
	"runtime/debug"
	"syscall"
)

// AbortBySignal has what Go's runtime cannot recover from, such as the end of memory or
// a panic of some goroutine, end this process by SIGABRT: a shell says 134. Go's own
// exit code for it is 2, which a program may need for something else. No core is
// dumped, it would have the size of the memory, unless $GOTRACEBACK is set.
func AbortBySignal() error {
	debug.SetTraceback("crash")
	if os.Getenv("GOTRACEBACK") != "" {
		return nil
	}
	var core syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &core); err != nil {
		return err
	}
	core.Cur = 0
	return syscall.Setrlimit(syscall.RLIMIT_CORE, &core)
}
