//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package regular

import (
	"errors"
	"os"
)

// ErrLocked is the error of [Lock] where another open file has the lock.
var ErrLocked = errors.New("locked")

// Lock fails: this system has no such locks.
func Lock(*os.File, bool) error { return errors.New("no advisory locks on this system") }
