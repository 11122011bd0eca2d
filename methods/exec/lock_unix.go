//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package exec

import (
	"errors"
	"os"
	"syscall"
)

// errLocked is the error of lock where another open file has the lock.
var errLocked = syscall.EWOULDBLOCK

// lock takes the kernel's lock of an open file or directory without waiting. It ends
// when f is closed or its process ends.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
