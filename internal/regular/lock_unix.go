//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package regular

import (
	"errors"
	"os"
	"syscall"
)

// ErrLocked is the error of [Lock] where another open file has the lock.
var ErrLocked error = syscall.EWOULDBLOCK

// Lock takes the kernel's lock of an open file or folder, which ends when f is closed or
// its process ends. If another has it, Lock waits, or fails with [ErrLocked]. It fails
// with another error where the file system has no such locks.
func Lock(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}

	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
